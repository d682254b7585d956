"""Whether every server does the same work: nobody wins by doing less."""

import subprocess
import zlib

from measure import wire

# Whatever one of these fields is for, a server that leaves it out has less to do.
FIELDS = ("etag", "last-modified", "vary", "cache-control", "accept-ranges")

SECURITY_FIELDS = (
    "content-security-policy",
    "cross-origin-embedder-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "origin-agent-cluster",
    "permissions-policy",
    "referrer-policy",
    "x-content-type-options",
    "x-frame-options",
)


class DifferentAnswer(Exception):
    """A server answers something else than the site's files say."""


def check(name, port, workloads, site):
    """Raises where the status or the content is another one than `site`, a
    folder, holds; returns what is missing or different around it."""
    differences = []
    for request in unique_requests(workloads):
        answer = wire.ask(port, request.path, request.for_server(port))
        if answer.status != request.status:
            raise DifferentAnswer(
                f"{name} answers {request.path} with {answer.status} instead of {request.status}"
            )
        # One of the servers drops the line break at the end of its error page.
        if request.status != 304 and decoded(answer).rstrip() != expected(request, site).rstrip():
            raise DifferentAnswer(f"{name} answers {request.path} with other content")
        for difference in around(answer, request):
            if difference not in differences:
                differences.append(difference)
    return differences


def unique_requests(workloads):
    requests = []
    for workload in workloads:
        requests += [request for request in workload.requests if request not in requests]
    return requests


def expected(request, site):
    if request.status == 404:
        return (site / "404.html").read_bytes()
    name = request.path.removeprefix("/") or "index.html"
    return (site / name).read_bytes()


def around(answer, request):
    """What is missing beside the content."""
    kind = {200: "", 304: "304: ", 404: "404: "}[answer.status]
    coding = answer.fields.get("content-encoding", "")
    wanted = "br" if "br" in request.fields["Accept-Encoding"] else "gzip"
    is_compressible = not request.path.endswith((".png", ".webp", ".avif", ".woff2"))
    if answer.status != 304 and is_compressible and coding != wanted:
        yield f"{kind}{coding or 'not compressed'} instead of {wanted}"
    if answer.status == 404:
        return
    if answer.status == 200 and answer.fields.get("etag", "").startswith("W/"):
        yield "weak ETag"
    missing = [field for field in FIELDS if field not in answer.fields]
    if answer.status == 304 or not coding:
        # A 304 repeats no field about ranges, and a file with one variant
        # needs no Vary.
        missing = [field for field in missing if field not in ("accept-ranges", "vary")]
    for field in missing:
        yield f"{kind}no {field}"
    if request.path == "/" and answer.status == 200:
        present = sum(field in answer.fields for field in SECURITY_FIELDS)
        if present < len(SECURITY_FIELDS):
            yield f"{present} of {len(SECURITY_FIELDS)} security headers"


def decoded(answer):
    coding = answer.fields.get("content-encoding", "identity")
    if coding == "gzip":
        return zlib.decompress(answer.content, wbits=31)
    if coding == "br":
        # Python's library has no Brotli; Node.js, which builds the site, has.
        script = "process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(0)))"
        return subprocess.run(
            ["node", "-e", script], input=answer.content, capture_output=True, check=True
        ).stdout
    return answer.content
