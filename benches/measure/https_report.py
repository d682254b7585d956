"""Tables of the comparison over TLS."""

from dataclasses import asdict

from measure import h2load, https, machine, report, targets
from measure.targets import Verdict

COST, RATE = "cpu_microseconds", "requests_per_second"
WORKERS = https.EVERY_CPU.key
# Workloads that are not ranked by processor time.
SEPARATE = (WORKERS, https.MANY.key)

# Columns of the table for README.md: title, workload and protocol.
COLUMNS = (
    ("CPU µs: full handshake", "handshake", "full handshake"),
    ("resumed", "handshake", "resumed handshake"),
    ("page, HTTP/1.1", "page-brotli", "HTTP/1.1"),
    ("page, HTTP/2", "page-brotli", "HTTP/2, 1 stream"),
    ("10 streams", "page-brotli", "HTTP/2, 10 streams"),
    ("304, HTTP/2", "not-modified", "HTTP/2, 1 stream"),
)

# Column of latencies: title and protocol.
LATENCY_COLUMN = ("p99 ms at 1,000, HTTP/2", "HTTP/2, 1 stream")


def sections(results):
    """Title, headings and rows of each table."""
    for workload, title in results.titles.items():
        if workload == https.MANY.key:
            yield title, *latencies(results)
        elif workload != WORKERS:
            yield title, *measured(results, workload)
    if WORKERS in results.titles:
        yield https.EVERY_CPU.title, *every_cpu(results)
    yield "idle connections with HTTP/2", *idle(results)
    yield "rank", *ranks(results)


def measured(results, workload):
    variants = results.connections(workload)
    headings = [
        "",
        *(f"CPU µs, {each}" for each in variants),
        *(f"per s, {each}" for each in variants),
    ]
    rows = []
    for server in results.servers():
        row = [server]
        for figure, digits in ((COST, 1), (RATE, 0)):
            row += [
                report.cell(results, server, workload, each, figure, digits) for each in variants
            ]
        rows.append(row)
    return headings, [row for row in rows if any(row[1:])]


def latencies(results):
    """Percentiles of the time from request to response with many connections."""
    variants = results.connections(https.MANY.key)
    cells = [(variant, *each) for variant in variants for each in report.LATENCIES]
    headings = ["", *(f"{title}, {variant}" for variant, _, title in cells)]
    rows = []
    for server in results.servers():
        row = [server]
        row += [latency(results, server, variant, figure) for variant, figure, _ in cells]
        rows.append(row)
    return headings, [row for row in rows if any(row[1:])]


def latency(results, server, variant, figure):
    """A percentile in milliseconds."""
    return report.cell(results, server, https.MANY.key, variant, figure, 1, report.MILLISECOND)


def every_cpu(results):
    """Responses and handshakes per second. There is no mark: the load shares the processors."""
    variants = results.connections(WORKERS)
    headings = ["", *(f"{each}/s, {results.about['processors']} workers" for each in variants)]
    rows = []
    for server in results.servers():
        rates = (results.values(server, WORKERS, each, RATE) for each in variants)
        rows.append([server, *(report.with_spread(values, 0) for values in rates)])
    return headings, [row for row in rows if any(row[1:])]


def idle(results):
    headings = ["", "version", "KiB/connection", "held", "idle MiB"]
    rows = [
        [
            server,
            figures["version"],
            f"{figures['connection_memory_bytes'] / 2**10:.1f}",
            f"{figures['connections_held']:,}",
            f"{figures['idle_memory_bytes'] / 2**20:.1f}",
        ]
        for server, figures in results.idle.items()
    ]
    return headings, rows


def verdicts(results):
    """The rank of the site in each cell, by p99, by processor time or by rate, and in memory."""
    for variant in results.connections(https.MANY.key):
        title = f"p99, {variant}"
        verdict = targets.ranking(results, https.MANY.key, variant, "p99", title, min)
        if verdict:
            yield verdict
    for workload in results.titles:
        for variant in results.connections(workload) if workload not in SEPARATE else ():
            verdict = targets.ranking(results, workload, variant, COST, f"CPU, {variant}", min)
            if verdict:
                yield verdict
    for variant in results.connections(WORKERS):
        title = f"per second, {variant}"
        verdict = targets.ranking(results, WORKERS, variant, RATE, title, max, has_processor=False)
        if verdict:
            yield verdict
    memory = {name: each["connection_memory_bytes"] for name, each in results.idle.items()}
    if len(memory) > 1:
        leader = min(memory, key=memory.get)
        ratio = memory[targets.SITE] / memory[leader]
        outcome = "best" if leader == targets.SITE else f"{ratio:.2f} × {leader}"
        judgement = targets.judgement_of(leader == targets.SITE)
        yield Verdict("least memory per idle connection", outcome, judgement)


def ranks(results):
    rows = [[each.target, each.outcome, each.judgement] for each in verdicts(results)]
    return ["target", "outcome", ""], rows


def summary(results):
    """The table for README.md: one row per server."""
    headings = ["", *(title for title, *_ in COLUMNS), LATENCY_COLUMN[0], "KiB/connection"]
    rows = []
    for server in results.servers():
        figures = results.idle.get(server)
        row = [f"{server} {figures['version']}" if figures else server]
        row += [report.cell(results, server, *column, COST, 1) for _, *column in COLUMNS]
        row.append(latency(results, server, LATENCY_COLUMN[1], "p99"))
        row.append(f"{figures['connection_memory_bytes'] / 2**10:.1f}" if figures else "")
        rows.append(row)
    return f"{heading(results)}.\n\n{report.markdown(headings, rows)}"


def text(results):
    parts = [heading(results)]
    for title, headings, rows in sections(results):
        parts.append(f"\n{title}\n{report.table(headings, rows)}")
    return "\n".join([*parts, "\ndifferences", *report.difference_lines(results)])


def as_markdown(results):
    parts = [heading(results), ""]
    for title, headings, rows in sections(results):
        parts += [f"**{title}**", "", report.markdown(headings, rows), ""]
    lines = (f"- {line}" for line in report.difference_lines(results))
    return "\n".join([*parts, "**differences**", "", *lines, ""])


def as_json(results):
    return {**results.as_json(), "verdicts": [asdict(each) for each in verdicts(results)]}


def heading(results):
    about = results.about
    return (
        f"{machine.line(about)}; TLS 1.3, ECDSA P-256, one processor for the server, medians of "
        f"{about['rounds']} rounds of {about['tls_seconds']} s with {h2load.CONNECTIONS} "
        f"connections, p99 of {about['seconds']} s with {h2load.MANY_CONNECTIONS:,}, ± the largest "
        f"deviation from the median; memory: one measurement; {report.UNSATURATED} the load did "
        "not saturate the server"
    )
