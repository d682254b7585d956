"""Load by wrk, and the processor time that a server uses for it."""

import json
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from measure import processes

SCRIPT = Path(__file__).with_name("wrk.lua")
TIMEOUT_SECONDS = 60

# The average size of a response may differ by this share from the expected one: a run can end
# within a sequence of requests, with fewer of the longer responses.
SIZE_TOLERANCE = 0.05


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
    response_bytes: float
    is_error: bool = False


def of(requests, port):
    """The Load of `requests`, whose statuses are either all errors or none. The server on `port`
    provides validators and the expected size of a response."""
    return Load(
        requests=[(each.path, each.for_server(port)) for each in requests],
        response_bytes=statistics.mean(len(each.response(port).raw) for each in requests),
        is_error=requests[0].status >= 400,
    )


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
        output = output_of(command)
        spent = processes.cpu_seconds(pid) - before
    line = next(line for line in output.splitlines() if line.startswith("figures: "))
    figures = json.loads(line.removeprefix("figures: "))
    check(figures, traffic, connections)
    latencies = {name: figures[name] for name in ("p50", "p99", "p999")}
    return sample(figures["requests"], figures["microseconds"] / 1e6, spent, **latencies)


def output_of(command):
    """What wrk prints. Raises RequestsFailed if it fails or does not end."""
    try:
        wrk = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as expired:
        raise RequestsFailed(f"wrk did not end within {TIMEOUT_SECONDS} s") from expired
    if wrk.returncode:
        reason = " ".join(wrk.stderr.split())
        raise RequestsFailed(f"wrk ended with exit code {wrk.returncode}: {reason}")
    return wrk.stdout


def check(figures, traffic, connections):
    """Raises RequestsFailed if the `figures` of wrk are not those of the expected responses."""
    requests = figures["requests"]
    if figures["failed"] or not requests:
        raise RequestsFailed(f"{figures['failed']} failed, {requests} answered")
    unexpected = abs(figures["errors"] - requests * traffic.is_error)
    if unexpected:
        raise RequestsFailed(f"{unexpected} answered with an unexpected status")
    # At the end of the run, each connection has at most one response in progress.
    check_size(figures["bytes"], (requests, requests + connections), [traffic.response_bytes])


def check_size(received, numbers, sizes, tolerance=SIZE_TOLERANCE):
    """Raises RequestsFailed unless the bytes that were received are those of a number of responses
    with an average size, both of which are given by their limits."""
    least = min(numbers) * min(sizes) * (1 - tolerance)
    most = max(numbers) * max(sizes) * (1 + tolerance)
    if not least <= received <= most:
        raise RequestsFailed(f"{received:,} bytes instead of {least:,.0f} to {most:,.0f}")


def sample(requests, seconds, spent, **latencies):
    """The Sample of a number of responses in a time, for which the server `spent` seconds of
    processor time. Raises RequestsFailed if it spent none."""
    if spent <= 0:
        raise RequestsFailed("the server spent no processor time, so it has not answered")
    return Sample(
        requests_per_second=requests / seconds,
        cpu_microseconds=spent / requests * 1e6,
        **latencies,
    )
