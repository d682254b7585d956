"""Parsing of responses that arrive in pieces."""

import gzip
import socket
import unittest

from measure import equality, wire


def received(content, pieces=1):
    """The parsed response, after `content` was sent in this number of pieces."""
    client, server = socket.socketpair()
    with client, server:
        size = -(-len(content) // pieces)
        for start in range(0, len(content), size):
            server.sendall(content[start : start + size])
        server.shutdown(socket.SHUT_WR)
        return wire.read_response(client)


class TestWire(unittest.TestCase):
    def test_a_request_ends_with_an_empty_line(self):
        text = wire.request(80, "/", {"Accept": "*/*"})
        self.assertEqual(text, b"GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\nAccept: */*\r\n\r\n")

    def test_a_response_is_read_to_its_length(self):
        data = b'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag:  "a" \r\n\r\nhello'
        for pieces in (1, len(data)):
            with self.subTest(pieces=pieces):
                response = received(data, pieces)
                self.assertEqual((response.status, response.content), (200, b"hello"))
                self.assertEqual(response.fields["etag"], '"a"')
                self.assertEqual(response.raw, data)

    def test_a_304_has_no_content_regardless_of_its_length(self):
        response = received(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n")
        self.assertEqual((response.status, response.content), (304, b""))

    def test_chunks_are_joined(self):
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        data = head + b"5;name=value\r\nhello\r\nA\r\n, everyone\r\n0\r\n\r\n"
        for pieces in (1, 7):
            with self.subTest(pieces=pieces):
                self.assertEqual(received(data, pieces).content, b"hello, everyone")

    def test_an_incomplete_response_is_an_error(self):
        for data in (
            b"HTTP/1.1 200",
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        ):
            with self.subTest(data=data), self.assertRaises(ValueError):
                received(data)

    def test_gzip_is_decoded_for_the_comparison_of_contents(self):
        response = wire.Response(b"", 200, {"content-encoding": "gzip"}, gzip.compress(b"text"))
        self.assertEqual(equality.decoded(response), b"text")
