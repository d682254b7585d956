"""Whether every server does the same work: nobody wins by doing less."""

import subprocess
import zlib

from measure import wire, workloads

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


def check(name, port, asked, site):
    """Raises where the status or the content is another one than `site`, a
    folder, holds; returns what is missing or different around it."""
    differences = []
    for request in asked:
        answer = wire.ask(port, request.path, request.for_server(port))
        if answer.status != request.status:
            raise DifferentAnswer(
                f"{name} answers {request.path} with {answer.status} instead of {request.status}"
            )
        if request.status != 304 and not is_expected(decoded(answer), request, site):
            raise DifferentAnswer(f"{name} answers {request.path} with other content")
        differences += around(answer, request)
        differences += in_length(answer, request, site)
    return list(dict.fromkeys(differences))


def asked_of(works, paths):
    """Each request of the workloads once, and the files that a first visit loads."""
    requests = [request for work in works for request in work.requests]
    requests += map(workloads.Request, paths)
    return [request for place, request in enumerate(requests) if request not in requests[:place]]


def is_expected(content, request, site):
    expected = file_of(request, site).read_bytes()
    if request.status == 404:
        # static-web-server drops the line break at the end of its error page.
        return content.rstrip() == expected.rstrip()
    return content == expected


def file_of(request, site):
    if request.status == 404:
        return site / "404.html"
    return site / (request.path.removeprefix("/") or "index.html")


def around(answer, request):
    """What is missing beside the content."""
    kind = {200: "", 304: "304: ", 404: "404: "}[answer.status]
    coding = answer.fields.get("content-encoding", "")
    wanted = "br" if "br" in request.fields["Accept-Encoding"] else "gzip"
    is_compressible = not request.path.endswith((".png", ".webp", ".avif", ".woff2"))
    if answer.status != 304 and is_compressible and coding != wanted:
        yield f"{kind}{coding or 'not compressed'} instead of {wanted}"
    if answer.status == 200 and answer.fields.get("etag", "").startswith("W/"):
        yield "weak ETag"
    needless = set()
    if answer.status == 304 or not coding:
        # A 304 repeats no field about ranges, and a file with one variant
        # needs no Vary.
        needless |= {"accept-ranges", "vary"}
    if answer.status == 404:
        # Nobody keeps it, so nobody asks for it again.
        needless |= {"etag", "last-modified", "accept-ranges"}
    for field in FIELDS:
        if field not in answer.fields and field not in needless:
            yield f"{kind}no {field}"
    if request.path == "/" or answer.status == 404:
        present = sum(field in answer.fields for field in SECURITY_FIELDS)
        if present < len(SECURITY_FIELDS):
            yield f"{kind}{present} of {len(SECURITY_FIELDS)} security headers"


def in_length(answer, request, site):
    """Whether other bytes are sent than those of the exported variant."""
    suffix = {"br": ".br", "gzip": ".gz"}.get(answer.fields.get("content-encoding"))
    if answer.status == 304 or not suffix:
        return
    plain = file_of(request, site)
    variant = plain.with_name(plain.name + suffix)
    if variant.exists() and answer.content != variant.read_bytes():
        exported = variant.stat().st_size
        yield f"{request.path} compressed anew: {len(answer.content):,} bytes, not {exported:,}"


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
