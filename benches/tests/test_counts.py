"""Counts that have grown."""

import unittest

from measure import counts


def counted(instructions, allocations=2.0):
    return {"page": {"instructions": instructions, "allocations": allocations}}


class TestGrown(unittest.TestCase):
    def test_only_a_growth_of_more_than_3_percent_is_reported(self):
        for now, reported in (
            (counted(1000), 0),
            (counted(1030), 0),
            (counted(1031), 1),
            (counted(900), 0),
            (counted(1000, 3.0), 1),
            (counted(1031, 2.1), 2),
        ):
            with self.subTest(now=now):
                self.assertEqual(len(counts.grown(now, counted(1000))), reported)

    def test_a_count_that_is_not_recorded_is_reported(self):
        self.assertEqual(len(counts.grown(counted(1000), {})), 2)

    def test_an_allocation_where_there_was_none_is_reported(self):
        self.assertEqual(len(counts.grown(counted(1000, 0.1), counted(1000, 0))), 1)


class TestFeatures(unittest.TestCase):
    def test_the_features_by_which_code_is_chosen_are_named(self):
        for flags, features in (
            ("fpu erms avx2 fsrm", ["avx2", "erms"]),
            ("fpu avx avx512f", []),
            ("fpu erms", ["erms"]),
        ):
            with self.subTest(flags=flags):
                text = f"model name\t: AMD EPYC\nflags\t\t: {flags}\nbugs\t\t:\n"
                self.assertEqual(counts.features_of(text), features)
