"""Requests and answers as raw bytes."""

import socket
from dataclasses import dataclass

# Compressing a file for the first time takes some servers seconds.
TIMEOUT_SECONDS = 30


@dataclass(frozen=True)
class Answer:
    """One response as it came over the wire."""

    raw: bytes
    status: int
    fields: dict
    content: bytes


def request(port, path, fields=()):
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in dict(fields).items()]
    return "\r\n".join([*lines, "", ""]).encode()


def ask(port, path, fields=()):
    """The answer to one request on a connection of its own."""
    with connect(port) as connection:
        connection.sendall(request(port, path, fields))
        return read_answer(connection)


def connect(port):
    return socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS)


def answers(port, path="/"):
    """Whether a server is there and answers 200."""
    try:
        return ask(port, path).status == 200
    except (OSError, ValueError):
        return False


def read_answer(connection):
    received = b""
    while b"\r\n\r\n" not in received:
        received += more(connection)
    head, _, content = received.partition(b"\r\n\r\n")
    status_line, *lines = head.decode("latin-1").split("\r\n")
    fields = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields[name.lower()] = value.strip()
    status = int(status_line.split()[1])
    if status == 304:
        return Answer(received, status, fields, b"")
    if fields.get("transfer-encoding") == "chunked":
        while (whole := unchunked(content)) is None:
            part = more(connection)
            received += part
            content += part
        return Answer(received, status, fields, whole)
    length = int(fields["content-length"])
    while len(content) < length:
        part = more(connection)
        received += part
        content += part
    return Answer(received, status, fields, content)


def more(connection):
    part = connection.recv(65536)
    if not part:
        raise ValueError("the connection ended within an answer")
    return part


def unchunked(chunks):
    """The content, without trailers; None until its last chunk is there."""
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
