"""Figures of a server at rest: its start, its memory, its size, its bytes."""

import statistics
import time

from measure import processes, wire, workloads

# Connections that stay free, for the request that is sent beside idle ones.
SPARE_CONNECTIONS = 100

# For allocators and kernel buffers to come to rest.
SETTLE_SECONDS = 0.3


def start_milliseconds(server, port, site, folder, repeats):
    """Median time from the start of the process to the first answer."""
    seconds = []
    for _ in range(repeats):
        with server.started(port, site, folder) as (_, elapsed):
            seconds.append(elapsed)
    return statistics.median(seconds) * 1000


def memory(server, port, site, folder, connections):
    """Idle memory after one request and what each of so many idle keep-alive
    connections adds, both in bytes; and how many it held, which are fewer where
    it left one without an answer."""
    connections = min(connections, processes.connection_limit() - SPARE_CONNECTIONS)
    with server.started(port, site, folder) as (pid, _):
        time.sleep(SETTLE_SECONDS)
        idle = processes.memory_bytes(pid)
        opened = []
        try:
            while len(opened) < connections and (connection := held(port)):
                opened.append(connection)
            time.sleep(SETTLE_SECONDS)
            busy = processes.memory_bytes(pid)
        finally:
            for connection in opened:
                connection.close()
    return idle, (busy - idle) / max(len(opened), 1), len(opened)


def held(port):
    """A connection that was answered and stays open; nothing where it was not."""
    connection = wire.connect(port)
    try:
        connection.sendall(wire.request(port, "/", workloads.BROWSER))
        wire.read_answer(connection)
    except (OSError, ValueError):
        connection.close()
        return None
    return connection


def first_visit_bytes(port, paths):
    """All that the server sends, heads included, for a page and what it loads."""
    return sum(len(wire.ask(port, path, workloads.BROWSER).raw) for path in ["/", *paths])
