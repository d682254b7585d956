"""Server processes: start, stop, processor time and memory."""

import os
import resource
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

START_TIMEOUT_SECONDS = 10
STOP_TIMEOUT_SECONDS = 5

# File in a server's folder that gets its output.
LOG = "server.log"

# A server has one processor for itself, and the load uses the others. On a machine
# with one processor they share it.
CPUS = sorted(os.sched_getaffinity(0))
SERVER_CPUS = CPUS[:1]
LOAD_CPUS = CPUS[1:] or CPUS

# Enough for 10,000 connections with two files each, and for the program's own files.
REQUIRED_FILES = 21_000


def raise_file_limit():
    """Raises the limit on open files of this process and its children to
    REQUIRED_FILES, or, without the permission for that, to the hard limit."""
    try:
        limit = max(file_limit(), REQUIRED_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    except ValueError:
        resource.setrlimit(resource.RLIMIT_NOFILE, (file_limit(), file_limit()))


def file_limit():
    """The hard limit on open files of a process."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def connection_limit():
    """The number of connections that every server can hold. Some of them open two
    files for each."""
    return file_limit() // 2


def restrict_to_load_cpus():
    """Restricts this process and its later children to the processors of the load."""
    os.sched_setaffinity(0, LOAD_CPUS)


def start(command, cpus, **options):
    """Starts a process on the processors `cpus`, with `options` of Popen."""
    return subprocess.Popen(command, preexec_fn=lambda: os.sched_setaffinity(0, cpus), **options)


@contextmanager
def client(command, cpus, **options):
    """A process that writes text to a pipe. It is ended at the end of the block."""
    with start(command, cpus, stdout=subprocess.PIPE, text=True, **options) as process:
        try:
            yield process
        finally:
            # Not left to Popen, which hardly waits after KeyboardInterrupt.
            stop(process)


@contextmanager
def running(command, environment, folder, cpus=SERVER_CPUS):
    """The process of a server on the processors `cpus`, which is stopped at the end of the block.
    Its output goes to LOG in `folder`."""
    # These then end the block with an exception, as SIGINT does, and the server stops. A signal
    # that is ignored, as SIGHUP is with nohup, stays ignored.
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    with (folder / LOG).open("ab") as log:
        process = start(
            command,
            cpus,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            env={**os.environ, **environment},
            # When it stops, lighttpd with several workers ends its whole process group, which
            # must not contain this process.
            start_new_session=True,
        )
        try:
            yield process
        finally:
            stop(process)


def stop(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            for pid in tree(process.pid):
                os.kill(pid, signal.SIGKILL)
            process.wait()


def wait_until(is_ready, process, log):
    """Waits until `is_ready()` is true; returns the time in seconds. Raises RuntimeError with
    the last lines of `log` if the process ends, or takes longer than START_TIMEOUT_SECONDS."""
    begin = time.perf_counter()
    while True:
        is_over = is_ready()
        seconds = time.perf_counter() - begin
        # After `is_ready`, because another process may have responded.
        if process.poll() is not None:
            raise failure(
                process, f"ended with exit code {process.returncode} before it responded", log
            )
        if is_over:
            return seconds
        if seconds > START_TIMEOUT_SECONDS:
            raise failure(process, f"does not respond within {START_TIMEOUT_SECONDS} s", log)


def failure(process, problem, log):
    lines = log.read_text(errors="replace").splitlines()[-3:]
    return RuntimeError("\n".join([f"{process.args[0]} {problem}; its last output:", *lines]))


def tree(pid):
    """The process `pid` and its descendants."""
    pids = [pid]
    for parent in pids:
        try:
            for task in Path(f"/proc/{parent}/task").iterdir():
                pids += [int(child) for child in (task / "children").read_text().split()]
        except FileNotFoundError:
            continue
    return pids


def cpu_seconds(pid):
    """Processor time of a process tree, including threads that have ended."""
    seconds = 0
    for member in tree(pid):
        try:
            seconds += time.clock_gettime(cpu_clock(member))
        except OSError:
            continue
    return seconds


def cpu_clock(pid):
    """The identifier of a process's clock, computed as by clock_getcpuclockid(3)."""
    return (~pid << 3) | 2


def memory_bytes(pid):
    """Proportional set size of a process tree."""
    kibibytes = 0
    for member in tree(pid):
        for line in Path(f"/proc/{member}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                kibibytes += int(line.split()[1])
    return kibibytes * 1024
