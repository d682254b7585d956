"""Load by wrk, and the processor time that a server uses for it."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from measure import processes

SCRIPT = Path(__file__).with_name("wrk.lua")
TIMEOUT_SECONDS = 60

# The average response may be shorter by this share than expected: a run can end within a
# sequence of requests, with fewer of the longer responses.
SHORTER_MAX = 0.05


class RequestsFailed(Exception):
    """Requests without a response, or with an unexpected response."""


@dataclass(frozen=True)
class Sample:
    """The figures of one run: one workload against one server. Times are in
    microseconds."""

    requests_per_second: float
    cpu_microseconds: float
    p50: float = None
    p99: float = None
    p999: float = None

    FIGURES = ("requests_per_second", "cpu_microseconds", "p50", "p99", "p999")


@dataclass(frozen=True)
class Load:
    """Requests that are sent in turn, each a path and its fields; the average size of
    their responses in bytes; true if their status is 400 or above."""

    requests: list
    response_bytes: float = 0
    is_error: bool = False


def run(port, pid, traffic, connections, seconds, threads=1):
    """Sends a Load for `seconds`, a whole number; returns a Sample. Raises
    RequestsFailed."""
    command = ["wrk", "--threads", str(threads), "--connections", str(connections)]
    command += ["--duration", f"{seconds}s", "--timeout", "10s", "--script", str(SCRIPT)]
    with tempfile.NamedTemporaryFile("w", suffix=".requests") as file:
        for path, fields in traffic.requests:
            lines = [path, *(f"{name}: {value}" for name, value in fields.items())]
            file.write("\n".join(lines) + "\n\n")
        file.flush()
        command += [f"http://127.0.0.1:{port}", "--", file.name]
        before = processes.cpu_seconds(pid)
        output = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True
        ).stdout
        spent = processes.cpu_seconds(pid) - before
    line = next(line for line in output.splitlines() if line.startswith("figures: "))
    figures = json.loads(line.removeprefix("figures: "))
    if figures["failed"] or not figures["requests"]:
        raise RequestsFailed(f"{figures['failed']} failed, {figures['requests']} answered")
    unexpected = abs(figures["errors"] - figures["requests"] * traffic.is_error)
    if unexpected:
        raise RequestsFailed(f"{unexpected} answered with an unexpected status")
    # Responses in progress at the end of the run only increase the average.
    if figures["bytes"] / figures["requests"] < traffic.response_bytes * (1 - SHORTER_MAX):
        raise RequestsFailed("responses are shorter than expected")
    return Sample(
        requests_per_second=figures["requests"] / figures["microseconds"] * 1e6,
        cpu_microseconds=spent / figures["requests"] * 1e6,
        p50=figures["p50"],
        p99=figures["p99"],
        p999=figures["p999"],
    )
