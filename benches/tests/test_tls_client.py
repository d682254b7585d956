"""Figures of handshakes."""

import unittest

from measure import tls_client
from measure.load import RequestsFailed

FIGURES = {
    "requests": 500,
    "microseconds": 250_000,
    "bytes": 500_000,
    "failed": 0,
    "unexpected": 0,
}


class TestSample(unittest.TestCase):
    def test_the_rate_is_per_second_and_the_cost_is_per_handshake(self):
        sample = tls_client.sample(FIGURES, 0.2, 1000)
        self.assertAlmostEqual(sample.requests_per_second, 2000)
        self.assertAlmostEqual(sample.cpu_microseconds, 400)

    def test_failed_and_unexpected_handshakes_and_other_responses_are_failures(self):
        for change in (
            {"requests": 0},
            {"failed": 1},
            {"unexpected": 1},
            {"bytes": 400_000},
            {"bytes": 600_000},
        ):
            with self.subTest(change=change), self.assertRaises(RequestsFailed):
                tls_client.sample({**FIGURES, **change}, 0.2, 1000)
