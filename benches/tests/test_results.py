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
