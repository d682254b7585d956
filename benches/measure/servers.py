"""The servers that are compared."""

import getpass
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from measure import processes

CONFIGURATIONS = Path(__file__).parent.parent / "peers.d"

# Debian installs servers in a folder that only root's PATH contains, and Cargo in one of its own.
SEARCH_PATH = os.pathsep.join(
    [os.environ.get("PATH", ""), "/usr/sbin", str(Path.home() / ".cargo" / "bin")]
)

# A public site sets an origin, which its pages contain.
ORIGIN = "https://recipes.example"

# Caddy chooses a certificate by the address if the client names no host.
CERTIFICATE_NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1"


@dataclass(frozen=True)
class Server:
    """How a server is found and started. Arguments, environment and configuration contain these
    placeholders as `@NAME@`: PORT, SITE, RUN (a scratch folder), USER, FILES and CONNECTIONS
    (maximum numbers), CONFIGURATION, and with TLS also CERTIFICATE and KEY. Lines of the
    configuration that begin with `@PLAIN@` or `@TLS@` are used only without TLS, or with it."""

    name: str
    program: str
    arguments: tuple
    # With TLS, instead of `arguments`; empty if they are the same.
    tls_arguments: tuple = ()
    configuration: str = ""
    version: tuple = ("--version",)
    install: str = ""
    environment: tuple = ()
    # Files that are loaded at run time.
    modules: tuple = ()

    def path(self):
        return shutil.which(self.program, path=SEARCH_PATH)

    def missing(self):
        """True if the program or one of its modules is not installed."""
        return not self.path() or not all(Path(module).exists() for module in self.modules)

    def title(self):
        """The name and the version."""
        command = [self.path(), *self.version]
        shown = subprocess.run(command, capture_output=True, text=True, check=False)
        found = re.search(r"\d+\.\d+(\.\d+)*", shown.stdout + shown.stderr)
        return f"{self.name} {found[0]}" if found else self.name

    @contextmanager
    def started(self, port, site, scratch, tls):
        """Starts the server on `port` for the files in the folder `site`, with one worker; returns
        its process id."""
        folder = scratch / f"{self.name.replace(' ', '-')}-{port}"
        folder.mkdir(exist_ok=True)
        placeholders = {
            "PORT": port,
            "SITE": site,
            "RUN": folder,
            "USER": getpass.getuser(),
            "FILES": processes.file_limit(),
            "CONNECTIONS": processes.CONNECTIONS_MAX,
        }
        if tls:
            placeholders |= certificate(scratch)
        if self.configuration:
            text = (CONFIGURATIONS / self.configuration).read_text()
            text = selected(text, "TLS" if tls else "PLAIN")
            placeholders["CONFIGURATION"] = folder / self.configuration
            placeholders["CONFIGURATION"].write_text(filled(text, placeholders))
        arguments = self.tls_arguments if tls and self.tls_arguments else self.arguments
        command = [self.path(), *(filled(argument, placeholders) for argument in arguments)]
        # Servers that write to HOME write to the scratch folder.
        environment = {name: filled(value, placeholders) for name, value in self.environment}
        environment = {"HOME": str(folder), **environment}
        with processes.listening(command, environment, folder, port) as pid:
            yield pid


def certificate(folder):
    """The placeholders for the certificate of all servers of a run, made at the first call."""
    chain, key = folder / "certificate.pem", folder / "key.pem"
    if not chain.exists():
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"]
        command += ["ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj", "/CN=localhost"]
        command += ["-addext", CERTIFICATE_NAMES, "-keyout", key, "-out", chain]
        subprocess.run(command, check=True, capture_output=True)
        # Some servers read the key as another user. It is used by this run alone.
        key.chmod(0o644)
    return {"CERTIFICATE": chain, "KEY": key}


def selected(text, condition):
    """The lines of `text` without a condition, and those whose condition holds."""
    lines = text.replace(f"@{condition}@", "").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("@PLAIN@", "@TLS@")))


def filled(text, placeholders):
    """The `text` with values for its placeholders `@NAME@`."""
    return re.sub(r"@([A-Z]+)@", lambda match: str(placeholders[match[1]]), text)


def site(executable):
    rest = ("--threads", "1", "--max-connections", "@CONNECTIONS@", "--origin", ORIGIN)
    pair = ("--tls-cert", "@CERTIFICATE@", "--tls-key", "@KEY@")
    return Server(
        name="this site",
        program=str(executable),
        arguments=("--listen", "127.0.0.1:@PORT@", *rest),
        tls_arguments=("--tls-listen", "127.0.0.1:@PORT@", *pair, *rest),
    )


PEERS = (
    Server(
        name="nginx",
        program="nginx",
        arguments=("-p", "@RUN@", "-c", "@CONFIGURATION@"),
        configuration="nginx.conf",
        version=("-v",),
        install="apt-get install nginx-light libnginx-mod-http-brotli-static",
        modules=("/usr/lib/nginx/modules/ngx_http_brotli_static_module.so",),
    ),
    Server(
        name="h2o",
        program="h2o",
        arguments=("--mode", "worker", "--conf", "@CONFIGURATION@"),
        configuration="h2o.yaml",
        install="apt-get install h2o",
    ),
    Server(
        name="lighttpd",
        program="lighttpd",
        arguments=("-D", "-f", "@CONFIGURATION@"),
        configuration="lighttpd.conf",
        version=("-v",),
        install="apt-get install lighttpd lighttpd-mod-deflate lighttpd-mod-openssl",
        modules=("/usr/lib/lighttpd/mod_deflate.so", "/usr/lib/lighttpd/mod_openssl.so"),
    ),
    Server(
        name="Caddy",
        program="caddy",
        arguments=("run", "--config", "@CONFIGURATION@", "--adapter", "caddyfile"),
        configuration="Caddyfile",
        version=("version",),
        install="apt-get install caddy",
        environment=(("GOMAXPROCS", "1"),),
    ),
    Server(
        name="static-web-server",
        program="static-web-server",
        arguments=("--config-file", "@CONFIGURATION@"),
        configuration="static-web-server.toml",
        install="cargo install static-web-server",
    ),
)
