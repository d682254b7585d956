"""Tables of the comparison over TLS."""

import unittest

import samples
from samples import sample

from measure import h2load, https, https_report, targets, tls_client
from measure.load import Sample
from measure.workloads import Workload

FULL = tls_client.KINDS["full"]
ONE_STREAM = h2load.VARIANTS[1].title
BROTLI = Workload("page-brotli", "page, Brotli", ())


def results(costs):
    """Results of one workload over HTTP/2, with the costs of rounds by server."""
    about = {"tls_seconds": 0.3, "processors": 2}
    collected = samples.results({})
    collected.about.update(about)
    for server, rounds in costs.items():
        for cost in rounds:
            collected.add(server, BROTLI, ONE_STREAM, sample(cost))
        collected.idle[server] = samples.idle(per_connection=rounds[0] * 1024)
    return collected


class TestTables(unittest.TestCase):
    def test_rates_with_several_workers_have_a_column_for_each_load_and_no_mark(self):
        collected = results({targets.SITE: [10]})
        for rate in (1500, 1650, 1700):
            collected.add(targets.SITE, https.EVERY_CPU, FULL, sample(rate=rate))
        headings, [row] = https_report.every_cpu(collected)
        self.assertEqual(headings, ["", "full handshake/s, 2 workers"])
        self.assertEqual(row, ["this site", "1,650 ±9%"])

    def test_rates_with_several_workers_are_ranked_although_the_load_shares_the_processors(self):
        collected = results({})
        for server, rate in ((targets.SITE, 2000), ("h2o", 1000)):
            for _ in range(3):
                collected.add(server, https.EVERY_CPU, FULL, sample(rate=rate))
        [verdict] = https_report.verdicts(collected)
        self.assertEqual(verdict.judgement, "reached")

    def test_the_heading_states_the_connections_and_seconds_of_each_figure(self):
        collected = results({})
        heading = https_report.heading(collected)
        for part in ("of 0.3 s with 64 connections", "p99 of 1 s with 1,000", "one measurement"):
            self.assertIn(part, heading)

    def test_latencies_are_ranked_and_shown_in_milliseconds(self):
        collected = results({targets.SITE: [10], "nginx": [20]})
        for server, latency in ((targets.SITE, 3000), ("nginx", 2000)):
            for _ in range(3):
                collected.add(server, https.MANY, ONE_STREAM, sample(p99=latency))
        _, [row, _] = https_report.latencies(collected)
        self.assertEqual(row[0], targets.SITE)
        self.assertTrue(row[2].startswith("3.0"), row)
        verdicts = {each.target: each for each in https_report.verdicts(collected)}
        verdict = verdicts[f"best p99, {ONE_STREAM}, {https.MANY.title}"]
        self.assertEqual(verdict.judgement, "missed")
        self.assertFalse([each for each in verdicts if "CPU" in each and https.MANY.title in each])

    def test_a_server_without_several_workers_has_no_row(self):
        _, rows = https_report.every_cpu(results({targets.SITE: [10]}))
        self.assertEqual(rows, [])

    def test_the_site_is_ranked_by_processor_time_and_memory(self):
        for costs, judgements in (
            ({targets.SITE: [10, 10, 10], "h2o": [20, 20, 20]}, ["reached", "reached"]),
            ({targets.SITE: [20, 20, 20], "h2o": [10, 10, 10]}, ["missed", "missed"]),
            ({targets.SITE: [20, 20, 9], "h2o": [10, 10, 10]}, ["within the spread", "missed"]),
            ({targets.SITE: [9, 9, 20], "h2o": [10, 10, 10]}, ["within the spread", "reached"]),
        ):
            with self.subTest(costs=costs):
                found = [each.judgement for each in https_report.verdicts(results(costs))]
                self.assertEqual(found, judgements)

    def test_the_baseline_is_not_ranked(self):
        collected = results({targets.SITE: [20], "h2o": [30]})
        collected.add(targets.BARE_TLS, BROTLI, ONE_STREAM, sample(10))
        self.assertTrue(next(https_report.verdicts(collected)).outcome.endswith("× h2o"))

    def test_the_summary_has_a_row_for_every_server(self):
        collected = results({targets.SITE: [20], "h2o": [30]})
        rows = https_report.summary(collected).splitlines()[4:]
        self.assertEqual([row.split(" | ")[0] for row in rows], ["| this site 1.0", "| h2o 1.0"])
        self.assertEqual({row.count("|") for row in rows}, {rows[0].count("|")})

    def test_figures_without_latencies_are_written_without_them(self):
        collected = samples.results({})
        collected.add(targets.SITE, BROTLI, ONE_STREAM, Sample(50_000, 20))
        measured = https_report.as_json(collected)["measured"]
        columns = measured[targets.SITE][BROTLI.key][ONE_STREAM]
        self.assertEqual(columns, {"requests_per_second": [50_000], "cpu_microseconds": [20]})
