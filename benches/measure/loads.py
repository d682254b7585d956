"""The requests and loads that are sent to every server."""

from dataclasses import dataclass

ACCEPT = {"Accept": "text/html,*/*;q=0.8"}


@dataclass(frozen=True)
class Request:
    """A path, the codings that the client accepts, and the expected status. 304 is the answer to a
    revalidation."""

    path: str
    codings: str
    status: int = 200

    def fields(self, validators):
        """The header fields. A revalidation contains one of a server's `validators`, by request."""
        fields = {**ACCEPT, "Accept-Encoding": self.codings}
        return fields | validators[self.path] if self.status == 304 else fields


# Browsers accept Brotli over HTTPS only.
GZIP = "gzip, deflate"
BROTLI = "gzip, deflate, br, zstd"

PLAIN_PAGE = Request("/", GZIP)
PAGE = Request("/", BROTLI)
NOT_MODIFIED = Request("/", BROTLI, 304)
NOT_FOUND = Request("/no-such-page", BROTLI, 404)


@dataclass(frozen=True)
class Load:
    """Requests that each of the connections repeats. With `is_handshake`, each connection sends
    one; with `is_hybrid`, too, after the key exchange of browsers."""

    title: str
    request: Request = PAGE
    is_http2: bool = False
    connections: int = 64
    # Requests that a connection has open at a time.
    streams: int = 1
    is_handshake: bool = False
    is_hybrid: bool = False


@dataclass(frozen=True)
class Group:
    """Loads that are sent to the same processes."""

    title: str
    loads: tuple
    tls: bool = False


GROWTH = tuple(
    Load(f"page, {connections:,} connections", PLAIN_PAGE, connections=connections)
    for connections in (64, 1_000, 10_000)
)

GROUPS = (
    Group(
        "HTTPS",
        (
            Load("handshake", is_http2=True, connections=250, is_handshake=True),
            Load("handshake, X25519MLKEM768", is_hybrid=True, connections=250),
            Load("page, HTTP/1.1"),
            Load("page, HTTP/2", is_http2=True),
            Load("page, 10 streams", is_http2=True, streams=10),
            Load("304, HTTP/2", NOT_MODIFIED, is_http2=True),
            Load("404, HTTP/2", NOT_FOUND, is_http2=True),
        ),
        tls=True,
    ),
    Group("HTTP", (*GROWTH, Load("304", NOT_MODIFIED), Load("404", NOT_FOUND))),
)

QUICK = (
    Group("HTTPS", tuple(GROUPS[0].loads[index] for index in (0, 3)), tls=True),
    Group("HTTP", GROWTH[:1]),
)
