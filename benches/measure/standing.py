"""Figures of a server at rest: its start, its memory, its size, its bytes."""

import time

from measure import processes, wire, workloads

# Connections that stay free, for the request that is sent beside idle ones.
SPARE_CONNECTIONS = 100

# For allocators and kernel buffers to come to rest.
SETTLE_SECONDS = 0.3


# For how many connections a server is set up where none is measured: some take
# the memory of all that they may hold at their start.
CONNECTIONS_AT_REST = 1024


def starts_milliseconds(servers, port, site, folder, repeats):
    """Times from the start of the process to the first answer, by server, which
    take turns."""
    milliseconds = {server.name: [] for server in servers}
    for _ in range(repeats):
        for server in servers:
            with server.started(port, site, folder, CONNECTIONS_AT_REST) as (_, seconds):
                milliseconds[server.name].append(round(seconds * 1000, 3))
    return milliseconds


def idle_memory(server, port, site, folder):
    """Memory after one request, in bytes."""
    with server.started(port, site, folder, CONNECTIONS_AT_REST) as (pid, _):
        time.sleep(SETTLE_SECONDS)
        return processes.memory_bytes(pid)


def connection_memory(server, port, site, folder, connections):
    """What each of so many idle keep-alive connections adds, in bytes; and how many
    the server held, which are fewer where it left one without an answer."""
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
    return (busy - idle) / max(len(opened), 1), len(opened)


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
