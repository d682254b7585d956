"""Results with known figures, for the tests."""

from measure.load import Sample
from measure.results import Results
from measure.workloads import Workload

PAGE = Workload("page-gzip", "page, gzip", ())

ABOUT = {
    "date": "2026-11-21",
    "machine": "2 × CPU",
    "kernel": "Linux 6",
    "commit": "0123456789ab",
    "rounds": 3,
    "seconds": 1,
    "starts": 9,
}


def sample(cost=10.0, rate=None, p99=2000.0):
    """One round: microseconds of CPU, requests per second, microseconds of latency. Without a rate,
    the server was busy all the time."""
    return Sample(rate or 1e6 / cost, cost, p99 / 2, p99, p99 * 2)


def results(rounds, connections=64, workload=PAGE):
    """Results with the given rounds, a list by name of the server."""
    collected = Results(dict(ABOUT))
    for server, samples in rounds.items():
        for each in samples:
            collected.add(server, workload, connections, each)
    return collected


def idle(starts=(2.0, 2.0), memory=3_000_000, per_connection=10_000.0, held=10_000, size=5_000_000):
    """The figures of an idle server: milliseconds and bytes."""
    return {
        "version": "1.0",
        "start_milliseconds": starts,
        "idle_memory_bytes": memory,
        "connection_memory_bytes": per_connection,
        "connections_held": held,
        "first_visit_bytes": 100_000,
        "size_bytes": size,
    }
