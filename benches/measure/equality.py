"""Checks that every server sends the same responses before it is measured."""

import subprocess
from dataclasses import dataclass

# Some servers compress a file at its first request, which takes seconds.
TIMEOUT_SECONDS = 30

# A server that omits one of these fields does less work. The site's other fields are its
# security policy.
FIELDS = ("etag", "vary", "cache-control", "accept-ranges")

# Fields that depend on the protocol or on the server's choice of framing.
IGNORED = {"date", "connection", "keep-alive", "content-length"}


class UnexpectedResponse(Exception):
    """Protocol, status or content of a response differs from the exported site."""


@dataclass(frozen=True)
class Response:
    """A response to curl: its version of HTTP, the header fields with names in lower case, the
    decoded content, and the number of bytes before it was decoded."""

    version: str
    status: int
    fields: dict
    content: bytes
    sent_bytes: int


def fetch(url, fields, is_http2):
    command = ["curl", "--silent", "--insecure", "--compressed", "--include"]
    command += ["--http2" if is_http2 else "--http1.1", "--max-time", str(TIMEOUT_SECONDS)]
    command += ["--write-out", "%{stderr}%{http_version} %{size_download}"]
    for name, value in fields.items():
        command += ["--header", f"{name}: {value}"]
    run = subprocess.run([*command, url], capture_output=True, check=False)
    if run.returncode:
        raise UnexpectedResponse(f"curl {url} fails with exit code {run.returncode}")
    head, _, content = run.stdout.partition(b"\r\n\r\n")
    status_line, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":")[::2] for line in lines)
    version, sent_bytes = run.stderr.decode().split()
    return Response(
        version,
        int(status_line.split()[1]),
        {name.lower(): value.strip() for name, value in pairs},
        content,
        int(sent_bytes),
    )


def validators_of(origin, requests):
    """The field with the validator of each path whose request is a revalidation."""
    validators = {}
    for request in requests:
        if request.status == 304:
            fields = fetch(f"{origin}{request.path}", request.fields({request.path: {}}), False)
            etag, date = fields.fields.get("etag"), fields.fields.get("last-modified")
            field = {"If-None-Match": etag} if etag else {"If-Modified-Since": date}
            validators[request.path] = field
    return validators


def responses(name, origin, loads, validators, site):
    """The responses of the server `name` by request. Raises UnexpectedResponse if one differs from
    the files in the folder `site`."""
    found = {}
    for load in loads:
        request = load.request
        url = f"{origin}{request.path}"
        response = fetch(url, request.fields(validators), load.is_http2)
        version = "2" if load.is_http2 else "1.1"
        if (response.version, response.status) != (version, request.status):
            raise UnexpectedResponse(
                f"{name}: {url} has status {response.status} over HTTP/{response.version}, "
                f"expected {request.status} over HTTP/{version}"
            )
        file = "404.html" if request.status == 404 else request.path[1:] or "index.html"
        content = b"" if request.status == 304 else (site / file).read_bytes()
        # static-web-server omits the line break at the end of its error page.
        if response.content.rstrip() != content.rstrip():
            raise UnexpectedResponse(f"{name}: {url} differs from {file} of the exported site")
        found[request] = response
    return found


def differences(responses, reference):
    """Sentences about the responses of a server that differ from those of this site."""
    for request, response in responses.items():
        expected = reference[request]
        title = f"{request.path} ({request.status})"
        missing = expected.fields.keys() - response.fields.keys() - IGNORED
        named = [field for field in FIELDS if field in missing]
        others = len(missing) - len(named)
        if missing:
            more = [f"{others} more header fields"] if others else []
            yield f"{title} without {', '.join(named + more)}"
        if request.status != 304 and response.sent_bytes != expected.sent_bytes:
            coding = response.fields.get("content-encoding", "uncompressed")
            yield f"{title} has {response.sent_bytes:,} bytes, {coding}"
