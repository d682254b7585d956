"""Load by h2load over TLS, with HTTP/2 or HTTP/1.1."""

import math
import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass

from measure import load, processes

CONNECTIONS = 64
WARM_UP_MILLISECONDS = 150
# Enough for the handshakes of MANY_CONNECTIONS with any of the servers.
LONG_WARM_UP_MILLISECONDS = 1_500
MANY_CONNECTIONS = 1_000
TIMEOUT_SECONDS = 30

# With several files, the average content may be shorter by this share than expected: a run can
# end before the larger files were requested as often as the others.
SHORTER_MAX_OF_SEVERAL = 0.2

# The share of each status may differ by this from the expected one: a run can begin and end
# within a sequence of requests.
SHARE_TOLERANCE = 0.1

BEGIN, END = "Main benchmark duration is started", "Main benchmark duration is over"


@dataclass(frozen=True)
class Variant:
    """A protocol, the number of concurrent requests of a connection, and that of connections."""

    title: str
    arguments: tuple
    connections: int = CONNECTIONS
    warm_up_milliseconds: int = WARM_UP_MILLISECONDS


VARIANTS = (
    Variant("HTTP/1.1", ("--h1",)),
    Variant("HTTP/2, 1 stream", ("-m", "1")),
    Variant("HTTP/2, 10 streams", ("-m", "10")),
)

# For latencies. With one stream, a request waits only for those of other connections.
MANY = tuple(
    Variant(each.title, each.arguments, MANY_CONNECTIONS, LONG_WARM_UP_MILLISECONDS)
    for each in VARIANTS[:2]
)


@dataclass(frozen=True)
class Traffic:
    """Paths that are requested in turn, the fields of all requests, the expected statuses, and
    the average size of the contents in bytes."""

    paths: list
    fields: dict
    statuses: list
    content_bytes: float


@dataclass(frozen=True)
class Output:
    """The figures that h2load prints. `done` counts the responses that ended in the measured time,
    `errored` those without a status, and `classes` those that began, by the first digit of the
    status. `content_bytes` is the size of all contents."""

    done: int
    errored: int
    classes: dict
    content_bytes: int


def run(port, pid, traffic, variant, seconds, cpus=processes.LOAD_CPUS):
    """Sends the traffic; returns a Sample. Raises RequestsFailed."""
    # Without stdbuf, h2load would buffer the lines BEGIN and END until it ends.
    command = ["stdbuf", "-oL", "h2load", "-t", str(len(cpus)), "-c", str(variant.connections)]
    command += ["--warm-up-time", f"{variant.warm_up_milliseconds}ms"]
    command += ["-D", f"{seconds * 1000:.0f}ms"]
    command += variant.arguments
    for name, value in traffic.fields.items():
        command += ["-H", f"{name}: {value}"]
    with (
        tempfile.NamedTemporaryFile("w", suffix=".uris") as file,
        tempfile.NamedTemporaryFile("r", suffix=".log") as log,
    ):
        file.writelines(f"https://127.0.0.1:{port}{path}\n" for path in traffic.paths)
        file.flush()
        # `timeout` stops h2load, which never ends if the server closes each connection.
        command = ["timeout", "-s", "KILL", str(TIMEOUT_SECONDS), *command, "-i", file.name]
        # Only where latencies are measured, because h2load needs processor time for the log.
        command += ["--log-file", log.name] if variant in MANY else []
        text, spent = measured(command, pid, cpus)
        latencies = latencies_of(log)
    output = parse(text)
    check(output, traffic)
    return load.Sample(
        requests_per_second=output.done / seconds,
        cpu_microseconds=spent / output.done * 1e6,
        **latencies,
    )


def latencies_of(log):
    """Percentiles of the microseconds from request to response, which are the third column of
    h2load's log. Nothing for an empty log."""
    times = sorted(int(line.split("\t")[2]) for line in log)
    shares = {"p50": 0.5, "p99": 0.99, "p999": 0.999} if times else {}
    return {name: times[math.ceil(share * len(times)) - 1] for name, share in shares.items()}


def measured(command, pid, cpus):
    """The output of h2load, and the processor time of the server in the measured time, which
    excludes the handshakes."""
    lines, begin, end = [], None, None
    with processes.client(command, cpus, stderr=subprocess.DEVNULL) as process:
        for line in process.stdout:
            # With several threads, the measured time lasts from the first BEGIN to the last END.
            if line.startswith(BEGIN):
                begin = begin or processes.cpu_seconds(pid)
            elif line.startswith(END):
                end = processes.cpu_seconds(pid)
            lines.append(line)
    if begin is None or end is None:
        raise load.RequestsFailed("h2load did not measure: " + "".join(lines[-3:]).strip())
    return "".join(lines), end - begin


def parse(text):
    """Parses the summary of h2load. Raises RequestsFailed if there is none."""
    requests = re.search(r"^requests: .* (\d+) done, .* (\d+) errored", text, re.MULTILINE)
    classes = re.search(r"^status codes: (.*)$", text, re.MULTILINE)
    content = re.search(r"^traffic: .*\((\d+)\) data$", text, re.MULTILINE)
    if not requests or not classes or not content:
        raise load.RequestsFailed("h2load printed no summary")
    counts = re.findall(r"(\d+) (\d)xx", classes[1])
    return Output(
        done=int(requests[1]),
        errored=int(requests[2]),
        classes={int(digit): int(count) for count, digit in counts if int(count)},
        content_bytes=int(content[1]),
    )


def check(output, traffic):
    """Raises RequestsFailed if the responses are not the expected ones."""
    if output.errored or not output.done:
        raise load.RequestsFailed(f"{output.errored} failed, {output.done} answered")
    expected = Counter(status // 100 for status in traffic.statuses)
    for status in {*expected, *output.classes}:
        share = output.classes.get(status, 0) / sum(output.classes.values())
        if abs(share - expected[status] / len(traffic.statuses)) > SHARE_TOLERANCE or (
            status not in expected
        ):
            raise load.RequestsFailed(f"{share:.0%} answered with {status}xx")
    # Contents in progress at the end only increase the average.
    shorter = load.SHORTER_MAX if len(traffic.paths) == 1 else SHORTER_MAX_OF_SEVERAL
    least = traffic.content_bytes * (1 - shorter)
    if output.content_bytes / output.done < least:
        raise load.RequestsFailed("contents are shorter than expected")
