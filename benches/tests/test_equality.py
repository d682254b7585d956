"""Responses that differ from the exported site."""

import gzip
import tempfile
import threading
import unittest
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import samples

from measure import equality
from measure.workloads import PLAIN_HTTP_BROWSER, Request, Workload

PAGE, MISSING = b"page" * 100, b"missing" * 100
GZIP = {"Content-Encoding": "gzip"}

REQUESTS = (
    Request("/", PLAIN_HTTP_BROWSER),
    Request("/", PLAIN_HTTP_BROWSER, 304, revalidates=True),
    Request("/none", PLAIN_HTTP_BROWSER, 404),
)
WORKLOADS = [Workload(key, key, (each,)) for key, each in zip(("page", "304", "404"), REQUESTS)]


@contextmanager
def site_and_port(change):
    """A folder with a site, and the port of a server of this site. `change` replaces the status,
    the fields or the content of its responses by path."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            is_page = self.path == "/"
            revalidates = is_page and "If-None-Match" in self.headers
            response = {
                "status": 304 if revalidates else 200 if is_page else 404,
                "fields": GZIP,
                "content": gzip.compress(PAGE if is_page else MISSING),
                **change.get("304" if revalidates else self.path, {}),
            }
            self.send_response(response["status"])
            for name, value in {"ETag": "a", **response["fields"]}.items():
                self.send_header(name, value)
            content = b"" if response["status"] == 304 else response["content"]
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder)
        (site / "index.html").write_bytes(PAGE)
        (site / "404.html").write_bytes(MISSING)
        (site / "_headers").write_text("/*\n  X-Content-Type-Options: nosniff\n")
        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            try:
                yield site, server.server_port
            finally:
                server.shutdown()
                thread.join()


def checked(change):
    """The results after the check of a server with changed responses."""
    results = samples.results({})
    with site_and_port(change) as (site, port):
        equality.check_all(results, {"a": (port, None)}, WORKLOADS, [], site)
    return results


class TestCheck(unittest.TestCase):
    def test_the_exported_contents_pass(self):
        results = checked({})
        self.assertIn("0 of 1 security headers", results.differences["a"])
        self.assertEqual(results.uncompressed["a"], [])

    def test_another_status_or_content_ends_the_run(self):
        for change in (
            {"/": {"status": 500}},
            {"304": {"status": 200}},
            {"/none": {"status": 200}},
            {"/": {"content": gzip.compress(PAGE[1:])}},
            {"/": {"content": gzip.compress(PAGE + b"x")}},
            {"/none": {"content": gzip.compress(PAGE)}},
        ):
            with self.subTest(change=change), self.assertRaises(equality.UnexpectedResponse):
                checked(change)

    def test_a_workload_with_an_uncompressed_response_is_recorded(self):
        for path, content, workload in (("/", PAGE, "page"), ("/none", MISSING, "404")):
            with self.subTest(path=path):
                results = checked({path: {"fields": {}, "content": content}})
                self.assertIn(f"{path} not compressed", results.differences["a"])
                self.assertEqual(results.uncompressed["a"], [workload])
