"""Load by wrk, and what the server spends on it."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from measure import processes

SCRIPT = Path(__file__).with_name("wrk.lua")
TIMEOUT_SECONDS = 60


# Answers that are counted may be this much shorter than the one that was
# checked: requests that are sent in turn do not end with the last of a round.
SHORTER_MAX = 0.05


class RequestsFailed(Exception):
    """A server left requests without an answer, or answered less."""


@dataclass(frozen=True)
class Sample:
    """One run of one workload against one server."""

    requests_per_second: float
    cpu_microseconds: float
    p50: float
    p99: float
    p999: float

    FIGURES = ("requests_per_second", "cpu_microseconds", "p50", "p99", "p999")


@dataclass(frozen=True)
class Load:
    """Requests, pairs of a path and its fields, that are sent in turn; what is
    right to come back: bytes an answer on average, and a status of 400 or above."""

    requests: list
    answer_bytes: float = 0
    is_refused: bool = False


def run(port, pid, asked, connections, seconds):
    """Sends what is `asked`, a Load, for so many whole seconds, which is all that
    wrk counts in. Latencies are in microseconds."""
    command = ["wrk", "--threads", "1", "--connections", str(connections)]
    command += ["--duration", f"{seconds}s", "--timeout", "10s", "--script", str(SCRIPT)]
    with tempfile.NamedTemporaryFile("w", suffix=".requests") as file:
        for path, fields in asked.requests:
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
    wrongly = abs(figures["refused"] - figures["requests"] * asked.is_refused)
    if wrongly:
        raise RequestsFailed(f"{wrongly} answered with another status than before")
    # What was under way at the end makes it more.
    if figures["bytes"] / figures["requests"] < asked.answer_bytes * (1 - SHORTER_MAX):
        raise RequestsFailed("answers are shorter than before")
    return Sample(
        requests_per_second=figures["requests"] / figures["microseconds"] * 1e6,
        cpu_microseconds=spent / figures["requests"] * 1e6,
        p50=figures["p50"],
        p99=figures["p99"],
        p999=figures["p999"],
    )
