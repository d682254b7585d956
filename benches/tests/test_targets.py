"""Targets: limits, ratios within one run, and the spread."""

import statistics
import unittest

import samples
from samples import sample

from measure import targets

SITE = targets.SITE


def judgements(results):
    return {verdict.target: verdict.judgement for verdict in targets.judge(results)}


class TestTargets(unittest.TestCase):
    def test_the_cpu_limit_applies_to_the_median_of_the_ratios(self):
        name = "CPU, page, gzip: at most 0.75 × nginx"
        for costs, judgement in (((7, 7.5, 30), "reached"), ((7, 7.6, 8), "missed")):
            with self.subTest(costs=costs):
                results = samples.results(
                    {
                        SITE: [sample(cost=cost) for cost in costs],
                        "nginx": [sample(cost=10)] * 3,
                    }
                )
                self.assertEqual(judgements(results)[name], judgement)

    def test_without_figures_of_another_server_there_is_no_verdict(self):
        self.assertEqual(targets.judge(samples.results({SITE: [sample()]})), [])

    def test_the_best_rate_is_the_highest_and_the_best_latency_is_the_lowest(self):
        for connections, name, better, worse in (
            (64, "requests per second with 64 connections", {"rate": 200}, {"rate": 100}),
            (1000, "p99 with 1000 connections", {"p99": 10}, {"p99": 20}),
        ):
            for site, peer, judgement in ((better, worse, "reached"), (worse, better, "missed")):
                with self.subTest(name=name, judgement=judgement):
                    results = samples.results(
                        {SITE: [sample(**site)], "h2o": [sample(**peer)]}, connections
                    )
                    self.assertEqual(judgements(results)[f"best {name}, page, gzip"], judgement)

    def test_a_site_that_is_better_in_one_round_is_within_the_spread(self):
        results = samples.results(
            {
                SITE: [sample(rate=rate) for rate in (90, 110, 95)],
                "h2o": [sample(rate=100)] * 3,
            }
        )
        verdict = judgements(results)["best requests per second with 64 connections, page, gzip"]
        self.assertEqual(verdict, "within the spread")

    def test_baselines_are_not_ranked(self):
        results = samples.results({SITE: [sample(rate=1)], targets.BASELINES[0]: [sample(rate=9)]})
        self.assertEqual([name for name in judgements(results) if name.startswith("best")], [])

    def test_the_idle_limits_include_all_connections(self):
        results = samples.results({})
        results.idle[SITE] = samples.idle(memory=4_000_000, per_connection=15_600, held=10_000)
        connections = "10,000 idle connections: at most 160 MB"
        self.assertEqual(
            judgements(results),
            {"idle memory, this site: at most 4.0 MB": "reached", connections: "reached"},
        )
        results.idle[SITE] = samples.idle(memory=4_000_001, per_connection=15_601, held=10_000)
        self.assertEqual(
            judgements(results),
            {"idle memory, this site: at most 4.0 MB": "missed", connections: "missed"},
        )

    def test_rows_with_other_options_have_limits_of_their_own(self):
        results = samples.results({})
        results.idle[SITE] = samples.idle()
        row = targets.SITE_AT_ORIGIN
        for start, memory, expected in (
            (6.0, 4_500_000, "reached"),
            (6.1, 4_500_001, "missed"),
        ):
            results.idle[row] = samples.idle(start=start, memory=memory)
            found = judgements(results)
            self.assertEqual(found[f"start, {row}: at most 6 ms"], expected)
            self.assertEqual(found[f"idle memory, {row}: at most 4.5 MB"], expected)

    def test_start_and_size_are_compared_with_the_best_server(self):
        results = samples.results({})
        results.idle[SITE] = samples.idle(start=2.0, size=5_000_000)
        results.idle["slow"] = samples.idle(start=9.0, size=4_000_000)
        results.idle["quick"] = samples.idle(start=1.0, size=9_000_000)
        found = judgements(results)
        self.assertEqual(found["shortest time from start to first response"], "missed")
        self.assertEqual(found["smallest size with all files that are needed"], "missed")

    def test_the_median_is_written_before_the_minimum_and_maximum(self):
        ratios = [1.5, 0.5, 1.0]
        self.assertEqual(statistics.median(ratios), 1.0)
        self.assertEqual(targets.with_extremes(ratios), "1.00 (0.50 to 1.50)")
