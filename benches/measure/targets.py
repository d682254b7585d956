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


@dataclass(frozen=True)
class Verdict:
    """One target: what was wanted, what came out."""

    target: str
    outcome: str
    reached: bool


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
            figure = (workload, 64, "cpu_microseconds")
            # Round by round: what disturbs the machine disturbs both of a round.
            rounds = zip(results.values(SITE, *figure), results.values(other, *figure))
            ratios = [mine / theirs for mine, theirs in rounds]
            if ratios:
                ratio = statistics.median(ratios)
                yield Verdict(
                    f"CPU, {results.titles[workload]}: at most {most:.2f} × {other}",
                    f"{ratio:.2f}",
                    ratio <= most,
                )


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
    """Whether the site is the best of the peers, or within the spread."""
    rounds = {
        server: values
        for server in results.servers()
        if server not in YARDSTICKS
        and (values := results.values(server, workload, connections, figure))
    }
    if SITE not in rounds or len(rounds) < 2:
        return None
    medians = {server: statistics.median(values) for server, values in rounds.items()}
    leader = best(medians, key=medians.get)
    # Within the spread: not behind the leader's own worst round.
    worst = min(rounds[leader]) if best is max else max(rounds[leader])
    reached = best(medians[SITE], worst) == medians[SITE]
    outcome = "first" if leader == SITE else f"{medians[SITE] / medians[leader]:.2f} × {leader}"
    return Verdict(f"first in {title}, {results.titles[workload]}", outcome, reached)


def standing(results):
    mine = results.standing.get(SITE)
    if not mine:
        return
    others = {
        name: figures
        for name, figures in results.standing.items()
        if name not in (SITE, SITE_AT_ORIGIN)
    }
    for key, title, unit in (
        ("start_milliseconds", "first to answer after its start", "ms"),
        ("size_bytes", "smallest with all that it needs", "bytes"),
    ):
        if others:
            leader = min(others, key=lambda name: others[name][key])
            outcome = f"{mine[key]:.5g} {unit}; {leader} {others[leader][key]:.5g}"
            yield Verdict(title, outcome, mine[key] <= others[leader][key])
    idle, each = mine["idle_memory_bytes"], mine["connection_memory_bytes"]
    yield Verdict(
        f"idle memory: at most {IDLE_MEMORY_BYTES_MAX / 1e6:.0f} MB",
        f"{idle / 1e6:.2f} MB",
        idle <= IDLE_MEMORY_BYTES_MAX,
    )
    all_of_them = idle + 10_000 * each
    yield Verdict(
        f"10,000 idle connections: at most {IDLE_10_000_BYTES_MAX / 1e6:.0f} MB",
        f"{all_of_them / 1e6:.0f} MB",
        all_of_them <= IDLE_10_000_BYTES_MAX,
    )
