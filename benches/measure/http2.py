"""Responses over HTTP/2, by curl."""

import subprocess

from measure import wire


def get(port, path, fields=()):
    """The response to one GET request on a new connection. Raises ValueError if the server does
    not speak HTTP/2, and CalledProcessError without a response."""
    command = ["curl", "--silent", "--show-error", "--insecure", "--http2", "--include"]
    command += ["--max-time", str(wire.TIMEOUT_SECONDS)]
    for name, value in dict(fields).items():
        command += ["--header", f"{name}: {value}"]
    command.append(f"https://127.0.0.1:{int(port)}{path}")
    return parse(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def parse(raw):
    """The response in the output of curl: the head as in HTTP/1.1, and the content."""
    head, _, content = raw.partition(b"\r\n\r\n")
    version = head.partition(b" ")[0].decode("latin-1")
    if version != "HTTP/2":
        raise ValueError(f"the server speaks {version} instead of HTTP/2")
    return wire.Response(raw, *wire.parse_head(head), content)
