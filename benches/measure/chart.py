"""The bar chart of a run, for light and dark backgrounds."""

from html import escape

from measure import targets

WIDTH, LABEL, VALUE = 760, 130, 70
BAR, GAP, TITLE, MARGIN = 18, 6, 44, 16

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 14px }
.note { fill: #57606a; font-size: 12px }
.bar { fill: #8c959f }
.site { fill: #c8402f }
.baseline { fill: #d0d7de }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .note { fill: #9198a1 }
  .bar { fill: #656c76 }
  .site { fill: #f0705c }
  .baseline { fill: #3d444d }
}
"""


def panels(results, secure=None):
    """Yields title, unit and value by server of each panel. Less is better in all."""
    for workload, connections, figure, scale, title in (
        ("page-gzip", 64, "cpu_microseconds", 1, "CPU time of a page, gzip, 64 connections"),
        ("not-modified", 64, "cpu_microseconds", 1, "CPU time of a 304, 64 connections"),
        ("page-gzip", 1000, "p99", 1000, "p99 latency of a page, gzip, 1000 connections"),
    ):
        values = medians(results, workload, connections, figure)
        unit = "µs" if scale == 1 else "ms"
        yield title, unit, {name: value / scale for name, value in values.items()}
    if secure:
        yield from panels_over_tls(secure)
    yield (
        "Memory when idle",
        "MiB",
        {name: figures["idle_memory_bytes"] / 2**20 for name, figures in results.idle.items()},
    )


def panels_over_tls(results):
    for workload, protocol, title in (
        ("handshake", "full handshake", "CPU time of a full handshake and a page, TLS 1.3"),
        ("page-brotli", "HTTP/1.1", "CPU time of a page, HTTP/1.1 over TLS"),
        ("page-brotli", "HTTP/2, 1 stream", "CPU time of a page, HTTP/2"),
    ):
        yield title, "µs", medians(results, workload, protocol, "cpu_microseconds")


def medians(results, workload, variant, figure):
    """By server, for those that were measured."""
    values = {
        server: results.median(server, workload, variant, figure) for server in results.servers()
    }
    return {server: value for server, value in values.items() if value}


def svg(results, secure=None):
    body, top = [], MARGIN
    for title, unit, values in panels(results, secure):
        if not values:
            continue
        body.append(text(MARGIN, top + 18, title, "title"))
        top += TITLE - BAR + GAP
        longest = max(values.values())
        for server, value in sorted(values.items(), key=lambda item: item[1]):
            length = (WIDTH - LABEL - VALUE - 2 * MARGIN) * value / longest
            body.append(text(MARGIN + LABEL - 8, top + 13, server, anchor="end"))
            body.append(
                f'<rect class="{css_class(server)}" x="{MARGIN + LABEL}" y="{top}" '
                f'width="{max(length, 1):.1f}" height="{BAR}" rx="3"/>'
            )
            body.append(text(MARGIN + LABEL + length + 6, top + 13, f"{value:.3g} {unit}"))
            top += BAR + GAP
        top += GAP
    about = results.about
    note = f"Less is better. {about['date']}, {about['machine']}, commit {about['commit']}"
    body.append(text(MARGIN, top + 14, note, "note"))
    height = top + 14 + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img">\n'
        f"<title>This site compared with other web servers</title>\n<style>{STYLE}</style>\n"
        + "\n".join(body)
        + "\n</svg>\n"
    )


def css_class(server):
    if server in targets.BASELINES:
        return "baseline"
    return "site" if server in targets.ROWS_OF_THE_SITE else "bar"


def text(x, y, content, css="", anchor="start"):
    css = f' class="{css}"' if css else ""
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}"{css}>{escape(content)}</text>'
