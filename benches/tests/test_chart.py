"""The chart of a run."""

import unittest

import samples

from measure import chart


class TestChart(unittest.TestCase):
    def test_a_workload_that_was_not_measured_has_no_panel(self):
        results = samples.results({"this site": [samples.sample()]})
        results.idle["this site"] = samples.idle()
        drawn = chart.svg(results, samples.results({}))
        self.assertIn("CPU time of a page, gzip, 64 connections", drawn)
        self.assertIn("Memory when idle", drawn)
        for title in ("CPU time of a 304", "p99 latency", "handshake"):
            with self.subTest(title=title):
                self.assertNotIn(title, drawn)
