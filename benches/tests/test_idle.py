"""Servers that close a connection, or answer with another status."""

import socket
import threading
import unittest
from contextlib import contextmanager

from measure import idle, wire


@contextmanager
def server(answer):
    """The port of a server that sends `answer` to one request and closes the connection."""

    def serve():
        connection, _ = listener.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            thread.join()


class TestIdleConnection(unittest.TestCase):
    def test_a_connection_that_the_server_closes_within_the_head_is_not_held(self):
        for answer in (b"", b"HTTP/1.1 200 OK\r\n"):
            with self.subTest(answer=answer), server(answer) as port:
                self.assertIsNone(idle.idle_connection(port))

    def test_a_connection_that_the_server_refuses_is_not_held(self):
        # Not a server, because it does not listen.
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            port = other.getsockname()[1]
            for kind in (int, wire.TlsPort):
                with self.subTest(kind=kind):
                    self.assertIsNone(idle.idle_connection(kind(port)))

    def test_a_connection_that_the_server_closes_in_the_handshake_is_not_held(self):
        with server(b"HTTP/1.1 400 Bad Request\r\n\r\n") as port:
            self.assertIsNone(idle.idle_connection(wire.TlsPort(port)))


class TestVisit(unittest.TestCase):
    def test_the_size_of_a_response_includes_its_head(self):
        answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        with server(answer) as port:
            self.assertEqual(idle.visited_bytes(port, "/"), len(answer))

    def test_a_file_of_the_visit_with_another_status_is_an_error(self):
        answer = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        with server(answer) as port, self.assertRaisesRegex(ValueError, "/app.js .* 404"):
            idle.visited_bytes(port, "/app.js")
