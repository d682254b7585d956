"""Tables, spreads and the mark for an unsaturated server."""

import unittest

import samples
from samples import PAGE, sample

from measure import chart, report
from measure.load import RequestsFailed


class TestSpread(unittest.TestCase):
    def test_the_spread_is_the_largest_deviation_from_the_median(self):
        for values, digits, text in (
            ([], 1, ""),
            ([7.25], 1, "7.2"),
            ([10, 10], 0, "10 ±0%"),
            ([10, 12, 16], 1, "12.0 ±33%"),
            ([1000, 2000, 2100], 0, "2,000 ±50%"),
        ):
            with self.subTest(values=values):
                self.assertEqual(report.with_spread(values, digits), text)


class TestCell(unittest.TestCase):
    def test_every_figure_of_a_server_that_the_load_did_not_saturate_is_marked(self):
        waiting, busy = sample(cost=10, rate=90_000), sample(cost=10, rate=100_000)
        results = samples.results({"a": [waiting] * 3, "b": [busy] * 3})
        for figure, text in (("cpu_microseconds", "10 ±0%"), ("p99", "2,000 ±0%")):
            with self.subTest(figure=figure):
                self.assertEqual(report.cell(results, "a", PAGE.key, 64, figure, 0), f"{text}*")
                self.assertEqual(report.cell(results, "b", PAGE.key, 64, figure, 0), text)

    def test_the_number_of_rounds_is_shown_if_some_failed(self):
        results = samples.results({"a": [sample(), RequestsFailed("all"), RequestsFailed("all")]})
        text = report.cell(results, "a", PAGE.key, 64, "cpu_microseconds", 1)
        self.assertEqual(text, "10.0 (1 of 3)")

    def test_a_cell_without_figures_is_empty(self):
        results = samples.results({"a": [RequestsFailed("all")]})
        self.assertEqual(report.cell(results, "a", PAGE.key, 64, "p99", 1), "")


class TestTables(unittest.TestCase):
    def test_the_first_column_is_aligned_to_the_left_and_the_others_to_the_right(self):
        text = report.table(["", "ms"], [["a", "1.5"], ["long", "10"]])
        self.assertEqual(text.splitlines(), ["       ms", "a     1.5", "long   10"])

    def test_markdown_has_a_line_below_the_headings(self):
        text = report.markdown(["", "ms"], [["a", "1"]])
        self.assertEqual(text.splitlines(), ["|  | ms |", "| --- | ---: |", "| a | 1 |"])

    def test_latencies_are_shown_in_milliseconds_for_the_largest_number_of_connections(self):
        results = samples.results({"a": [sample(p99=2500)]}, connections=1000)
        results.add("a", PAGE, 64, sample(p99=100))
        headings, rows = report.measured(results, PAGE.key)
        self.assertEqual(rows[0][headings.index("p99 ms at 1000")], "2.50")

    def test_latencies_have_the_mark_of_their_number_of_connections(self):
        waiting = sample(cost=10, rate=50_000, p99=18_400)
        results = samples.results({"a": [waiting] * 3}, connections=1000)
        headings, [row] = report.measured(results, PAGE.key)
        self.assertEqual(row[headings.index("p99 ms at 1000")], "18.40 ±0%*")
        self.assertIn("18.4 ±0%*", report.summary(results))

    def test_the_heading_tells_medians_from_single_measurements(self):
        heading = report.heading(samples.results({}))
        for part in ("3 rounds of 1 s", "9 starts", "one measurement"):
            self.assertIn(part, heading)

    def test_the_summary_has_a_row_for_every_server_with_figures(self):
        results = samples.results({"a": [sample()]})
        results.idle["b"] = samples.idle()
        rows = report.summary(results).splitlines()[4:]
        self.assertEqual([row.split(" | ")[0] for row in rows], ["| a", "| b 1.0"])
        self.assertEqual({row.count("|") for row in rows}, {rows[0].count("|")})


class TestChart(unittest.TestCase):
    def test_the_longest_bar_has_the_full_width_and_the_others_are_proportional(self):
        results = samples.results({"a": [sample(cost=10)], "b": [sample(cost=40)]})
        results.add("a", samples.PAGE, 1000, sample(p99=1000))
        results.idle["a"] = samples.idle()
        panels = {title: values for title, _, values in chart.panels(results)}
        self.assertIn({"a": 10, "b": 40}, panels.values())
        full = chart.WIDTH - chart.LABEL - chart.VALUE - 2 * chart.MARGIN
        results.titles["not-modified"] = "304"
        results.samples["a"]["not-modified"] = results.samples["a"][PAGE.key]
        picture = chart.svg(results)
        self.assertIn(f'width="{full:.1f}"', picture)
        self.assertIn(f'width="{full / 4:.1f}"', picture)
