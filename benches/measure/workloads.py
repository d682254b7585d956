"""The requests that are sent to every server."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from measure import wire

BROWSER = {"Accept": "text/html,*/*;q=0.8", "Accept-Encoding": "gzip, deflate, br, zstd"}
PLAIN_HTTP_BROWSER = {**BROWSER, "Accept-Encoding": "gzip, deflate"}

# 64 connections for the throughput, 1,000 for a large number.
CONNECTIONS = (64, 1000)
# One connection for the latency.
CONNECTIONS_OF_PAGE = (1, *CONNECTIONS)


@dataclass(frozen=True)
class Request:
    """A path, its header fields, and the expected status."""

    path: str
    fields: dict = field(default_factory=lambda: BROWSER)
    status: int = 200
    revalidates: bool = False

    def for_server(self, port):
        """Header fields for one server. A revalidation contains a validator of that
        server."""
        if not self.revalidates:
            return self.fields
        response = wire.get(port, self.path, self.fields)
        if "etag" in response.fields:
            return {**self.fields, "If-None-Match": response.fields["etag"]}
        return {**self.fields, "If-Modified-Since": response.fields["last-modified"]}

    def response(self, port):
        """The response of the server on `port`."""
        return wire.get(port, self.path, self.for_server(port))


@dataclass(frozen=True)
class Workload:
    """Requests that are sent in turn, over each number of connections. `quick` has the
    numbers for `benches/peers --quick`, which leaves out a workload without any."""

    key: str
    title: str
    requests: tuple
    connections: tuple = CONNECTIONS
    keep_alive: bool = True
    quick: tuple = ()


class References(HTMLParser):
    """The files that a browser loads with a page."""

    def __init__(self):
        super().__init__()
        self.paths = []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        attribute = {"script": "src", "img": "src", "link": "href"}.get(tag)
        path = attributes.get(attribute) if attribute else None
        if tag == "link":
            relations = set((attributes.get("rel") or "").split())
            # A browser loads one icon, preferably the SVG.
            is_loaded = relations & {"stylesheet", "preload", "modulepreload", "manifest"} or (
                "icon" in relations and attributes.get("type") == "image/svg+xml"
            )
            path = path if is_loaded else None
        if path and path.startswith("/") and path not in self.paths:
            self.paths.append(path)


def references(site):
    """The files that the landing page loads: those that its HTML names, the font of
    its style sheet, and the scripts that its scripts import, inline or not."""
    html = (site / "index.html").read_text()
    parser = References()
    parser.feed(html)
    paths = [*parser.paths, *re.findall(r"url\([\"']?(/[^)\"']+\.woff2)", html)]
    sources = [path for path in parser.paths if path.endswith(".js")]
    # The document itself contains the first script.
    for script in (html, *((site / source[1:]).read_text() for source in sources)):
        names = re.findall(r'"(?:\./)?([\w-]+\.[0-9a-f]{8}\.js)"', script)
        paths += [f"/{name}" for name in names]
    return list(dict.fromkeys(paths))


def largest(site, paths, suffixes):
    candidates = (path for path in paths if path.endswith(suffixes))
    return max(candidates, key=lambda path: (site / path[1:]).stat().st_size)


def selected(workloads, quick):
    """The workloads to measure."""
    return [workload for workload in workloads if workload.quick or not quick]


def over_tls(site):
    """The workloads over TLS, where all requests of a workload have the same fields."""
    loaded = references(site)
    script = largest(site, loaded, (".js",))
    picture = largest(site, loaded, (".svg", ".webp", ".avif", ".png"))
    unchanged = Request("/", status=304, revalidates=True)
    # Another file is revalidated, because h2load sends its validator with every request.
    other = Request("/icon.svg", status=304, revalidates=True)
    session = (Request("/"), Request(script), Request(picture), other)
    return [
        Workload("page-brotli", "page, Brotli", (Request("/"),), quick=(64,)),
        Workload("script", "script, Brotli", (Request(script),)),
        Workload("not-modified", "revalidation, 304", (unchanged,), quick=(64,)),
        Workload("not-found", "404", (Request("/no-such-page", status=404),)),
        Workload("session", "session: page, script, picture, 304", session),
    ]


def of(site):
    """The workloads for the exported `site`, a folder."""
    loaded = references(site)
    script = largest(site, loaded, (".js",))
    picture = largest(site, loaded, (".svg", ".webp", ".avif", ".png"))
    page = Request("/")
    unchanged = Request("/", status=304, revalidates=True)
    return [
        Workload(
            "page-gzip",
            "page, gzip",
            (Request("/", PLAIN_HTTP_BROWSER),),
            CONNECTIONS_OF_PAGE,
            quick=(64,),
        ),
        Workload("page-brotli", "page, Brotli", (page,)),
        Workload("script", "script, Brotli", (Request(script),)),
        Workload("not-modified", "revalidation, 304", (unchanged,), quick=(64,)),
        Workload("not-found", "404", (Request("/no-such-page", status=404),)),
        Workload(
            "session",
            "session: page, script, picture, 304",
            (page, Request(script), Request(picture), unchanged),
        ),
        Workload(
            "connections",
            "page, one request per connection",
            (Request("/", {**BROWSER, "Connection": "close"}),),
            connections=(64,),
            keep_alive=False,
        ),
    ]
