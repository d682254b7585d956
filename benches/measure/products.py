"""What Cargo builds for the runs."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def build(benches=("bare_hyper", "bare_socket")):
    """Builds the executable and the servers of `benches/rust` that are named;
    returns their paths by name. Cargo shows its own progress."""
    # Apart, so that the benches' dependencies cannot change the executable.
    paths = built(["--bins"])
    targets = [argument for bench in benches for argument in ("--bench", bench)]
    return paths | (built(targets) if targets else {})


def built(targets):
    command = ["cargo", "build", "--release", "--message-format", "json-render-diagnostics"]
    output = subprocess.run(
        [*command, *targets], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    messages = map(json.loads, output.splitlines())
    return {
        message["target"]["name"]: Path(message["executable"])
        for message in messages
        if message.get("executable")
    }


def export(executable, folder):
    """The site's plain files with their `.br` and `.gz`, as a web server takes them."""
    subprocess.run([executable, "export", folder], check=True, stdout=subprocess.DEVNULL)
    return folder
