"""Load by h2load over TLS, with HTTP/2 or HTTP/1.1."""

import math
import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, replace

from measure import load, processes

CONNECTIONS = 64
WARM_UP_MILLISECONDS = 150
# Enough for the handshakes of MANY_CONNECTIONS with any of the servers.
LONG_WARM_UP_MILLISECONDS = 1_500
MANY_CONNECTIONS = 1_000
TIMEOUT_SECONDS = 30

# With several files, the average size may differ by this share from the expected one: a run can
# end before the larger files were requested as often as the others.
SIZE_TOLERANCE_OF_SEVERAL = 0.2

# The share of each status may differ by this from the expected one: a run can begin and end
# within a sequence of requests.
SHARE_TOLERANCE = 0.1

# What h2load reports about its connections, in addition to the protocol of the variant.
TLS = {"TLS Protocol": "TLSv1.3", "Cipher": "TLS_AES_128_GCM_SHA256"}

BEGIN, END = "Main benchmark duration is started", "Main benchmark duration is over"


@dataclass(frozen=True)
class Variant:
    """A protocol by its name in ALPN, the number of requests that a connection has open at a time,
    and that of connections."""

    title: str
    protocol: str
    streams: int = 1
    connections: int = CONNECTIONS
    warm_up_milliseconds: int = WARM_UP_MILLISECONDS

    def arguments(self):
        return ("--h1",) if self.protocol == "http/1.1" else ("-m", str(self.streams))

    def open(self):
        """The number of requests that are open at a time."""
        return self.connections * self.streams


VARIANTS = (
    Variant("HTTP/1.1", "http/1.1"),
    Variant("HTTP/2, 1 stream", "h2"),
    Variant("HTTP/2, 10 streams", "h2", streams=10),
)

# For latencies. With one stream, a request waits only for those of other connections.
MANY = tuple(
    replace(each, connections=MANY_CONNECTIONS, warm_up_milliseconds=LONG_WARM_UP_MILLISECONDS)
    for each in VARIANTS[:2]
)


@dataclass(frozen=True)
class Traffic:
    """Paths that are requested in turn, the fields of all requests, the expected statuses, and
    the average sizes in bytes of the contents and of whole responses over HTTP/1.1."""

    paths: list
    fields: dict
    statuses: list
    content_bytes: float
    response_bytes: float


@dataclass(frozen=True)
class Output:
    """What h2load prints: the values of the fields TLS and `protocol` of its connections, and
    figures. `done` counts the responses that ended in the measured time, `errored` those without a
    status, and `classes` those that began, by the first digit of the status. `received_bytes` is
    the size of all that arrived in that time, without that of TLS."""

    tls: dict
    protocol: str
    done: int
    errored: int
    classes: dict
    received_bytes: int


def run(port, pid, traffic, variant, seconds, cpus=processes.LOAD_CPUS):
    """Sends the traffic; returns a Sample. Raises RequestsFailed."""
    # Without stdbuf, h2load would buffer the lines BEGIN and END until it ends.
    command = ["stdbuf", "-oL", "h2load", "-t", str(len(cpus)), "-c", str(variant.connections)]
    command += ["--warm-up-time", f"{variant.warm_up_milliseconds}ms"]
    command += ["-D", f"{seconds * 1000:.0f}ms"]
    command += variant.arguments()
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
    check(output, traffic, variant)
    return load.sample(output.done, seconds, spent, **latencies)


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
    # The size of "data" would include the contents of the warm-up.
    received = re.search(r"^traffic: \S+ \((\d+)\) total", text, re.MULTILINE)
    if not requests or not classes or not received:
        raise load.RequestsFailed("h2load printed no summary")
    counts = re.findall(r"(\d+) (\d)xx", classes[1])
    connection = dict(re.findall(r"^([\w ]+): (\S+)$", text, re.MULTILINE))
    return Output(
        tls={name: connection.get(name) for name in TLS},
        protocol=connection.get("Application protocol"),
        done=int(requests[1]),
        errored=int(requests[2]),
        classes={int(digit): int(count) for count, digit in counts if int(count)},
        received_bytes=int(received[1]),
    )


def check(output, traffic, variant):
    """Raises RequestsFailed if connections or responses are not the expected ones."""
    if output.tls != TLS or output.protocol != variant.protocol:
        found = [output.protocol, *output.tls.values()]
        expected = [variant.protocol, *TLS.values()]
        raise load.RequestsFailed(f"connections have {found} instead of {expected}")
    if output.errored or not output.done:
        raise load.RequestsFailed(f"{output.errored} failed, {output.done} answered")
    expected = Counter(status // 100 for status in traffic.statuses)
    for status in {*expected, *output.classes}:
        share = output.classes.get(status, 0) / sum(output.classes.values())
        if abs(share - expected[status] / len(traffic.statuses)) > SHARE_TOLERANCE or (
            status not in expected
        ):
            raise load.RequestsFailed(f"{share:.0%} answered with {status}xx")
    is_one = len(traffic.paths) == 1
    tolerance = load.SIZE_TOLERANCE if is_one else SIZE_TOLERANCE_OF_SEVERAL
    # Responses can be in progress at the beginning and at the end. Over HTTP/2, heads are shorter.
    numbers = (output.done - variant.open(), output.done + variant.open())
    sizes = (traffic.content_bytes, traffic.response_bytes)
    load.check_size(output.received_bytes, numbers, sizes, tolerance)
