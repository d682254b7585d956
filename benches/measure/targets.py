"""Targets for the site: ratios to other servers within one run, and limits."""

import re
import statistics
from dataclasses import dataclass

from measure import products

SITE = "this site"
# Compared only when idle: its pages are rendered at start.
SITE_AT_ORIGIN = "this site, --origin"
SITE_WITH_CERTIFICATE = "this site, certificate"
BARE_TLS = "bare TLS"
BARE_SOCKET = "bare socket"
BARE_HYPER = "bare hyper"
BASELINES = (BARE_SOCKET, BARE_HYPER, BARE_TLS)
ROWS_OF_THE_SITE = (SITE, SITE_AT_ORIGIN, SITE_WITH_CERTIFICATE)

SMALL_RESPONSES = ("page-gzip", "page-brotli", "not-modified", "not-found")

# Maximum CPU time per request, as a multiple of that of another server.
CPU_RATIOS = {BARE_SOCKET: 1.15, BARE_HYPER: 1.10, "nginx": 0.75, "h2o": 1.0, "lighttpd": 1.0}

# The limits that the test of the release file sets, by name.
FILE_TEST = (products.ROOT / "tests/shipping/file").read_text()
LIMITS = dict(re.findall(r"^(\w+_MAX_BYTES)=(\d+)$", FILE_TEST, re.MULTILINE))

IDLE_MEMORY_BYTES_MAX = {
    SITE: int(LIMITS["IDLE_MAX_BYTES"]),
    SITE_AT_ORIGIN: int(LIMITS["IDLE_MAX_BYTES"]),
    SITE_WITH_CERTIFICATE: int(LIMITS["IDLE_WITH_CERTIFICATE_MAX_BYTES"]),
}
IDLE_CONNECTIONS = 10_000
IDLE_CONNECTIONS_BYTES_MAX = 160_000_000
# With fewer connections, the memory of one is not that of one of IDLE_CONNECTIONS.
HELD_MIN = 9_000

START_MILLISECONDS_MAX = {SITE_AT_ORIGIN: 6, SITE_WITH_CERTIFICATE: 10}


@dataclass(frozen=True)
class Verdict:
    """A target, the measured value, and whether the value reaches the target."""

    target: str
    outcome: str
    judgement: str


def judgement_of(is_reached):
    return "reached" if is_reached else "missed"


def judgement_of_rounds(values, limit=1, best=min):
    """Reached if the value of every round is at the limit or better, missed if every one is
    worse. A difference within the spread is no result (DECISION-41), and neither is one round."""
    if len(values) < 2:
        return "one round"
    reached = [best(value, limit) == value for value in values]
    if any(reached) and not all(reached):
        return "within the spread"
    return judgement_of(all(reached))


def judge(results):
    """A verdict for each target whose figures were measured."""
    return [
        *cpu(results),
        *rankings(results),
        *idle(results),
    ]


def cpu(results):
    for workload in SMALL_RESPONSES:
        for other, limit in CPU_RATIOS.items():
            cell = (workload, 64, "cpu_microseconds")
            if is_comparable(results, other, cell):
                target = f"CPU, {results.titles[workload]}: at most {limit:.2f} × {other}"
                yield comparison(results, target, other, cell, limit)


def is_comparable(results, other, cell):
    """True if another server was measured in a round of the site, and sent equal responses."""
    is_equal = cell[0] not in results.uncompressed.get(other, ())
    return is_equal and bool(results.ratios(SITE, other, *cell))


def comparison(results, target, other, cell, limit=1, best=min, has_processor=True):
    """The verdict on the ratios of the site to another server. A server that waited for the load
    is better than its figures: being ahead of them reaches nothing, and being behind with them
    misses nothing. `has_processor` is false if the load shares the processors of the servers."""
    ratios = results.ratios(SITE, other, *cell)
    judgement = judgement_of_rounds(ratios, limit, best)
    decisive = {"reached": other, "missed": SITE}.get(judgement)
    if decisive and has_processor and not results.is_saturated(decisive, *cell[:2]):
        judgement = "not saturated"
    return Verdict(target, f"{with_extremes(ratios)} × {other}", judgement)


def with_extremes(values, digits=2):
    """The median, the minimum and the maximum."""
    median, *extremes = (
        f"{value:.{digits}f}" for value in (statistics.median(values), min(values), max(values))
    )
    return f"{median} ({' to '.join(extremes)})"


def rankings(results):
    for connections, figure, title, best in (
        (64, "requests_per_second", "requests per second with 64 connections", max),
        (1000, "p99", "p99 with 1000 connections", min),
    ):
        for workload in results.titles:
            verdict = ranking(results, workload, connections, figure, title, best)
            if verdict:
                yield verdict


def ranking(results, workload, connections, figure, title, best, has_processor=True):
    """The verdict on the comparison with the best of the other servers by the median."""
    cell = (workload, connections, figure)
    medians = {
        server: results.median(server, *cell)
        for server in results.servers()
        if server not in (SITE, *BASELINES) and is_comparable(results, server, cell)
    }
    if not medians:
        return None
    leader = best(medians, key=medians.get)
    target = f"best {title}, {results.titles[workload]}"
    return comparison(results, target, leader, cell, best=best, has_processor=has_processor)


def idle(results):
    site = results.idle.get(SITE)
    if not site:
        return
    others = {
        name: figures for name, figures in results.idle.items() if name not in ROWS_OF_THE_SITE
    }
    starts = {name: figures["start_milliseconds"] for name, figures in results.idle.items()}
    if others:
        leader = min(others, key=lambda name: statistics.median(starts[name]))
        ratios = [one / other for one, other in zip(starts[SITE], starts[leader])]
        yield Verdict(
            "shortest time from start to first response",
            f"{with_extremes(ratios)} × {leader}",
            judgement_of_rounds(ratios),
        )
        leader = min(others, key=lambda name: others[name]["size_bytes"])
        sizes = [figures["size_bytes"] / 1e6 for figures in (site, others[leader])]
        yield Verdict(
            "smallest size with all files that are needed",
            f"{sizes[0]:.2f} MB; {leader} {sizes[1]:.2f}",
            judgement_of(sizes[0] <= sizes[1]),
        )
    for row, limit in START_MILLISECONDS_MAX.items():
        if row in starts:
            yield Verdict(
                f"start, {row}: at most {limit} ms",
                f"{with_extremes(starts[row], 1)} ms",
                judgement_of_rounds(starts[row], limit),
            )
    for row, limit in IDLE_MEMORY_BYTES_MAX.items():
        if row in results.idle:
            idle = results.idle[row]["idle_memory_bytes"]
            yield Verdict(
                f"idle memory, {row}: at most {limit / 1e6:.1f} MB",
                f"{idle / 1e6:.2f} MB",
                judgement_of(idle <= limit),
            )
    held, each = site["connections_held"], site["connection_memory_bytes"]
    total = site["idle_memory_bytes"] + IDLE_CONNECTIONS * each
    yield Verdict(
        f"{IDLE_CONNECTIONS:,} idle connections: at most {IDLE_CONNECTIONS_BYTES_MAX / 1e6:.0f} MB",
        f"{total / 1e6:.0f} MB, by {held:,}",
        judgement_of(total <= IDLE_CONNECTIONS_BYTES_MAX) if held >= HELD_MIN else "not measured",
    )
