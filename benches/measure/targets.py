"""What the site set out to reach beside its peers, as ratios within one run."""

import statistics
from dataclasses import dataclass

SITE = "this site"
# Beside the peers at rest alone: its pages are made at start.
SITE_AT_ORIGIN = "this site, --origin"
FLOOR = "bare socket"
HYPER = "bare hyper"
YARDSTICKS = (FLOOR, HYPER)

SMALL_ANSWERS = ("page-gzip", "page-brotli", "not-modified", "not-found")

# The highest CPU time a request, as a multiple of another's.
CPU_RATIOS = {FLOOR: 1.15, HYPER: 1.10, "nginx": 0.75, "h2o": 1.0, "lighttpd": 1.0}

IDLE_MEMORY_BYTES_MAX = 4_000_000
IDLE_10_000_BYTES_MAX = 160_000_000


# With settings of its own, which are rendered at start.
START_AT_ORIGIN_MILLISECONDS_MAX = 60


@dataclass(frozen=True)
class Verdict:
    """One target: what was wanted, what came out, and whether that reaches it."""

    target: str
    outcome: str
    judgement: str


def judged(is_reached):
    return "reached" if is_reached else "missed"


def judge(results):
    """A verdict for each target whose figures were measured."""
    return [
        *cpu(results),
        *firsts(results),
        *standing(results),
    ]


def cpu(results):
    for workload in SMALL_ANSWERS:
        for other, most in CPU_RATIOS.items():
            ratios = results.ratios(SITE, other, workload, 64, "cpu_microseconds")
            if ratios:
                yield Verdict(
                    f"CPU, {results.titles[workload]}: at most {most:.2f} × {other}",
                    shown(ratios),
                    judged(statistics.median(ratios) <= most),
                )


def shown(ratios):
    """The median of the rounds' ratios, and the lowest and highest."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def firsts(results):
    for connections, figure, title, best in (
        (1, "requests_per_second", "requests a second on 1 connection", max),
        (64, "requests_per_second", "requests a second on 64 connections", max),
        (1000, "p99", "p99 at 1000 connections", min),
    ):
        for workload in results.titles:
            verdict = first(results, workload, connections, figure, title, best)
            if verdict:
                yield verdict


def first(results, workload, connections, figure, title, best):
    """Whether the site is the best of the peers, or within the spread: ahead of
    the best in at least one round."""
    medians = {
        server: median
        for server in results.servers()
        if server not in YARDSTICKS
        and (median := results.median(server, workload, connections, figure))
    }
    if SITE not in medians or len(medians) < 2:
        return None
    leader = best(medians, key=medians.get)
    target = f"first in {title}, {results.titles[workload]}"
    if leader == SITE:
        return Verdict(target, "first", "reached")
    ratios = results.ratios(SITE, leader, workload, connections, figure)
    is_ahead_once = best([*ratios, 1]) != 1
    judgement = "within the spread" if is_ahead_once else "missed"
    return Verdict(target, f"{shown(ratios)} × {leader}", judgement)


def standing(results):
    mine = results.standing.get(SITE)
    if not mine:
        return
    others = {
        name: figures
        for name, figures in results.standing.items()
        if name not in (SITE, SITE_AT_ORIGIN)
    }
    starts = {name: figures["start_milliseconds"] for name, figures in results.standing.items()}
    if others:
        leader = min(others, key=lambda name: statistics.median(starts[name]))
        ratios = [one / other for one, other in zip(starts[SITE], starts[leader])]
        yield Verdict(
            "first to answer after its start",
            f"{shown(ratios)} × {leader}",
            "reached" if statistics.median(ratios) <= 1
            else "within the spread" if min(ratios) < 1
            else "missed",
        )
        leader = min(others, key=lambda name: others[name]["size_bytes"])
        sizes = [figures["size_bytes"] / 1e6 for figures in (mine, others[leader])]
        yield Verdict(
            "smallest with all that it needs",
            f"{sizes[0]:.2f} MB; {leader} {sizes[1]:.2f}",
            judged(sizes[0] <= sizes[1]),
        )
    if SITE_AT_ORIGIN in starts:
        start = statistics.median(starts[SITE_AT_ORIGIN])
        yield Verdict(
            f"start with --origin: at most {START_AT_ORIGIN_MILLISECONDS_MAX} ms",
            f"{start:.1f} ms",
            judged(start <= START_AT_ORIGIN_MILLISECONDS_MAX),
        )
    idle = mine["idle_memory_bytes"]
    yield Verdict(
        f"idle memory: at most {IDLE_MEMORY_BYTES_MAX / 1e6:.0f} MB",
        f"{idle / 1e6:.2f} MB",
        judged(idle <= IDLE_MEMORY_BYTES_MAX),
    )
    held = mine["connections_held"]
    all_of_them = idle + held * mine["connection_memory_bytes"]
    yield Verdict(
        f"10,000 idle connections: at most {IDLE_10_000_BYTES_MAX / 1e6:.0f} MB",
        f"{all_of_them / 1e6:.0f} MB with {held:,}",
        judged(all_of_them <= IDLE_10_000_BYTES_MAX),
    )
