"""Starting, watching and ending servers."""

import os
import resource
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

START_TIMEOUT_SECONDS = 10
STOP_TIMEOUT_SECONDS = 5

# In each server's own folder.
LOG = "server.log"

# Where there are two processors, the server has one to itself and the load
# comes from the others: every server then has the same one thread's worth.
CPUS = sorted(os.sched_getaffinity(0))
SERVER_CPUS = CPUS[:1]
LOAD_CPUS = CPUS[1:] or CPUS


# Twice 10,000 connections, and what a program opens besides.
FILES_WANTED = 21_000


def raise_file_limit():
    """Lets this process and its children open as many files as they may, and as
    the run wants where it may raise that."""
    try:
        most = max(file_limit(), FILES_WANTED)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    except ValueError:
        resource.setrlimit(resource.RLIMIT_NOFILE, (file_limit(), file_limit()))


def file_limit():
    """How many files one process may open."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def connection_limit():
    """How many connections every server can be asked to hold: one of them takes
    no more than half its files."""
    return file_limit() // 2


def on_load_cpus():
    """Takes this process, and what it starts, off the server's processor."""
    os.sched_setaffinity(0, LOAD_CPUS)


@contextmanager
def running(command, environment, folder):
    """The process of a server, ended with the block. What it says goes to
    LOG in `folder`."""
    with open(folder / LOG, "ab") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            env={**os.environ, **environment},
            preexec_fn=lambda: os.sched_setaffinity(0, SERVER_CPUS),
        )
        try:
            yield process
        finally:
            end(process)


def end(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            for pid in tree(process.pid):
                os.kill(pid, signal.SIGKILL)
            process.wait()


def wait_until(answers, process, log):
    """Waits for `answers()` to be true; returns the seconds that it took. Where
    it never is, the error tells what the server said last."""
    begin = time.perf_counter()
    while not answers():
        if process.poll() is not None:
            raise failure(process, f"ended with {process.returncode} instead of answering", log)
        if time.perf_counter() - begin > START_TIMEOUT_SECONDS:
            raise failure(process, f"does not answer within {START_TIMEOUT_SECONDS} s", log)
    return time.perf_counter() - begin


def failure(process, what, log):
    said = log.read_text(errors="replace").splitlines()[-3:]
    return RuntimeError("\n".join([f"{process.args[0]} {what}", *said]))


def tree(pid):
    """`pid` and all that descends from it."""
    pids = [pid]
    for parent in pids:
        try:
            for task in Path(f"/proc/{parent}/task").iterdir():
                pids += [int(child) for child in (task / "children").read_text().split()]
        except FileNotFoundError:
            continue
    return pids


def cpu_seconds(pid):
    """Processor time that a process tree has had, threads that ended included."""
    seconds = 0
    for member in tree(pid):
        try:
            seconds += time.clock_gettime(cpu_clock(member))
        except OSError:
            continue
    return seconds


def cpu_clock(pid):
    """A process's own clock, as clock_getcpuclockid(3) names it on Linux."""
    return (~pid << 3) | 2


def memory_bytes(pid):
    """Proportional set size of a process tree."""
    kibibytes = 0
    for member in tree(pid):
        for line in Path(f"/proc/{member}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                kibibytes += int(line.split()[1])
    return kibibytes * 1024
