"""The servers that are compared."""

import getpass
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from measure import certificate, processes, wire

CONFIGURATIONS = Path(__file__).parent.parent / "peers.d"

# Debian installs servers in a folder that only root's PATH contains, and Cargo in one
# of its own.
SEARCH_PATH = os.pathsep.join(
    [os.environ.get("PATH", ""), "/usr/sbin", str(Path.home() / ".cargo" / "bin")]
)


@dataclass(frozen=True)
class Server:
    """How a server is found and started. Arguments, environment and configuration contain
    these placeholders as `@NAME@`: PORT, SITE, RUN (a scratch folder), USER, FILES and
    CONNECTIONS (maximum numbers), WORKERS and CONFIGURATION, and with TLS also CERTIFICATE and
    KEY. Lines of the configuration that begin with `@PLAIN@`, `@TLS@` or `@SEVERAL@` are used
    only without TLS, with it, or with several workers."""

    name: str
    program: str
    arguments: tuple
    configuration: str = ""
    version: tuple = ()
    install: str = ""
    environment: tuple = ()
    # Files that are loaded at run time, which `ldd` does not list.
    modules: tuple = ()
    # True if the executable contains the site.
    self_contained: bool = False
    # True for a baseline: it sends one prepared response to any request.
    is_baseline: bool = False

    def path(self):
        return shutil.which(self.program, path=SEARCH_PATH)

    def missing(self):
        """True if the program or one of its modules is not installed."""
        return not self.path() or not all(Path(module).exists() for module in self.modules)

    def version_text(self):
        if not self.version:
            return ""
        command = [self.path(), *self.version]
        shown = subprocess.run(command, capture_output=True, text=True, check=False)
        found = re.search(r"\d+\.\d+(\.\d+)*", shown.stdout + shown.stderr)
        return found[0] if found else ""

    @contextmanager
    def started(self, port, site, folder, connections=None, cpus=processes.SERVER_CPUS):
        """Starts the server on `port`, with one worker for each processor of `cpus`; returns
        its process id and the seconds to its first response. `connections` is the maximum that
        it is configured for; the default is connection_limit(). Raises RuntimeError if another
        process has the port, which would be measured instead, or if the server does not start."""
        if connects(int(port)):
            raise RuntimeError(f"{self.name}: port {port} is in use; end the process that has it")
        scratch = Path(folder)
        folder = scratch / f"{self.name.replace(' ', '-')}-{port}"
        folder.mkdir(parents=True, exist_ok=True)
        placeholders = {
            "PORT": port,
            "SITE": site,
            "RUN": folder,
            "USER": getpass.getuser(),
            "FILES": processes.file_limit(),
            "CONNECTIONS": connections or processes.connection_limit(),
            "WORKERS": len(cpus),
        }
        if isinstance(port, wire.TlsPort):
            pair = certificate.pair(scratch)
            placeholders |= {"CERTIFICATE": pair.certificate, "KEY": pair.key}
        if self.configuration:
            text = (CONFIGURATIONS / self.configuration).read_text()
            rendered = fill(selected(text, conditions(port, cpus)), placeholders)
            placeholders["CONFIGURATION"] = folder / self.configuration
            placeholders["CONFIGURATION"].write_text(rendered)
        command = [self.path(), *(fill(argument, placeholders) for argument in self.arguments)]
        # Servers that write to HOME write to the scratch folder.
        environment = {name: fill(value, placeholders) for name, value in self.environment}
        environment = {"HOME": str(folder), **environment}
        with processes.running(command, environment, folder, cpus) as process:
            is_ready = connects if self.is_baseline else wire.responds
            seconds = processes.wait_until(lambda: is_ready(port), process, folder / processes.LOG)
            yield process.pid, seconds

    def size_bytes(self, site):
        """Size of all files that the server needs: program, libraries, modules, and the
        site with its variants unless the program contains it."""
        files = self.program_files()
        if not self.self_contained:
            files |= {file for file in Path(site).rglob("*") if file.is_file()}
        return sum(file.stat().st_size for file in files)

    def program_files(self):
        """The program, its modules, and the libraries that it loads."""
        files = {Path(self.path()).resolve(), *map(Path, self.modules)}
        for program in list(files):
            command = ["ldd", program]
            shown = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            files |= {Path(found).resolve() for found in re.findall(r"(/\S+) \(0x", shown)}
        return files


def connects(port):
    """True if the port accepts a connection."""
    try:
        wire.connect(port).close()
    except OSError:
        return False
    return True


def conditions(port, cpus):
    """The conditions of configuration lines, such as TLS, that hold for a server."""
    protocol = "TLS" if isinstance(port, wire.TlsPort) else "PLAIN"
    return {protocol, "SEVERAL"} if len(cpus) > 1 else {protocol}


def selected(text, holding):
    """The lines of `text` without a condition, and those whose condition is in `holding`."""

    def line(match):
        return match[2] if match[1] in holding else ""

    return re.sub(r"^@(PLAIN|TLS|SEVERAL)@(.*\n)", line, text, flags=re.MULTILINE)


def fill(text, placeholders):
    """Replaces the placeholders `@NAME@` in `text`."""
    return re.sub(r"@([A-Z]+)@", lambda match: str(placeholders[match[1]]), text)


def site(
    executable,
    name="this site",
    settings=(),
    listen=("--listen", "127.0.0.1:@PORT@"),
    workers="@WORKERS@",
):
    limits = ("--threads", str(workers), "--max-connections", "@CONNECTIONS@")
    return Server(
        name=name,
        program=str(executable),
        arguments=(*listen, *limits, *settings),
        version=("--version",),
        self_contained=True,
    )


def site_over_tls(executable, name="this site", settings=()):
    listen = ("--tls-listen", "127.0.0.1:@PORT@", "--tls-cert", "@CERTIFICATE@", "--tls-key")
    return site(executable, name, settings, (*listen, "@KEY@"))


def bare_tls(executable, response):
    """A hyper handler over rustls, which sends the file `response`."""
    arguments = ("@PORT@", str(response), "@CERTIFICATE@", "@KEY@")
    return Server("bare TLS", str(executable), arguments, is_baseline=True)


def baselines(bare_hyper, bare_socket, response):
    """A bare hyper handler and a bare socket, which send the file `response`."""
    arguments = ("@PORT@", str(response))
    return [
        Server("bare hyper", str(bare_hyper), arguments, is_baseline=True),
        Server("bare socket", str(bare_socket), arguments, is_baseline=True),
    ]


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
        version=("--version",),
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
        environment=(("GOMAXPROCS", "@WORKERS@"),),
    ),
    Server(
        name="static-web-server",
        program="static-web-server",
        arguments=("--config-file", "@CONFIGURATION@"),
        configuration="static-web-server.toml",
        version=("--version",),
        install="cargo install static-web-server",
    ),
)
