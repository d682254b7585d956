"""Medians, ratios and failed rounds."""

import json
import unittest

import samples
from samples import PAGE, sample

from measure.load import RequestsFailed

COST = "cpu_microseconds"


class TestResults(unittest.TestCase):
    def test_the_median_of_an_even_number_of_rounds_is_the_mean_of_the_middle_two(self):
        results = samples.results({"a": [sample(cost=cost) for cost in (1, 9, 2, 4)]})
        self.assertEqual(results.median("a", PAGE.key, 64, COST), 3)

    def test_a_failed_round_has_no_value_and_is_reported(self):
        failure = RequestsFailed("3 failed, 0 answered")
        results = samples.results({"a": [sample(cost=8), failure, sample(cost=4)]})
        self.assertEqual(results.values("a", PAGE.key, 64, COST), [8, 4])
        run = "page, gzip, 64 connections, round 2"
        self.assertEqual(results.failures, {"a": {run: "3 failed, 0 answered"}})

    def test_a_failed_round_over_tls_is_reported_with_its_protocol(self):
        results = samples.results({"a": [RequestsFailed("all")]}, connections="HTTP/2, 1 stream")
        self.assertEqual(list(results.failures["a"]), ["page, gzip, HTTP/2, 1 stream, round 1"])

    def test_a_server_that_is_busy_for_95_percent_of_the_median_round_is_saturated(self):
        for rounds, is_saturated in (
            ([sample(cost=10, rate=95_000)], True),
            ([sample(cost=10, rate=94_000)], False),
            # The medians of rate and cost are of different rounds. Their product is 0.9.
            ([sample(10, 100_000), sample(9, 110_000), sample(8, 90_000)], True),
            # Here it is 1.0.
            ([sample(10, 100_000), sample(12, 75_000), sample(8, 110_000)], False),
            ([RequestsFailed("all")], True),
            ([], True),
        ):
            with self.subTest(rounds=rounds):
                results = samples.results({"a": rounds})
                self.assertEqual(results.is_saturated("a", PAGE.key, 64), is_saturated)

    def test_a_missing_figure_has_no_median(self):
        results = samples.results({"a": [RequestsFailed("all")]})
        self.assertIsNone(results.median("a", PAGE.key, 64, COST))
        self.assertIsNone(results.median("b", PAGE.key, 64, COST))

    def test_ratios_compare_the_same_round_of_two_servers(self):
        results = samples.results(
            {
                "a": [sample(cost=10), RequestsFailed("all"), sample(cost=30)],
                "b": [sample(cost=20), sample(cost=1), sample(cost=10)],
            }
        )
        self.assertEqual(results.ratios("a", "b", PAGE.key, 64, COST), [0.5, 3.0])

    def test_connections_are_listed_once_and_sorted(self):
        results = samples.results({"a": [sample()], "b": [sample()]}, connections=1000)
        results.add("a", PAGE, 1, sample())
        self.assertEqual(results.connections(PAGE.key), [1, 1000])

    def test_json_has_every_round_and_null_for_a_failed_one(self):
        results = samples.results({"a": [sample(cost=1.23456), RequestsFailed("all")]})
        figures = json.loads(json.dumps(results.as_json()))
        self.assertEqual(figures["measured"]["a"][PAGE.key]["64"][COST], [1.235, None])
        self.assertNotIn("samples", figures)
