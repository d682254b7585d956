"""Measurements without load: start, memory, and bytes of a first visit."""

import os
import time

from measure import processes, wire, workloads

# At most connection_limit() minus this number of connections are opened, so that no server
# reaches its configured maximum.
SPARE_CONNECTIONS = 100

# Time in which allocators and kernel buffers reach a stable size.
SETTLE_SECONDS = 0.3

# Configured maximum of connections for the start and the idle memory: some servers
# allocate memory for all connections at their start.
CONNECTIONS_WHEN_IDLE = 1024


def starts_milliseconds(servers, ports, site, folder, repeats):
    """Times from the start of the process to the first response, by server. The servers
    take turns; `ports` has the port of each."""
    milliseconds = {server.name: [] for server in servers}
    for _ in range(repeats):
        for server in servers:
            port = ports[server.name]
            with server.started(port, site, folder, CONNECTIONS_WHEN_IDLE) as (_, seconds):
                milliseconds[server.name].append(round(seconds * 1000, 3))
    return milliseconds


def idle_memory(server, port, site, folder):
    """Memory after one request, in bytes. The program is read from the disk, as after a start
    of the machine: a file that was just written may be in larger units of the page
    cache, which are mapped as a whole."""
    for file in server.program_files():
        drop_from_page_cache(file)
    with server.started(port, site, folder, CONNECTIONS_WHEN_IDLE) as (pid, _):
        time.sleep(SETTLE_SECONDS)
        return processes.memory_bytes(pid)


def drop_from_page_cache(file):
    """Removes the pages of `file` that no process has mapped from the page cache."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def connection_memory(server, port, site, folder, connections):
    """Memory of one idle keep-alive connection in bytes, and the number of connections
    that were open. That is lower than `connections` if the server did not respond on
    one of them, or because of the limit on open files."""
    connections = min(connections, processes.connection_limit() - SPARE_CONNECTIONS)
    with server.started(port, site, folder) as (pid, _):
        time.sleep(SETTLE_SECONDS)
        before = processes.memory_bytes(pid)
        opened = []
        try:
            while len(opened) < connections and (connection := idle_connection(port)):
                opened.append(connection)
            time.sleep(SETTLE_SECONDS)
            after = processes.memory_bytes(pid)
        finally:
            for connection in opened:
                connection.close()
    return (after - before) / max(len(opened), 1), len(opened)


def idle_connection(port):
    """A connection that is idle after one response; None if there was no response."""
    connection = None
    try:
        connection = wire.connect(port)
        connection.sendall(wire.request(port, "/", workloads.BROWSER))
        wire.read_response(connection)
    except (OSError, ValueError):
        if connection:
            connection.close()
        return None
    return connection


def first_visit_bytes(server, port, site, folder):
    """Size of the responses for the landing page and for the files that it loads, heads
    included. Raises ValueError if one of them has another status than 200."""
    with server.started(port, site, folder):
        return sum(visited_bytes(port, path) for path in ["/", *workloads.references(site)])


def visited_bytes(port, path):
    """Size of one response, head included."""
    response = wire.get(port, path, workloads.BROWSER)
    if response.status != 200:
        raise ValueError(f"{path} of the first visit has status {response.status}")
    return len(response.raw)
