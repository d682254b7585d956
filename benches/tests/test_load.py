"""Figures of wrk, and responses that are not the expected ones."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from measure import load

FIGURES = {"requests": 1000, "bytes": 100_000, "failed": 0, "errors": 0}


class TestRun(unittest.TestCase):
    def test_a_failure_of_wrk_is_a_failure_of_the_round_with_its_reason(self):
        with self.assertRaisesRegex(load.RequestsFailed, "^wrk .* 1: unable to connect: refused$"):
            self.run_with("echo unable to connect: refused >&2; exit 1")

    def test_a_wrk_that_does_not_end_is_a_failure_of_the_round(self):
        with (
            mock.patch.object(load, "TIMEOUT_SECONDS", 0.1),
            self.assertRaisesRegex(load.RequestsFailed, "0.1 s"),
        ):
            self.run_with("exec sleep 60")

    def run_with(self, wrk):
        """A round with the shell script `wrk` in place of wrk."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "wrk")
            file.write_text(f"#!/bin/sh\n{wrk}\n")
            file.chmod(0o755)
            path = os.pathsep.join([folder, os.environ["PATH"]])
            with mock.patch.dict(os.environ, PATH=path):
                load.run(80, os.getpid(), load.Load([("/", {})], 100), 64, 1)


class TestCheck(unittest.TestCase):
    def test_the_expected_statuses_and_sizes_pass(self):
        for change, is_error in (
            ({}, False),
            ({"errors": 1000}, True),
            # A part of each response in progress at the end.
            ({"bytes": 106_000}, False),
            ({"bytes": 96_000}, False),
        ):
            with self.subTest(change=change):
                load.check(FIGURES | change, load.Load([], 100, is_error), 64)

    def test_failed_requests_and_responses_of_another_size_are_failures(self):
        for change, is_error in (
            ({"requests": 0}, False),
            ({"failed": 1}, False),
            ({"errors": 1}, False),
            ({"errors": 999}, True),
            ({"bytes": 94_000}, False),
            # As if the page was the response to a revalidation, whose status wrk does not tell.
            ({"bytes": 500_000}, False),
            ({"bytes": 112_000}, False),
        ):
            with self.subTest(change=change), self.assertRaises(load.RequestsFailed):
                load.check(FIGURES | change, load.Load([], 100, is_error), 64)


class TestSample(unittest.TestCase):
    def test_the_rate_is_per_second_and_the_cost_is_per_request(self):
        sample = load.sample(1000, 0.5, 0.25, p99=3)
        self.assertEqual(sample, load.Sample(2000, 250, p99=3))

    def test_a_server_without_processor_time_is_a_failure(self):
        for spent in (0, -0.1):
            with self.subTest(spent=spent), self.assertRaises(load.RequestsFailed):
                load.sample(1000, 0.5, spent)
