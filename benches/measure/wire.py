"""Requests and responses as raw bytes."""

import socket
import ssl
from dataclasses import dataclass

# Some servers compress a file at its first request, which takes seconds.
TIMEOUT_SECONDS = 30

# Accepts the certificate of the run, which no authority has signed.
UNVERIFIED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
UNVERIFIED.check_hostname = False
UNVERIFIED.verify_mode = ssl.CERT_NONE
UNVERIFIED.set_alpn_protocols(["http/1.1"])


class TlsPort(int):
    """A port on which a server speaks TLS."""


@dataclass(frozen=True)
class Response:
    """One response as it was received."""

    raw: bytes
    status: int
    fields: dict
    content: bytes


def request(port, path, fields=()):
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in dict(fields).items()]
    return "\r\n".join([*lines, "", ""]).encode()


def get(port, path, fields=()):
    """The response to one GET request on a new connection."""
    with connect(port) as connection:
        connection.sendall(request(port, path, fields))
        return read_response(connection)


def connect(port):
    connection = socket.create_connection(("127.0.0.1", int(port)), TIMEOUT_SECONDS)
    if not isinstance(port, TlsPort):
        return connection
    try:
        return UNVERIFIED.wrap_socket(connection, server_hostname="localhost")
    except BaseException:
        connection.close()
        raise


def responds(port, path="/"):
    """True if a server responds with 200."""
    try:
        return get(port, path).status == 200
    except (OSError, ValueError):
        return False


def read_response(connection):
    received = b""
    while b"\r\n\r\n" not in received:
        received += receive(connection)
    head, _, content = received.partition(b"\r\n\r\n")
    status, fields = parse_head(head)
    if status == 304:
        return Response(received, status, fields, b"")
    if fields.get("transfer-encoding") == "chunked":
        while (whole := unchunked(content)) is None:
            chunk = receive(connection)
            received += chunk
            content += chunk
        return Response(received, status, fields, whole)
    length = int(fields["content-length"])
    while len(content) < length:
        chunk = receive(connection)
        received += chunk
        content += chunk
    return Response(received, status, fields, content)


def parse_head(head):
    """The status and the header fields, with names in lower case."""
    status_line, *lines = head.decode("latin-1").split("\r\n")
    fields = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields[name.lower()] = value.strip()
    return int(status_line.split()[1]), fields


def receive(connection):
    received = connection.recv(65536)
    if not received:
        raise ValueError("the server closed the connection within a response")
    return received


def unchunked(chunks):
    """The content without trailers; None if the last chunk is missing."""
    content = b""
    while b"\r\n" in chunks:
        size, _, rest = chunks.partition(b"\r\n")
        length = int(size.split(b";")[0], 16)
        if len(rest) < length + 2:
            return None
        if length == 0:
            return content
        content += rest[:length]
        chunks = rest[length + 2 :]
    return None
