"""Load by h2load, and the processor time that a server uses for it."""

import subprocess
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from measure import processes

# Time in which the connections are opened. The second one is for each connection.
WARM_UP_SECONDS = 0.2
WARM_UP_SECONDS_PER_CONNECTION = 0.0004

# How often a round repeats the handshakes of all connections.
HANDSHAKE_REPEATS = 4

TIMEOUT_SECONDS = 60

# Ends a load that hangs.
BOUNDED = ("timeout", "-s", "KILL", str(TIMEOUT_SECONDS))

BEGIN, END = "Main benchmark duration is started", "Main benchmark duration is over"

HYBRID_CLIENT = Path(__file__).with_name("hybrid.mjs")

# What h2load prints about its first connection with TLS. Browsers prefer this cipher suite.
TLS = {"TLS Protocol": "TLSv1.3", "Cipher": "TLS_AES_128_GCM_SHA256"}

# A server with a wait for each request, rather than for each turn of all connections, is not
# saturated. A wait costs about this time, which may be this share of a request.
WAIT_MICROSECONDS = 2
WAIT_SHARE_MAX = 0.05

# Connections that are opened at a time to stay idle. Each has to be open before a server's time
# limit for handshakes.
OPENED_PER_SECOND = 1_000
HELD_MIN = 0.99
IDLE_SCRIPT = "0.0\t{url}\n600000.0\t{url}\n"


class RequestsFailed(Exception):
    """Requests without a response, or with an unexpected response."""


@dataclass(frozen=True)
class Sample:
    """Processor time of a server for each request, and whether the load saturated it."""

    microseconds: float
    is_saturated: bool


def run(url, pid, load, fields, seconds):
    """Sends a Load for a number of seconds to the server with the process `pid`, on its processor;
    returns a Sample. Raises RequestsFailed."""
    if load.is_hybrid:
        return run_hybrid(url, pid, load)
    command = ["--clients", str(load.connections)]
    command += ["-m", str(load.streams)] if load.is_http2 else ["--h1"]
    command += [*headers(fields), url]
    with tempfile.NamedTemporaryFile("r") as log:
        command += ["--log-file", log.name]
        if load.is_handshake:
            command += ["-n", str(load.connections)]
            usage = usage_of_handshakes(command, pid)
        else:
            warm_up = WARM_UP_SECONDS + load.connections * WARM_UP_SECONDS_PER_CONNECTION
            command += ["--warm-up-time", f"{warm_up * 1000:.0f}ms"]
            command += ["--duration", f"{seconds * 1000:.0f}ms"]
            usage = usage_of_main_duration(command, pid)
        # The second column is the status, or -1 for a failure. The warm-up is not logged: a
        # response that began in it has 0.
        statuses = Counter(int(line.split("\t")[1]) for line in log)
    if not statuses.keys() <= {load.request.status, 0} or not statuses:
        raise RequestsFailed(f"responses by status: {dict(statuses)}")
    requests = sum(statuses.values())
    microseconds = usage.seconds * 1e6 / requests
    waiting = usage.waits * WAIT_MICROSECONDS / requests
    return Sample(microseconds, waiting <= WAIT_SHARE_MAX * microseconds)


def run_hybrid(url, pid, load):
    """Connections of Node.js, because h2load does not have the key exchange."""
    count = load.connections * HANDSHAKE_REPEATS
    before = processes.usage(pid)
    command = [*BOUNDED, "node", HYBRID_CLIENT, url, str(count)]
    process = processes.start(command, processes.ONE, stderr=subprocess.PIPE, text=True)
    _, errors = process.communicate()
    if process.returncode:
        raise RequestsFailed((errors.strip().splitlines() or ["no reason"])[-1])
    usage = processes.usage(pid) - before
    return Sample(usage.seconds * 1e6 / count, True)


def headers(fields):
    return [part for name, value in fields.items() for part in ("--header", f"{name}: {value}")]


def usage_of_handshakes(command, pid):
    """What the server uses for connections with one request each."""
    before = processes.usage(pid)
    for _ in range(HANDSHAKE_REPEATS):
        with started(command, processes.ONE) as lines:
            check_tls(lines)
    return processes.usage(pid) - before


def usage_of_main_duration(command, pid):
    """What the server uses in the main duration, without the handshakes. h2load is ended with it,
    because it continues to send requests to a server that has many connections and is slow."""
    begin, lines = None, [""]
    with started(command, processes.ONE) as output:
        for line in output:
            lines.append(line)
            if line.startswith(BEGIN):
                begin = processes.usage(pid)
            if line.startswith(END):
                break
        end = processes.usage(pid)
    if not begin or not lines[-1].startswith(END):
        raise RequestsFailed(f"h2load ended early: {lines[-1].strip()}")
    check_tls(lines)
    return end - begin


def check_tls(lines):
    """Raises RequestsFailed if the connections of h2load have other parameters than TLS."""
    found = dict(line.strip().split(": ") for line in lines if line.startswith(tuple(TLS)))
    if found and found != TLS:
        raise RequestsFailed(f"connections have {found} instead of {TLS}")


@contextmanager
def started(arguments, cpus):
    """The lines that h2load prints until it ends, or the block."""
    # Without stdbuf, h2load would print all lines when it ends.
    command = [*BOUNDED, "stdbuf", "-oL", "h2load"]
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    process = processes.start([*command, *arguments], cpus, **output)
    with process, processes.ended_after(process):
        yield process.stdout


def idle_memory(url, pid, fields, is_http2, connections):
    """Memory of the server in bytes while `connections` are idle after one response each. Raises
    RequestsFailed if fewer than HELD_MIN of them are open."""
    files = processes.open_files(pid)
    with tempfile.NamedTemporaryFile("w", suffix=".script") as script:
        script.write(IDLE_SCRIPT.format(url=url))
        script.flush()
        command = ["--clients", str(connections), "-r", str(min(connections, OPENED_PER_SECOND))]
        command += [] if is_http2 else ["--h1"]
        command += ["--timing-script-file", script.name, *headers(fields)]
        with started(command, processes.CPUS):
            time.sleep(connections / OPENED_PER_SECOND)
            processes.wait_until_idle(pid)
            held = processes.open_files(pid) - files
            if held < HELD_MIN * connections:
                raise RequestsFailed(f"{held:,} of {connections:,} idle connections are open")
            return processes.memory_bytes(pid)
