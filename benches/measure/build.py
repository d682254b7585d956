"""The release file that is measured, its exported site, and what identifies a run."""

import datetime
import platform
import subprocess
from pathlib import Path

from measure import processes, servers

ROOT = Path(__file__).parent.parent.parent


def release_file():
    release = ROOT / "deploy/release"
    output = subprocess.run([release], stdout=subprocess.PIPE, text=True, check=True).stdout
    return Path(output.strip())


def export(executable, folder):
    """Exports the plain files of the site with their `.br` and `.gz` variants."""
    command = [executable, "export", folder, "--origin", servers.ORIGIN]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


def identity():
    """Date, machine, kernel and commit. To be read before the build: the source can be changed
    during a run."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    today = datetime.datetime.now(datetime.timezone.utc).date()
    processors = f"{len(processes.CPUS)} × {next(names, platform.machine())}"
    kernel = platform.release().partition("-")[0]
    return f"{today}, {processors}, {platform.system()} {kernel}, commit {commit()}"


def commit():
    """The commit of the repository, and whether its files differ from the commit."""
    name = git("rev-parse", "--short=12", "HEAD")
    # Without what the runs write: the next run measures the same commit.
    others = ["--", ".", ":!benches/results"]
    changed = git("status", "--porcelain", "--untracked-files=no", *others)
    return f"{name or 'unknown'}{' with uncommitted changes' if changed else ''}"


def git(*arguments):
    """The output of a git command, which is empty if the command fails."""
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.strip()
