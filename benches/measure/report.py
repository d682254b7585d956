"""Medians, ratios and tables."""

import statistics

from measure.build import ROOT

RESULTS = ROOT / "benches/results/peers.md"

UNSATURATED = "*"


def markdown(headings, rows):
    lines = [headings, ["---", *["---:"] * (len(headings) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def with_spread(values):
    """The median, and the largest deviation of a round from it."""
    median = statistics.median(values)
    deviation = max(abs(value - median) for value in values) / median
    spread = f" ±{deviation:.0%}" if len(values) > 1 else ""
    return f"{median:,.1f}{spread}"


def is_saturated(samples):
    """True unless the server waited for the load in most rounds. Such a server is better than its
    figures, because a wait costs processor time."""
    return statistics.median(sample.is_saturated for sample in samples if sample) > 0


def cell(samples):
    """The figure of the rounds, of which those that failed are None."""
    counted = [sample.microseconds for sample in samples if sample]
    if not counted:
        return "failed"
    mark = "" if is_saturated(samples) else UNSATURATED
    share = f" ({len(counted)} of {len(samples)})" if len(counted) < len(samples) else ""
    return with_spread(counted) + mark + share


def median_cell(samples):
    """The median of the rounds alone; empty if all failed."""
    counted = [sample.microseconds for sample in samples if sample]
    return f"{statistics.median(counted):,.1f}" if counted else ""


def ratio_cell(samples, reference):
    """The ratios to another server round by round, because other work of the machine affects both
    servers of a round: median, least and most. Empty if one of them was not saturated."""
    pairs = [(one, other) for one, other in zip(samples, reference) if one and other]
    if not pairs or not is_saturated(samples) or not is_saturated(reference):
        return ""
    ratios = [one.microseconds / other.microseconds for one, other in pairs]
    extremes = f" ({min(ratios):.2f} to {max(ratios):.2f})" if len(ratios) > 1 else ""
    return f"{statistics.median(ratios):.2f}{extremes}"
