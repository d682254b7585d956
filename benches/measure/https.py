"""The comparison over TLS: load, handshakes, every processor, and idle connections."""

import statistics
from contextlib import ExitStack
from dataclasses import dataclass

from measure import (
    equality,
    h2load,
    http2,
    idle,
    load,
    processes,
    servers,
    targets,
    tls_client,
    wire,
    workloads,
)
from measure.progress import Progress
from measure.results import Results

HANDSHAKE = workloads.Workload("handshake", "handshake with one request", ())
MANY = workloads.Workload("many", f"page, Brotli, {h2load.MANY_CONNECTIONS:,} connections", ())
EVERY_CPU = workloads.Workload("every-cpu", "a worker for each processor", ())

# The requests of EVERY_CPU, which also measures full handshakes.
BUSIEST = h2load.VARIANTS[-1]


@dataclass(frozen=True)
class Cell:
    """One combination to measure. `send` takes a number of seconds, sends the load for this time,
    and returns a Sample. `duration` is the key of that number in `scale`."""

    server: str
    workload: workloads.Workload
    variant: str
    send: object
    duration: str = "tls_seconds"


def compare(paths, site, scratch, scale, options, peers):
    """Starts every server with TLS, checks that all send equal content, and measures them in
    turn. The results have protocols in the place of numbers of connections."""
    results = Results({**options.about, **scale})
    ports = iter(range(options.port + 100, options.port + 300))
    compared = [servers.site_over_tls(paths["recipelog-site"]), *peers]
    every = workloads.over_tls(site)
    several = processes.CPUS if len(processes.CPUS) > 1 else []
    with ExitStack() as stack:

        def start(server, cpus):
            port = wire.TlsPort(next(ports))
            pid, _ = stack.enter_context(server.started(port, site, scratch, cpus=cpus))
            return port, pid

        running = {server.name: start(server, processes.SERVER_CPUS) for server in compared}
        clients = (wire.get, http2.get)
        equality.check_all(results, running, every, [], site, clients)
        selected = workloads.selected(every, options.quick)
        cells = list(cells_of(selected, running, paths, start, scratch, options.quick))
        measure(cells, results, scale)
    if several and not options.quick:
        every_cpu(results, compared, paths, site, scratch, scale, ports, several)
    for server in compared:
        with Progress(f"{server.name}, idle over TLS"):
            port = wire.TlsPort(next(ports))
            results.idle[server.name] = idle_figures(server, port, paths, site, scratch, scale)
    return results


def cells_of(selected, running, paths, start, scratch, quick):
    """Yields the cells of all servers and of the baseline over TLS, which is started for each
    workload with the site's response."""
    site_port, _ = running[targets.SITE]
    for workload in selected:
        floor = {}
        if len(workload.requests) == 1:
            response = scratch / f"{workload.key}.tls-response"
            response.write_bytes(workload.requests[0].response(site_port).raw)
            server = servers.bare_tls(paths["bare_tls"], response)
            floor = {server.name: start(server, processes.SERVER_CPUS)}
        for variant in h2load.VARIANTS[1:2] if quick else h2load.VARIANTS:
            for name, (port, pid) in {**running, **floor}.items():
                source = port if name in running else site_port
                send = requests_to(port, pid, workload, variant, source)
                yield Cell(name, workload, variant.title, send)
        if workload.key == "page-brotli":
            for variant in () if quick else h2load.MANY:
                for name, (port, pid) in running.items():
                    send = requests_to(port, pid, workload, variant, port)
                    yield Cell(name, MANY, variant.title, send, "seconds")
            for kind in ["full"] if quick else tls_client.KINDS:
                for name, (port, pid) in {**running, **floor}.items():
                    send = handshakes_to(paths["tls_client"], port, pid, kind)
                    yield Cell(name, HANDSHAKE, tls_client.KINDS[kind], send)


def requests_to(port, pid, workload, variant, source, cpus=processes.LOAD_CPUS):
    """A function that sends a workload for a number of seconds. The server on `source` provides
    validators and sizes."""
    fields = {}
    for request in workload.requests:
        fields |= request.for_server(source)
    responses = [request.response(source) for request in workload.requests]
    traffic = h2load.Traffic(
        paths=[request.path for request in workload.requests],
        fields=fields,
        statuses=[request.status for request in workload.requests],
        content_bytes=statistics.mean(len(response.content) for response in responses),
        response_bytes=statistics.mean(len(response.raw) for response in responses),
    )
    return lambda seconds: h2load.run(port, pid, traffic, variant, seconds, cpus)


def handshakes_to(client, port, pid, kind, cpus=processes.LOAD_CPUS):
    fields = {**workloads.BROWSER, "Connection": "close"}
    size = len(wire.get(port, "/", fields).raw)
    return lambda seconds: tls_client.handshakes(client, port, pid, kind, size, seconds, cpus)


def every_cpu(results, compared, paths, site, scratch, scale, ports, cpus):
    """Measures each server with a worker for each of `cpus`, which the load shares."""
    page = next(each for each in workloads.over_tls(site) if each.key == "page-brotli")
    cells = []
    with ExitStack() as stack:
        for server in compared:
            port = wire.TlsPort(next(ports))
            pid, _ = stack.enter_context(server.started(port, site, scratch, cpus=cpus))
            send = requests_to(port, pid, page, BUSIEST, port, cpus)
            cells.append(Cell(server.name, EVERY_CPU, BUSIEST.title, send))
            send = handshakes_to(paths["tls_client"], port, pid, "full", cpus)
            cells.append(Cell(server.name, EVERY_CPU, tls_client.KINDS["full"], send))
        measure(cells, results, scale)


def measure(cells, results, scale):
    with Progress("measuring over TLS", scale["rounds"] * len(cells)) as progress:
        for turn in range(scale["rounds"]):
            for cell in cells:
                title = f"{cell.workload.title}, {cell.variant}, {cell.server}"
                progress.step(f"round {turn + 1}: {title}")
                try:
                    sample = cell.send(scale[cell.duration])
                except load.RequestsFailed as failure:
                    sample = failure
                results.add(cell.server, cell.workload, cell.variant, sample)


def idle_figures(server, port, paths, site, scratch, scale):
    count = scale["idle_connections"]
    client = paths["tls_client"]
    each, held = tls_client.connection_memory(client, server, port, site, scratch, count)
    return {
        "version": server.version_text(),
        "idle_memory_bytes": idle.idle_memory(server, port, site, scratch),
        "connection_memory_bytes": each,
        "connections_held": held,
    }
