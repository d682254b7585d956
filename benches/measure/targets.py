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
    SITE_AT_ORIGIN: int(LIMITS["IDLE_WITH_ORIGIN_MAX_BYTES"]),
    SITE_WITH_CERTIFICATE: int(LIMITS["IDLE_WITH_CERTIFICATE_MAX_BYTES"]),
}
IDLE_10_000_BYTES_MAX = 160_000_000

START_MILLISECONDS_MAX = {SITE_AT_ORIGIN: 6, SITE_WITH_CERTIFICATE: 10}


@dataclass(frozen=True)
class Verdict:
    """A target, the measured value, and whether the value reaches the target."""

    target: str
    outcome: str
    judgement: str


def judgement_of(is_reached):
    return "reached" if is_reached else "missed"


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
            ratios = results.ratios(SITE, other, workload, 64, "cpu_microseconds")
            if ratios:
                yield Verdict(
                    f"CPU, {results.titles[workload]}: at most {limit:.2f} × {other}",
                    with_extremes(ratios),
                    judgement_of(statistics.median(ratios) <= limit),
                )


def with_extremes(ratios):
    """The median, the minimum and the maximum."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def rankings(results):
    for connections, figure, title, best in (
        (1, "requests_per_second", "requests per second with 1 connection", max),
        (64, "requests_per_second", "requests per second with 64 connections", max),
        (1000, "p99", "p99 with 1000 connections", min),
    ):
        for workload in results.titles:
            verdict = ranking(results, workload, connections, figure, title, best)
            if verdict:
                yield verdict


def ranking(results, workload, connections, figure, title, best):
    """Reached if the median of the site is better than that of all peers. Within the spread
    if the site is better than the best peer in at least one round."""
    medians = {
        server: median
        for server in results.servers()
        if server not in BASELINES
        and (median := results.median(server, workload, connections, figure))
    }
    if SITE not in medians or len(medians) < 2:
        return None
    leader = best(medians, key=medians.get)
    target = f"best {title}, {results.titles[workload]}"
    if leader == SITE:
        return Verdict(target, "best", "reached")
    ratios = results.ratios(SITE, leader, workload, connections, figure)
    is_better_once = best([*ratios, 1]) != 1
    judgement = "within the spread" if is_better_once else "missed"
    return Verdict(target, f"{with_extremes(ratios)} × {leader}", judgement)


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
        is_reached = statistics.median(ratios) <= 1
        judgement = (
            "within the spread" if not is_reached and min(ratios) < 1 else judgement_of(is_reached)
        )
        yield Verdict(
            "shortest time from start to first response",
            f"{with_extremes(ratios)} × {leader}",
            judgement,
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
            start = statistics.median(starts[row])
            yield Verdict(
                f"start, {row}: at most {limit} ms",
                f"{start:.1f} ms",
                judgement_of(start <= limit),
            )
    for row, limit in IDLE_MEMORY_BYTES_MAX.items():
        if row in results.idle:
            idle = results.idle[row]["idle_memory_bytes"]
            yield Verdict(
                f"idle memory, {row}: at most {limit / 1e6:.1f} MB",
                f"{idle / 1e6:.2f} MB",
                judgement_of(idle <= limit),
            )
    held = site["connections_held"]
    total = site["idle_memory_bytes"] + held * site["connection_memory_bytes"]
    yield Verdict(
        f"10,000 idle connections: at most {IDLE_10_000_BYTES_MAX / 1e6:.0f} MB",
        f"{total / 1e6:.0f} MB with {held:,}",
        judgement_of(total <= IDLE_10_000_BYTES_MAX),
    )
