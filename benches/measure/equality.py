"""Checks that every server does the same work before it is measured."""

import subprocess
import zlib

from measure import products, wire, workloads

# A server that omits one of these fields does less work.
FIELDS = ("etag", "last-modified", "vary", "cache-control", "accept-ranges")


class UnexpectedResponse(Exception):
    """Status or content of a response differs from the exported site."""


def check_all(results, running, every, paths, site, clients=(wire.get,)):
    """Checks the responses of all `running` servers, by name with port and process, to the
    requests of the workloads `every` and for `paths`, with each of the `clients`. Raises
    UnexpectedResponse. The differences are added to the results."""
    requests = requests_of(every, paths)
    for name, (port, _) in running.items():
        found = [each for get in clients for each in check(name, port, requests, site, get)]
        results.differences[name] = list(dict.fromkeys(found))
        results.uncompressed[name] = [
            workload.key
            for workload in every
            if any(uncompressed(each) in found for each in workload.requests if each.status != 304)
        ]


def uncompressed(request):
    """The difference of a response that is not compressed."""
    return f"{request.path} not compressed"


def check(name, port, requests, site, get=wire.get):
    """Sends the requests to the server `name` by `get`. Raises UnexpectedResponse if a status
    or content differs from the folder `site`. Returns the other differences."""
    differences = []
    for request in requests:
        response = get(port, request.path, request.for_server(port))
        if response.status != request.status:
            raise UnexpectedResponse(
                f"{name}: {request.path} has status {response.status}, expected {request.status}"
            )
        if request.status != 304 and not is_expected(decoded(response), request, site):
            raise UnexpectedResponse(f"{name}: {request.path} differs from the exported file")
        differences += field_differences(response, request, site)
        differences += content_differences(response, request, site)
    return differences


def requests_of(selected, paths):
    """The requests of the workloads and those for `paths`, without duplicates."""
    requests = [request for workload in selected for request in workload.requests]
    requests += map(workloads.Request, paths)
    return [request for index, request in enumerate(requests) if request not in requests[:index]]


def is_expected(content, request, site):
    expected = file_of(request, site).read_bytes()
    if request.status == 404:
        # static-web-server omits the line break at the end of its error page.
        return content.rstrip() == expected.rstrip()
    return content == expected


def file_of(request, site):
    if request.status == 404:
        return site / "404.html"
    return site / (request.path.removeprefix("/") or "index.html")


def field_differences(response, request, site):
    """Yields missing and unexpected header fields."""
    prefix = {200: "", 304: "304: ", 404: "404: "}[response.status]
    coding = response.fields.get("content-encoding", "")
    expected = "br" if "br" in request.fields["Accept-Encoding"] else "gzip"
    is_compressible = not request.path.endswith((".png", ".webp", ".avif", ".woff2"))
    if response.status != 304 and is_compressible and coding != expected:
        yield f"{prefix}{coding} instead of {expected}" if coding else uncompressed(request)
    if response.status == 200 and response.fields.get("etag", "").startswith("W/"):
        yield "weak ETag"
    optional = set()
    if response.status == 304 or not coding:
        # A 304 repeats no field about ranges, and a file with one variant
        # needs no Vary.
        optional |= {"accept-ranges", "vary"}
    if response.status == 404:
        # A 404 is not revalidated.
        optional |= {"etag", "last-modified", "accept-ranges"}
    for field in FIELDS:
        if field not in response.fields and field not in optional:
            yield f"{prefix}no {field}"
    if request.path == "/" or response.status == 404:
        security = products.security_fields(site)
        present = sum(field in response.fields for field in security)
        if present < len(security):
            yield f"{prefix}{present} of {len(security)} security headers"


def content_differences(response, request, site):
    """Yields a difference if the content is not that of the exported variant."""
    suffix = {"br": ".br", "gzip": ".gz"}.get(response.fields.get("content-encoding"))
    if response.status == 304 or not suffix:
        return
    plain = file_of(request, site)
    variant = plain.with_name(plain.name + suffix)
    if variant.exists() and response.content != variant.read_bytes():
        received, exported = len(response.content), variant.stat().st_size
        yield f"{request.path} compressed again: {received:,} bytes instead of {exported:,}"


def decoded(response):
    coding = response.fields.get("content-encoding", "identity")
    if coding == "gzip":
        return zlib.decompress(response.content, wbits=31)
    if coding == "br":
        # Python has no Brotli decoder. Node.js has one, and builds the site anyway.
        script = "process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(0)))"
        return subprocess.run(
            ["node", "-e", script], input=response.content, capture_output=True, check=True
        ).stdout
    return response.content
