"""Figures of wrk, and responses that are not the expected ones."""

import unittest

from measure import load

FIGURES = {"requests": 1000, "bytes": 100_000, "failed": 0, "errors": 0}


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
