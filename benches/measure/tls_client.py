"""Handshakes, and connections that stay idle, by benches/rust/tls_client.rs."""

import json
import subprocess
import time
from contextlib import contextmanager

from measure import idle, load, processes

CONNECTIONS = 64
# Enough for 10,000 handshakes with the slowest server. A connection that never ends fails the run.
TIMEOUT_SECONDS = 60

KINDS = {"full": "full handshake", "resumed": "resumed handshake"}


def handshakes(client, port, pid, kind, response_bytes, seconds, cpus=processes.LOAD_CPUS):
    """Connections with one request each for `seconds`; returns a Sample. Raises
    RequestsFailed."""
    arguments = [kind, port, "/", CONNECTIONS, len(cpus), seconds]
    with started(client, arguments, cpus) as process:
        before = processes.cpu_seconds(pid)
        output, _ = process.communicate("\n")
        spent = processes.cpu_seconds(pid) - before
    if not output:
        raise load.RequestsFailed(f"handshakes did not end within {TIMEOUT_SECONDS} s")
    return sample(json.loads(output), spent, response_bytes)


def sample(figures, spent, response_bytes):
    """The Sample of a run with `spent` seconds of processor time."""
    requests = figures["requests"]
    if figures["failed"] or not requests:
        raise load.RequestsFailed(f"{figures['failed']} failed, {requests} answered")
    if figures["unexpected"]:
        raise load.RequestsFailed(f"{figures['unexpected']} handshakes of the other kind")
    # Only responses that ended are counted.
    load.check_size(figures["bytes"], [requests], [response_bytes])
    return load.sample(requests, figures["microseconds"] / 1e6, spent)


def connection_memory(client, server, port, site, folder, connections):
    """Memory of one idle HTTP/2 connection in bytes, and the number of connections that were
    open. See idle.connection_memory."""
    connections = min(connections, processes.connection_limit() - idle.SPARE_CONNECTIONS)
    with server.started(port, site, folder) as (pid, _):
        time.sleep(idle.SETTLE_SECONDS)
        before = processes.memory_bytes(pid)
        with started(client, ["idle", port, "/", connections], processes.LOAD_CPUS) as process:
            held = json.loads(process.stdout.readline())["held"]
            time.sleep(idle.SETTLE_SECONDS)
            after = processes.memory_bytes(pid)
            process.communicate("\n")
    return (after - before) / max(held, 1), held


@contextmanager
def started(client, arguments, cpus):
    """The client, as soon as it is ready."""
    command = ["timeout", "-s", "KILL", str(TIMEOUT_SECONDS), client, *map(str, arguments)]
    with processes.client(command, cpus, stdin=subprocess.PIPE) as process:
        if process.stdout.readline().strip() != "ready":
            raise load.RequestsFailed("the client did not become ready")
        yield process
