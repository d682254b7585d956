"""Tables, spreads and the mark for an unsaturated server."""

import unittest

import samples
from samples import PAGE, sample

from measure import chart, report


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


class TestMark(unittest.TestCase):
    def test_a_server_that_is_busy_for_less_than_95_percent_of_the_time_is_marked(self):
        for rate, cost, mark in (
            (100_000, 10.0, ""),
            (95_000, 10.0, ""),
            (94_000, 10.0, report.UNSATURATED),
        ):
            with self.subTest(rate=rate):
                results = samples.results({"a": [sample(rate=rate, cost=cost)]})
                self.assertEqual(report.mark(results, "a", PAGE.key, 64), mark)

    def test_a_server_without_figures_is_not_marked(self):
        self.assertEqual(report.mark(samples.results({}), "a", PAGE.key, 64), "")


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
