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
    def test_the_cpu_limit_applies_to_the_ratio_of_every_round(self):
        name = "CPU, page, gzip: at most 0.75 × nginx"
        for costs, judgement in (
            ((7, 7.2, 7.5), "reached"),
            ((7, 7.2, 7.6), "within the spread"),
            ((7.5, 7.6, 8), "within the spread"),
            ((7.6, 7.7, 8), "missed"),
            ((7,), "one round"),
        ):
            with self.subTest(costs=costs):
                results = samples.results(
                    {
                        SITE: [sample(cost=cost) for cost in costs],
                        "nginx": [sample(cost=10)] * 3,
                    }
                )
                self.assertEqual(judgements(results)[name], judgement)

    def test_a_server_that_waited_for_the_load_is_not_beaten_and_a_waiting_site_does_not_miss(self):
        name = "CPU, page, gzip: at most 1.00 × h2o"
        busy, waiting = 1.0, 0.5
        for cost, site, peer, judgement in (
            (8, busy, waiting, "not saturated"),
            (8, waiting, busy, "reached"),
            (8, busy, busy, "reached"),
            (12, waiting, busy, "not saturated"),
            (12, busy, waiting, "missed"),
            (12, waiting, waiting, "not saturated"),
        ):
            with self.subTest(cost=cost, site=site, peer=peer):
                rounds = {
                    SITE: [sample(cost, rate=site * 1e6 / cost)] * 3,
                    "h2o": [sample(10, rate=peer * 1e5)] * 3,
                }
                self.assertEqual(judgements(samples.results(rounds))[name], judgement)

    def test_a_server_that_sends_a_workload_uncompressed_is_not_compared_in_it(self):
        rounds = {SITE: [sample(8)] * 3, "h2o": [sample(10)] * 3, "nginx": [sample(20)] * 3}
        results = samples.results(rounds)
        results.uncompressed["h2o"] = [samples.PAGE.key]
        verdicts = {each.target: each for each in targets.judge(results)}
        self.assertNotIn("CPU, page, gzip: at most 1.00 × h2o", verdicts)
        best = verdicts["best requests per second with 64 connections, page, gzip"]
        self.assertTrue(best.outcome.endswith("× nginx"), best)

    def test_without_figures_of_another_server_there_is_no_verdict(self):
        self.assertEqual(targets.judge(samples.results({SITE: [sample()]})), [])

    def test_the_best_rate_is_the_highest_and_the_best_latency_is_the_lowest(self):
        for connections, name, better, worse in (
            (64, "requests per second with 64 connections", {"cost": 5}, {"cost": 10}),
            (1000, "p99 with 1000 connections", {"p99": 10}, {"p99": 20}),
        ):
            for site, peer, judgement in ((better, worse, "reached"), (worse, better, "missed")):
                with self.subTest(name=name, judgement=judgement):
                    results = samples.results(
                        {SITE: [sample(**site)] * 3, "h2o": [sample(**peer)] * 3}, connections
                    )
                    self.assertEqual(judgements(results)[f"best {name}, page, gzip"], judgement)

    def test_a_site_that_is_better_in_some_rounds_is_within_the_spread(self):
        # The first site is ahead by the median of all rounds, the second one is not.
        for costs in ((12.8, 12.1, 13.8), (11.1, 9.1, 10.5)):
            with self.subTest(costs=costs):
                results = samples.results(
                    {
                        SITE: [sample(cost) for cost in costs],
                        "nginx": [sample(cost) for cost in (13.1, 11.4, 13.1)],
                        "h2o": [sample(cost) for cost in (20, 10, 10)],
                    }
                )
                name = "best requests per second with 64 connections, page, gzip"
                self.assertEqual(judgements(results)[name], "within the spread")

    def test_baselines_are_not_ranked(self):
        results = samples.results({SITE: [sample(9)], targets.BASELINES[0]: [sample(1)]})
        self.assertEqual([name for name in judgements(results) if name.startswith("best")], [])

    def test_the_idle_limits_include_all_connections(self):
        results = samples.results({})
        results.idle[SITE] = samples.idle(memory=4_000_000, per_connection=15_600, held=10_000)
        connections = "10,000 idle connections: at most 160 MB"
        self.assertEqual(
            judgements(results),
            {"idle memory, this site: at most 5.5 MB": "reached", connections: "reached"},
        )
        results.idle[SITE] = samples.idle(memory=5_500_001, per_connection=15_601, held=10_000)
        self.assertEqual(
            judgements(results),
            {"idle memory, this site: at most 5.5 MB": "missed", connections: "missed"},
        )

    def test_memory_of_10_000_connections_is_not_judged_by_far_fewer(self):
        name = "10,000 idle connections: at most 160 MB"
        for held, each, judgement in (
            (10, 1_000_000, "not measured"),
            (8_999, 10_000, "not measured"),
            (9_000, 10_000, "reached"),
            # 9,900 connections take less than the limit, and 10,000 take more.
            (9_900, 15_701, "missed"),
        ):
            with self.subTest(held=held):
                results = samples.results({})
                results.idle[SITE] = samples.idle(per_connection=each, held=held)
                self.assertEqual(judgements(results)[name], judgement)

    def test_rows_with_other_options_have_limits_of_their_own(self):
        results = samples.results({})
        results.idle[SITE] = samples.idle()
        row = targets.SITE_AT_ORIGIN
        for start, memory, expected in (
            (6.0, 5_500_000, "reached"),
            (6.1, 5_500_001, "missed"),
        ):
            results.idle[row] = samples.idle(starts=[start] * 9, memory=memory)
            found = judgements(results)
            self.assertEqual(found[f"start, {row}: at most 6 ms"], expected)
            self.assertEqual(found[f"idle memory, {row}: at most 5.5 MB"], expected)
        results.idle[row] = samples.idle(starts=[3.0, 4.0, 6.1])
        self.assertEqual(judgements(results)[f"start, {row}: at most 6 ms"], "within the spread")

    def test_start_and_size_are_compared_with_the_best_server(self):
        results = samples.results({})
        results.idle[SITE] = samples.idle(starts=[2.0, 2.0], size=5_000_000)
        results.idle["slow"] = samples.idle(starts=[9.0, 9.0], size=4_000_000)
        results.idle["quick"] = samples.idle(starts=[1.0, 1.0], size=9_000_000)
        found = judgements(results)
        self.assertEqual(found["shortest time from start to first response"], "missed")
        results.idle[SITE] = samples.idle(starts=[0.9, 0.5, 1.1])
        results.idle["quick"] = samples.idle(starts=[1.0, 1.0, 1.0])
        found_with_spread = judgements(results)
        self.assertEqual(
            found_with_spread["shortest time from start to first response"], "within the spread"
        )
        self.assertEqual(found["smallest size with all files that are needed"], "missed")

    def test_the_median_is_written_before_the_minimum_and_maximum(self):
        ratios = [1.5, 0.5, 1.0]
        self.assertEqual(statistics.median(ratios), 1.0)
        self.assertEqual(targets.with_extremes(ratios), "1.00 (0.50 to 1.50)")
