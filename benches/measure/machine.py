"""Date, machine, kernel and commit of a run."""

import datetime
import platform
import subprocess
from pathlib import Path

from measure import processes, products

# What the runs write: the next run measures the same commit.
WRITTEN = ("benches/results", "README.md")


def about():
    """To be read before the build: the source can be changed during a run."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "processors": len(processes.CPUS),
        "machine": f"{len(processes.CPUS)} × {model}",
        "kernel": f"{platform.system()} {platform.release()}",
        "commit": commit(products.ROOT),
    }


def commit(folder):
    """The commit of a repository, and whether its files differ from the commit."""
    name = git(folder, "rev-parse", "--short=12", "HEAD")
    others = [f":!{path}" for path in WRITTEN]
    changed = git(folder, "status", "--porcelain", "--untracked-files=no", "--", ".", *others)
    return f"{name or 'unknown'}{' with uncommitted changes' if changed else ''}"


def git(folder, *arguments):
    """The output of a git command, which is empty if the command fails."""
    command = ["git", *arguments]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return run.stdout.strip()


def line(about):
    return f"{about['date']}, {about['machine']}, {about['kernel']}, commit {about['commit']}"
