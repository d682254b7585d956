"""The output of h2load, and responses that are not the expected ones."""

import unittest

from measure import h2load
from measure.h2load import Output, Traffic
from measure.load import RequestsFailed

TEXT = """
Main benchmark duration is over for thread #0. Stopping all clients.
finished in 734.02ms, 18286.00 req/s, 49.49MB/s
requests: 9143 total, 9143 started, 9140 done, 4573 succeeded, 4570 failed, 3 errored, 0 timeout
status codes: 4573 2xx, 0 3xx, 4570 4xx, 0 5xx
traffic: 24.7MB (25946) total, 330KB (338) headers (space savings 95.34%), 25.07MB (26288) data
"""


def traffic(*statuses, content=100):
    return Traffic(["/"] * len(statuses), {}, list(statuses), content)


class TestParse(unittest.TestCase):
    def test_the_summary_is_parsed_without_statuses_that_did_not_occur(self):
        self.assertEqual(h2load.parse(TEXT), Output(9140, 3, {2: 4573, 4: 4570}, 26288))

    def test_an_output_without_a_summary_is_a_failure(self):
        with self.assertRaises(RequestsFailed):
            h2load.parse("starting benchmark...\n")


class TestLatencies(unittest.TestCase):
    def test_p99_is_the_least_value_that_99_percent_do_not_exceed(self):
        log = [f"1795349010700114\t200\t{time}\n" for time in range(1000, 0, -1)]
        latencies = h2load.latencies_of(log)
        self.assertEqual(latencies, {"p50": 500, "p99": 990, "p999": 999})
        self.assertEqual(h2load.latencies_of(log[:1])["p50"], 1000)

    def test_an_empty_log_has_no_percentiles(self):
        self.assertEqual(h2load.latencies_of([]), {})


class TestCheck(unittest.TestCase):
    def test_the_expected_statuses_and_contents_pass(self):
        for output, expected in (
            (Output(100, 0, {2: 100}, 10_000), traffic(200)),
            # Responses that were in progress at the end.
            (Output(100, 0, {2: 110}, 11_000), traffic(200)),
            (Output(100, 0, {3: 100}, 0), traffic(304, content=0)),
            (Output(100, 0, {2: 74, 3: 26}, 9_000), traffic(200, 200, 200, 304)),
        ):
            with self.subTest(output=output):
                h2load.check(output, expected)

    def test_other_responses_are_failures(self):
        for output, expected in (
            (Output(0, 0, {}, 0), traffic(200)),
            (Output(99, 1, {2: 99}, 10_000), traffic(200)),
            (Output(100, 0, {2: 99, 5: 1}, 10_000), traffic(200)),
            (Output(100, 0, {2: 100}, 9_000), traffic(200)),
            (Output(100, 0, {2: 25, 3: 75}, 10_000), traffic(200, 200, 200, 304)),
            (Output(100, 0, {2: 75, 3: 25}, 7_000), traffic(200, 200, 200, 304)),
        ):
            with self.subTest(output=output), self.assertRaises(RequestsFailed):
                h2load.check(output, expected)
