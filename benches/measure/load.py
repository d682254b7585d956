"""Load by wrk, and what the server spends on it."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from measure import processes

SCRIPT = Path(__file__).with_name("wrk.lua")
TIMEOUT_SECONDS = 60


class RequestsFailed(Exception):
    """A server left requests without an answer."""


@dataclass(frozen=True)
class Sample:
    """One run of one workload against one server."""

    requests_per_second: float
    cpu_microseconds: float
    p50: float
    p99: float
    p999: float

    FIGURES = ("requests_per_second", "cpu_microseconds", "p50", "p99", "p999")


def run(port, pid, requests, connections, seconds):
    """Sends `requests`, pairs of a path and its fields, in turn for so many
    whole seconds, which is all that wrk counts in. Latencies are in microseconds."""
    arguments = [
        "\n".join([path, *(f"{name}: {value}" for name, value in fields.items())])
        for path, fields in requests
    ]
    command = ["wrk", "--threads", "1", "--connections", str(connections)]
    command += ["--duration", f"{seconds}s", "--timeout", "10s", "--script", str(SCRIPT)]
    command += [f"http://127.0.0.1:{port}", "--", *arguments]
    before = processes.cpu_seconds(pid)
    output = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True
    ).stdout
    spent = processes.cpu_seconds(pid) - before
    line = next(line for line in output.splitlines() if line.startswith("figures: "))
    figures = json.loads(line.removeprefix("figures: "))
    if figures["failed"] or not figures["requests"]:
        raise RequestsFailed(f"{figures['failed']} failed, {figures['requests']} answered")
    return Sample(
        requests_per_second=figures["requests"] / figures["microseconds"] * 1e6,
        cpu_microseconds=spent / figures["requests"] * 1e6,
        p50=figures["p50"],
        p99=figures["p99"],
        p999=figures["p999"],
    )
