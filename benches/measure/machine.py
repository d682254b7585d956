"""Date, machine, kernel and commit of a run."""

import datetime
import platform
import subprocess
from pathlib import Path

from measure import processes, products


def about():
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    command = ["git", "rev-parse", "--short=12", "HEAD"]
    output = subprocess.run(command, cwd=products.ROOT, capture_output=True, text=True, check=False)
    commit = output.stdout.strip()
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "processors": len(processes.CPUS),
        "machine": f"{len(processes.CPUS)} × {model}",
        "kernel": f"{platform.system()} {platform.release()}",
        "commit": commit or "unknown",
    }


def line(about):
    return f"{about['date']}, {about['machine']}, {about['kernel']}, commit {about['commit']}"
