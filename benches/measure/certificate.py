"""The certificate that all servers of a run present."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

# Caddy chooses a certificate by the address if the client names no host.
NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1"


@dataclass(frozen=True)
class Pair:
    """The files of a certificate and of its key."""

    certificate: Path
    key: Path


def pair(folder):
    """An ECDSA certificate for P-256 in `folder`, which is made at the first call."""
    made = Pair(folder / "certificate.pem", folder / "key.pem")
    if not made.certificate.exists():
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"]
        command += ["ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj", "/CN=localhost"]
        command += ["-addext", NAMES, "-keyout", made.key, "-out", made.certificate]
        subprocess.run(command, check=True, capture_output=True)
        # Some servers read the key as another user. It is used by this run alone.
        made.key.chmod(0o644)
    return made
