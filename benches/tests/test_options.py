"""Values of options."""

import argparse
import unittest

from measure import options


class TestAboveZero(unittest.TestCase):
    def test_a_number_of_rounds_is_above_zero(self):
        self.assertEqual(options.above_zero("1"), 1)
        for text in ("0", "-1", "1.5", "many"):
            with self.subTest(text=text), self.assertRaisesRegex(argparse.ArgumentTypeError, text):
                options.above_zero(text)
