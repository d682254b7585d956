"""The servers that stand side by side."""

import getpass
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from measure import processes, wire

CONFIGURATIONS = Path(__file__).parent.parent / "peers.d"

# Debian keeps servers where only root's PATH leads; cargo has its own place.
SEARCH_PATH = os.pathsep.join(
    [os.environ.get("PATH", ""), "/usr/sbin", str(Path.home() / ".cargo" / "bin")]
)


@dataclass(frozen=True)
class Server:
    """How a server is found, started and told apart. `@NAME@` stands for what
    a run decides: PORT, SITE, RUN (a scratch folder), USER, FILES and
    CONNECTIONS (that may be open) and CONFIGURATION."""

    name: str
    program: str
    arguments: tuple
    configuration: str = ""
    version: tuple = ()
    install: str = ""
    environment: tuple = ()
    # Loaded at run time, so that `ldd` does not name them.
    modules: tuple = ()
    # It carries the site within itself.
    self_contained: bool = False
    # It answers everything with one prepared answer: a yardstick, no peer.
    answers_one: bool = False

    def path(self):
        return shutil.which(self.program, path=SEARCH_PATH)

    def missing(self):
        """What has to be installed; nothing where all is there."""
        return not self.path() or not all(Path(module).exists() for module in self.modules)

    def version_text(self):
        if not self.version:
            return ""
        shown = subprocess.run([self.path(), *self.version], capture_output=True, text=True)
        found = re.search(r"\d+\.\d+(\.\d+)*", shown.stdout + shown.stderr)
        return found[0] if found else ""

    @contextmanager
    def started(self, port, site, folder, connections=None):
        """The running server on `port`, set up for so many connections or for as
        many as there can be, its process id and the seconds from its start to its
        first answer."""
        folder = Path(folder) / f"{self.name.replace(' ', '-')}-{port}"
        folder.mkdir(parents=True, exist_ok=True)
        places = {
            "PORT": port,
            "SITE": site,
            "RUN": folder,
            "USER": getpass.getuser(),
            "FILES": processes.file_limit(),
            "CONNECTIONS": connections or processes.connection_limit(),
        }
        if self.configuration:
            rendered = fill((CONFIGURATIONS / self.configuration).read_text(), places)
            places["CONFIGURATION"] = folder / self.configuration
            places["CONFIGURATION"].write_text(rendered)
        command = [self.path(), *(fill(argument, places) for argument in self.arguments)]
        # What a server keeps for itself goes where the run's files go.
        environment = {"HOME": str(folder), **dict(self.environment)}
        with processes.running(command, environment, folder) as process:
            ready = (lambda: connects(port)) if self.answers_one else (lambda: wire.answers(port))
            seconds = processes.wait_until(ready, process, folder / processes.LOG)
            yield process.pid, seconds

    def size_bytes(self, site):
        """All that it needs to run: program, libraries, modules, and the site
        with its variants where it does not carry them itself."""
        files = {Path(self.path()).resolve(), *map(Path, self.modules)}
        for program in list(files):
            shown = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
            files |= {Path(found).resolve() for found in re.findall(r"(/\S+) \(0x", shown)}
        if not self.self_contained:
            files |= {file for file in Path(site).rglob("*") if file.is_file()}
        return sum(file.stat().st_size for file in files)


def connects(port):
    try:
        wire.connect(port).close()
    except OSError:
        return False
    return True


def fill(text, places):
    return re.sub(r"@([A-Z]+)@", lambda place: str(places[place[1]]), text)


def site(executable, name="this site", settings=()):
    return Server(
        name=name,
        program=str(executable),
        arguments=("--listen", "127.0.0.1:@PORT@", "--max-connections", "@CONNECTIONS@", *settings),
        version=("--version",),
        self_contained=True,
    )


def yardsticks(bare_hyper, bare_socket, answer):
    """A bare hyper handler and a bare socket that send the file `answer`."""
    arguments = ("@PORT@", str(answer))
    return [
        Server("bare hyper", str(bare_hyper), arguments, answers_one=True),
        Server("bare socket", str(bare_socket), arguments, answers_one=True),
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
        install="apt-get install lighttpd lighttpd-mod-deflate",
        modules=("/usr/lib/lighttpd/mod_deflate.so",),
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
        version=("--version",),
        install="cargo install static-web-server",
    ),
)
