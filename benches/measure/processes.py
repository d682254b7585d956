"""Server processes: start, end, processor time and memory."""

import os
import resource
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# For the start, and for the end, of a server.
TIMEOUT_SECONDS = 10

# The number of connections that servers are configured for: more than any load opens, because
# nginx closes idle connections when less than a sixteenth is free.
CONNECTIONS_MAX = 12_000

CPUS = sorted(os.sched_getaffinity(0))

# The processor of every server, and of its load.
ONE = CPUS[:1]


def raise_file_limit():
    """Raises the limit on open files of this process and its children to the hard limit."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (file_limit(), file_limit()))


def file_limit():
    """The hard limit on open files of a process."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def idle_connection_limit():
    """The number of connections that every server can hold. Some of them open two files for
    each."""
    return file_limit() // 2 - 100


def start(command, cpus, policy=os.SCHED_OTHER, **options):
    """Starts a process on the processors `cpus`, with `options` of Popen."""

    def prepare():
        os.sched_setaffinity(0, cpus)
        os.sched_setscheduler(0, policy, os.sched_param(0))

    return subprocess.Popen(command, preexec_fn=prepare, **options)


@contextmanager
def ended_after(process):
    """Ends the process at the end of the block."""
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            for pid in tree(process.pid):
                os.kill(pid, signal.SIGKILL)
            process.wait()


@contextmanager
def listening(command, environment, folder, port):
    """The process id of a server that listens on `port`, until the end of the block. Raises
    RuntimeError if another process has the port, which would be measured instead, or if the server
    does not start."""
    if connects(port):
        raise RuntimeError(f"port {port} is in use; end the process that has it")
    log = folder / "server.log"
    with log.open("wb") as output:
        process = start(
            command,
            ONE,
            # Load and server share processors. A process with this policy does not interrupt the
            # load when a request arrives, but runs when the load waits for responses.
            policy=os.SCHED_BATCH,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            env={**os.environ, **environment},
        )
    with ended_after(process):
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not connects(port):
            if process.poll() is not None or time.monotonic() > deadline:
                lines = log.read_text(errors="replace").splitlines()[-3:]
                raise RuntimeError("\n".join([f"{command[0]} did not start:", *lines]))
            time.sleep(0.01)
        yield process.pid


def connects(port):
    """True if a process listens on the port."""
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def tree(pid):
    """The process `pid` and its descendants."""
    pids = [pid]
    for parent in pids:
        for task in tasks(parent):
            pids += [int(child) for child in text_of(task / "children").split()]
    return pids


def tasks(pid):
    return list(Path(f"/proc/{pid}/task").iterdir())


@dataclass(frozen=True)
class Usage:
    """What a process tree has used: seconds of processor time, also of threads that have ended,
    and how often a thread has waited."""

    seconds: float
    waits: int

    def __sub__(self, earlier):
        return Usage(self.seconds - earlier.seconds, self.waits - earlier.waits)


def usage(pid):
    pids = tree(pid)
    # The identifier of a process's clock, computed as by clock_getcpuclockid(3).
    seconds = sum(time.clock_gettime((~member << 3) | 2) for member in pids)
    files = [task / "status" for member in pids for task in tasks(member)]
    return Usage(seconds, sum(number(file, "voluntary_ctxt_switches:") for file in files))


def open_files(pid):
    """The number of files that a process tree has open. Each connection is one."""
    return sum(len(list(Path(f"/proc/{member}/fd").iterdir())) for member in tree(pid))


def wait_until_idle(pid):
    """Waits, at most 30 s, until the server uses less than one per cent of a processor."""
    used = usage(pid).seconds
    for _ in range(30):
        time.sleep(1)
        before, used = used, usage(pid).seconds
        if used - before < 0.01:
            return


def memory_bytes(pid):
    """Proportional set size of a process tree."""
    files = [Path(f"/proc/{member}/smaps_rollup") for member in tree(pid)]
    return sum(number(file, "Pss:") for file in files) * 1024


def number(file, name):
    """The number behind `name` in a file of /proc; 0 if there is none."""
    lines = text_of(file).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def text_of(file):
    """The text of a file of /proc, which is empty if its thread has ended."""
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
