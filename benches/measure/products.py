"""Executables that are built for the runs, and the exported site."""

import itertools
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

MESSAGES = ("--message-format", "json-render-diagnostics")


def build(benches=()):
    """Builds the release file and the named executables of `benches/rust`; returns
    their paths by name. Cargo shows its own progress."""
    targets = [argument for bench in benches for argument in ("--bench", bench)]
    # The release file comes last, and replaces the `recipelog-site` that Cargo builds
    # together with the benches.
    return (built(targets) if targets else {}) | {"recipelog-site": released()}


def released():
    release = ROOT / "deploy/release"
    output = subprocess.run([release], stdout=subprocess.PIPE, text=True, check=True).stdout
    return Path(output.strip())




def built(targets):
    return executables(["cargo", "build", "--release", *MESSAGES, *targets])


def executables(command):
    output = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    messages = map(json.loads, output.splitlines())
    return {
        message["target"]["name"]: Path(message["executable"])
        for message in messages
        if message.get("executable")
    }


def export(executable, folder):
    """Exports the plain files of the site with their `.br` and `.gz` variants."""
    subprocess.run([executable, "export", folder], check=True, stdout=subprocess.DEVNULL)
    return folder


def routes(exported):
    """The routes of an exported site: `_redirects` has a line `FILE ROUTE STATUS` for
    each page."""
    lines = (exported / "_redirects").read_text().splitlines()
    return [line.split()[1] for line in lines]


def security_fields(exported):
    """The names of the security fields of a page of an exported site: the rule for `/*` in
    `_headers` contains no other fields."""
    lines = (exported / "_headers").read_text().splitlines()
    rule = itertools.takewhile(lambda line: line.startswith(" "), lines[lines.index("/*") + 1 :])
    return [line.split(":")[0].strip() for line in rule]
