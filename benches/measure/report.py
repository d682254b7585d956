"""Tables for the terminal and in Markdown."""

import statistics

from measure import machine, targets

UNSATURATED = "*"

# In microseconds, which are the unit of latencies.
MILLISECOND = 1000
LATENCIES = (("p50", "p50 ms"), ("p99", "p99 ms"), ("p999", "p99.9 ms"))


def table(headings, rows):
    """Aligned columns, the first to the left."""
    cells = [headings, *rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]

    def line(row):
        _, *others = (cell.rjust(width) for cell, width in zip(row, widths))
        return "  ".join([row[0].ljust(widths[0]), *others])

    return "\n".join([line(headings), *(line(row) for row in rows)])


def markdown(headings, rows):
    lines = [headings, ["---", *["---:"] * (len(headings) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def sections(results):
    """Title, headings and rows of each table."""
    for workload, title in results.titles.items():
        yield title, *measured(results, workload)
    yield "idle", *idle(results)


def measured(results, workload):
    counts = results.connections(workload)
    largest = counts[-1]
    headings = ["connections"]
    headings += [f"req/s {count}" for count in counts]
    headings += [f"CPU µs {count}" for count in counts]
    headings += [f"{name} at {largest}" for _, name in LATENCIES]
    rows = []
    for server in results.servers():
        if workload not in results.samples[server]:
            continue
        row = [server]
        for figure, digits in (("requests_per_second", 0), ("cpu_microseconds", 2)):
            row += [cell(results, server, workload, count, figure, digits) for count in counts]
        for figure, _ in LATENCIES:
            row.append(cell(results, server, workload, largest, figure, 2, MILLISECOND))
        rows.append(row)
    return headings, rows


def cell(results, server, workload, connections, figure, digits, unit=1):
    """The figure in `unit`s with its spread, the mark UNSATURATED, and the number of rounds if
    some failed."""
    values = results.values(server, workload, connections, figure)
    if not values:
        return ""
    text = with_spread([value / unit for value in values], digits)
    mark = "" if results.is_saturated(server, workload, connections) else UNSATURATED
    rounds = len(results.rounds(server, workload, connections))
    return text + mark + (f" ({len(values)} of {rounds})" if len(values) < rounds else "")


def with_spread(values, digits):
    """The median, and the largest deviation of a round from it."""
    if not values:
        return ""
    median = statistics.median(values)
    deviation = max(abs(value - median) for value in values) / median
    spread = f" ±{deviation:.0%}" if len(values) > 1 else ""
    return f"{median:,.{digits}f}{spread}"


def idle(results):
    headings = ["server", "version", "start ms", "idle MiB", "KiB/connection", "held"]
    headings += ["visit kB", "disk MB"]
    rows = []
    for server, figures in results.idle.items():
        rows.append(
            [
                server,
                figures["version"],
                with_spread(figures["start_milliseconds"], 1),
                f"{figures['idle_memory_bytes'] / 2**20:.1f}",
                f"{figures['connection_memory_bytes'] / 2**10:.1f}",
                f"{figures['connections_held']:,}",
                f"{figures['first_visit_bytes'] / 1000:.1f}",
                f"{figures['size_bytes'] / 1e6:.1f}",
            ]
        )
    return headings, rows


def verdicts(results):
    rows = []
    for verdict in targets.judge(results):
        rows.append([verdict.target, verdict.outcome, verdict.judgement])
    return ["target", "outcome", ""], rows


def summary(results):
    """The table for README.md: the most important figures, one row per server."""
    columns = (
        ("CPU µs: page", "page-gzip", 64, "cpu_microseconds", 1),
        ("304", "not-modified", 64, "cpu_microseconds", 1),
        ("404", "not-found", 64, "cpu_microseconds", 1),
        ("pages/s", "page-gzip", 64, "requests_per_second", 0),
        ("p99 ms at 1,000", "page-gzip", 1000, "p99", 1, MILLISECOND),
    )
    headings = ["", *(title for title, *_ in columns)]
    headings += ["start ms", "idle MiB", "KiB/connection", "disk MB"]
    rows = []
    for server in dict.fromkeys([*results.servers(), *results.idle]):
        figures = results.idle.get(server)
        row = [f"{server} {figures['version']}" if figures else server]
        row += [cell(results, server, *column) for _, *column in columns]
        row += (
            [""] * 4
            if not figures
            else [
                with_spread(figures["start_milliseconds"], 1),
                f"{figures['idle_memory_bytes'] / 2**20:.1f}",
                f"{figures['connection_memory_bytes'] / 2**10:.1f}",
                f"{figures['size_bytes'] / 1e6:.1f}",
            ]
        )
        rows.append(row)
    return f"{heading(results)}. Pages in gzip, 64 connections.\n\n{markdown(headings, rows)}"


def text(results):
    parts = [heading(results)]
    for title, headings, rows in [*sections(results), ("targets", *verdicts(results))]:
        parts.append(f"\n{title}\n{table(headings, rows)}")
    parts += ["\ndifferences", *difference_lines(results)]
    return "\n".join(parts)


def as_markdown(results):
    parts = [heading(results), ""]
    for title, headings, rows in [*sections(results), ("targets", *verdicts(results))]:
        parts += [f"**{title}**", "", markdown(headings, rows), ""]
    parts += ["**differences**", "", *(f"- {line}" for line in difference_lines(results)), ""]
    return "\n".join(parts)


def heading(results):
    about = results.about
    return (
        f"{machine.line(about)}; one processor for the server, medians of "
        f"{about['rounds']} rounds of {about['seconds']} s and of {about['starts']} starts, ± the "
        "largest deviation from the median; memory and sizes: one measurement; "
        f"{UNSATURATED} the load did not saturate the server"
    )


def difference_lines(results):
    for server, differences in results.differences.items():
        yield f"{server}: {'; '.join(differences) or 'none'}"
    for server, failures in results.failures.items():
        for run, failure in failures.items():
            yield f"{server}: requests failed: {run}: {failure}"
    for server, install in results.missing.items():
        yield f"{server}: not measured, not installed: {install}"
