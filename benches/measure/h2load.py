"""Load by h2load, and the processor time that a server uses for it."""

import re
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass

from measure import processes

# Time in which the connections are opened. The second one is for each connection.
WARM_UP_SECONDS = 0.2
WARM_UP_SECONDS_PER_CONNECTION = 0.0004

# Number of handshakes of a round: that of the connections, repeated.
HANDSHAKE_REPEATS = 4

TIMEOUT_SECONDS = 60

BEGIN, END = "Main benchmark duration is started", "Main benchmark duration is over"

# h2load prints it in its summary if TLS is used. Browsers prefer this cipher suite.
TLS = ("TLSv1.3", "TLS_AES_128_GCM_SHA256")

# A server with a wait for each request, rather than for each turn of all connections, is not
# saturated. A wait costs about this time, which may be this share of a request.
WAIT_MICROSECONDS = 2
WAIT_SHARE_MAX = 0.05

# Connections that are opened at a time to stay idle. Each has to be open before a server's time
# limit for handshakes.
OPENED_PER_SECOND = 1_000
IDLE_SCRIPT = "0.0\t{url}\n600000.0\t{url}\n"


class RequestsFailed(Exception):
    """Requests without a response, or with an unexpected response."""


@dataclass(frozen=True)
class Sample:
    """Processor time of a server for each request, and whether the load saturated it."""

    microseconds: float
    is_saturated: bool


def run(url, pid, load, fields, cpus, seconds):
    """Sends a Load for a number of seconds to the server with the process `pid`, on the same
    processors; returns a Sample. Raises RequestsFailed."""
    command = ["h2load", "--threads", str(len(cpus)), "--clients", str(load.connections)]
    command += ["-m", str(load.streams)] if load.is_http2 else ["--h1"]
    for name, value in fields.items():
        command += ["--header", f"{name}: {value}"]
    if load.is_handshake:
        requests, usage = handshakes([*command, "-n", str(load.connections), url], pid, load, cpus)
    else:
        warm_up = WARM_UP_SECONDS + load.connections * WARM_UP_SECONDS_PER_CONNECTION
        command += ["--warm-up-time", milliseconds(warm_up), "--duration", milliseconds(seconds)]
        requests, usage = stream([*command, url], pid, load, cpus)
    microseconds = usage.seconds * 1e6 / requests
    waiting = usage.waits * WAIT_MICROSECONDS / requests
    return Sample(microseconds, waiting <= WAIT_SHARE_MAX * microseconds)


def milliseconds(seconds):
    return f"{seconds * 1000:.0f}ms"


def handshakes(command, pid, load, cpus):
    """The number of connections with one request each, and the usage of the server."""
    before, requests = processes.usage(pid), 0
    for _ in range(HANDSHAKE_REPEATS):
        with started(command, cpus) as process:
            requests += answered(process.stdout.read(), load)
    return requests, processes.usage(pid) - before


def stream(command, pid, load, cpus):
    """The number of requests that were answered in the measured time, and the usage of the server
    in that time, which excludes the handshakes."""
    lines, begin, end = [], None, None
    # Without stdbuf, h2load would print the lines BEGIN and END when it ends.
    with started(["stdbuf", "-oL", *command], cpus) as process:
        for line in process.stdout:
            # With several threads, the measured time lasts from the first BEGIN to the last END.
            if line.startswith(BEGIN):
                begin = begin or processes.usage(pid)
            elif line.startswith(END):
                end = processes.usage(pid)
            lines.append(line)
    requests = answered("".join(lines), load)
    return requests, end - begin


@contextmanager
def started(command, cpus):
    # `timeout` stops h2load, which never ends if the server closes each connection.
    command = ["timeout", "-s", "KILL", str(TIMEOUT_SECONDS), *command]
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with processes.ended_after(processes.start(command, cpus, **output)) as process:
        yield process


def answered(summary, load):
    """The number of requests in the `summary` of h2load. Raises RequestsFailed if there is none, or
    if connections or responses are not the expected ones."""
    requests = re.search(r"^requests: .* (\d+) done, .* (\d+) errored", summary, re.MULTILINE)
    classes = re.findall(r"(\d+) (\d)xx", summary)
    if not requests or not classes:
        raise RequestsFailed("h2load ended without a summary")
    done, errored = int(requests[1]), int(requests[2])
    # A response whose status arrived before the measured time may end in it, and the reverse.
    unexpected = sum(int(n) for n, digit in classes if int(digit) != load.request.status // 100)
    if errored or unexpected or not done:
        raise RequestsFailed(f"{done} answered, {errored} failed, {unexpected} with another status")
    # h2load prints these lines with TLS.
    found = re.search(r"^TLS Protocol: (\S+)\nCipher: (\S+)$", summary, re.MULTILINE)
    if found and found.groups() != TLS:
        raise RequestsFailed(f"connections have {found.groups()} instead of {TLS}")
    return done


def idle_memory(url, pid, fields, is_http2, connections):
    """Memory of the server in bytes while `connections` are idle after one response each. Raises
    RequestsFailed if not all are open."""
    files = processes.open_files(pid)
    with tempfile.NamedTemporaryFile("w", suffix=".script") as script:
        script.write(IDLE_SCRIPT.format(url=url))
        script.flush()
        command = ["h2load", "--clients", str(connections), "-r", str(OPENED_PER_SECOND)]
        command += [] if is_http2 else ["--h1"]
        command += ["--timing-script-file", script.name]
        for name, value in fields.items():
            command += ["--header", f"{name}: {value}"]
        with started(command, processes.CPUS):
            time.sleep(connections / OPENED_PER_SECOND)
            processes.wait_until_idle(pid)
            held = processes.open_files(pid) - files
            if held < connections:
                raise RequestsFailed(f"{held:,} of {connections:,} idle connections are open")
            return processes.memory_bytes(pid)
