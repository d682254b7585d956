"""The output of curl."""

import unittest

from measure import http2


class TestParse(unittest.TestCase):
    def test_a_response_of_curl_is_parsed(self):
        response = http2.parse(b"HTTP/2 200 \r\netag: a\r\n\r\nline\r\n\r\nline")
        self.assertEqual((response.status, response.fields["etag"]), (200, "a"))
        self.assertEqual(response.content, b"line\r\n\r\nline")

    def test_another_protocol_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "HTTP/1.1 instead of HTTP/2"):
            http2.parse(b"HTTP/1.1 200 OK\r\n\r\n")
