"""The files that a page loads, and the requests of the workloads."""

import tempfile
import unittest
from pathlib import Path

from measure import equality, workloads
from measure.workloads import Request, Workload

PAGE = """
<link rel="stylesheet" href="/site.css"><link rel="canonical" href="/">
<link rel="icon" href="/favicon.ico"><link rel="icon" type="image/svg+xml" href="/icon.svg">
<img src="/large.webp"><img src="/large.webp"><img src="https://a.example/other.png">
<style>@font-face { src: url("/font.woff2") }</style>
<script src="/start.js"></script>
<script type="module">import("./app.4567abcd.js")</script>
"""


class TestReferences(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site = Path(folder.name)
        (self.site / "index.html").write_text(PAGE)
        (self.site / "start.js").write_text('import("main.0123abcd.js")')
        (self.site / "app.4567abcd.js").write_text("")

    def test_each_file_that_the_page_loads_is_listed_once(self):
        self.assertEqual(
            workloads.references(self.site),
            [
                "/site.css",
                "/icon.svg",
                "/large.webp",
                "/start.js",
                "/font.woff2",
                "/app.4567abcd.js",
                "/main.0123abcd.js",
            ],
        )

    def test_the_largest_file_with_one_of_the_extensions_is_selected(self):
        for name, size in (("a.svg", 10), ("b.webp", 30), ("c.js", 90)):
            (self.site / name).write_bytes(b"x" * size)
        paths = ["/a.svg", "/b.webp", "/c.js"]
        self.assertEqual(workloads.largest(self.site, paths, (".svg", ".webp")), "/b.webp")


class TestRequests(unittest.TestCase):
    def test_a_request_of_two_workloads_is_sent_once(self):
        first = Workload("a", "a", (Request("/"), Request("/x")))
        second = Workload("b", "b", (Request("/x"),))
        paths = [each.path for each in equality.requests_of([first, second], ["/", "/y"])]
        self.assertEqual(paths, ["/", "/x", "/y"])
