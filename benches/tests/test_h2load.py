"""The output of h2load, and responses that are not the expected ones."""

import os
import unittest
from dataclasses import replace
from unittest.mock import patch

from measure import h2load, processes
from measure.h2load import Output, Traffic
from measure.load import RequestsFailed

TEXT = """
TLS Protocol: TLSv1.3
Cipher: TLS_AES_128_GCM_SHA256
Server Temp Key: X25519 253 bits
Application protocol: h2
Main benchmark duration is over for thread #0. Stopping all clients.
finished in 734.02ms, 18286.00 req/s, 49.49MB/s
requests: 9143 total, 9143 started, 9140 done, 4573 succeeded, 4570 failed, 3 errored, 0 timeout
status codes: 4573 2xx, 0 3xx, 4570 4xx, 0 5xx
traffic: 24.7MB (25946) total, 330KB (338) headers (space savings 95.34%), 25.07MB (26288) data
"""

HTTP_1, HTTP_2, _ = (replace(each, connections=1) for each in h2load.VARIANTS)


def output(done, errored, classes, received, protocol="h2", **tls):
    return Output({**h2load.TLS, **tls}, protocol, done, errored, classes, received)


def traffic(*statuses, content=100):
    return Traffic(["/"] * len(statuses), {}, list(statuses), content, content + 20)


class TestParse(unittest.TestCase):
    def test_the_summary_is_parsed_without_statuses_that_did_not_occur(self):
        self.assertEqual(h2load.parse(TEXT), output(9140, 3, {2: 4573, 4: 4570}, 25946))

    def test_an_output_without_a_summary_is_a_failure(self):
        with self.assertRaises(RequestsFailed):
            h2load.parse("starting benchmark...\n")


class TestMeasured(unittest.TestCase):
    def test_the_processor_time_is_that_from_the_first_begin_to_the_last_end(self):
        lines = "\n".join((h2load.BEGIN, h2load.BEGIN, h2load.END, h2load.END, "last"))
        with patch.object(processes, "cpu_seconds", side_effect=[1, 2, 4]) as cpu_seconds:
            text, spent = h2load.measured(["echo", lines], 123, processes.LOAD_CPUS)
        self.assertEqual(text, lines + "\n")
        self.assertEqual(spent, 4 - 1)
        cpu_seconds.assert_called_with(123)

    def test_a_run_without_a_measured_time_is_a_failure(self):
        with self.assertRaisesRegex(RequestsFailed, "refused"):
            h2load.measured(["echo", "refused"], os.getpid(), processes.LOAD_CPUS)


class TestLatencies(unittest.TestCase):
    def test_p99_is_the_least_value_that_99_percent_do_not_exceed(self):
        log = [f"1795349010700114\t200\t{time}\n" for time in range(1000, 0, -1)]
        latencies = h2load.latencies_of(log)
        self.assertEqual(latencies, {"p50": 500, "p99": 990, "p999": 999})
        self.assertEqual(h2load.latencies_of(log[:1])["p50"], 1000)

    def test_an_empty_log_has_no_percentiles(self):
        self.assertEqual(h2load.latencies_of([]), {})


class TestCheck(unittest.TestCase):
    def test_the_expected_statuses_and_sizes_pass(self):
        for found, expected in (
            (output(100, 0, {2: 100}, 10_000), traffic(200)),
            # Responses that were in progress at the beginning or the end.
            (output(100, 0, {2: 99}, 9_500), traffic(200)),
            (output(100, 0, {2: 101}, 12_500), traffic(200)),
            (output(100, 0, {3: 100}, 1_000), traffic(304, content=0)),
            (output(100, 0, {2: 74, 3: 26}, 9_000), traffic(200, 200, 200, 304)),
        ):
            with self.subTest(output=found):
                h2load.check(found, expected, HTTP_2)

    def test_other_responses_are_failures(self):
        for found, expected in (
            (output(0, 0, {}, 0), traffic(200)),
            (output(99, 1, {2: 99}, 10_000), traffic(200)),
            (output(100, 0, {2: 99, 5: 1}, 10_000), traffic(200)),
            (output(100, 0, {2: 100}, 9_000), traffic(200)),
            (output(100, 0, {2: 100}, 13_000), traffic(200)),
            (output(100, 0, {2: 25, 3: 75}, 10_000), traffic(200, 200, 200, 304)),
            (output(100, 0, {2: 75, 3: 25}, 7_000), traffic(200, 200, 200, 304)),
            (output(100, 0, {2: 75, 3: 25}, 15_000), traffic(200, 200, 200, 304)),
        ):
            with self.subTest(output=found), self.assertRaises(RequestsFailed):
                h2load.check(found, expected, HTTP_2)

    def test_another_protocol_version_or_cipher_is_a_failure(self):
        h2load.check(output(100, 0, {2: 100}, 10_000, "http/1.1"), traffic(200), HTTP_1)
        for found, variant in (
            (output(100, 0, {2: 100}, 10_000, "http/1.1"), HTTP_2),
            (output(100, 0, {2: 100}, 10_000, "h2"), HTTP_1),
            (output(100, 0, {2: 100}, 10_000, None), HTTP_2),
            (output(100, 0, {2: 100}, 10_000, **{"TLS Protocol": "TLSv1.2"}), HTTP_2),
            (output(100, 0, {2: 100}, 10_000, Cipher="TLS_AES_256_GCM_SHA384"), HTTP_2),
        ):
            with self.subTest(output=found), self.assertRaisesRegex(RequestsFailed, "instead of"):
                h2load.check(found, traffic(200), variant)
