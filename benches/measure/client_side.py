"""The same pages rendered in the browser: an empty document that a script fills,
as in most React sites."""

import gzip
import os
import shutil
import subprocess

from measure.products import ROOT

UI = ROOT / "ui"

BROTLI = """
const { readFileSync, writeFileSync } = require("node:fs");
for (const file of process.argv.slice(1))
  writeFileSync(file + ".br", require("node:zlib").brotliCompressSync(readFileSync(file)));
"""


def build(scratch, exported):
    """Builds `ui/` with Parcel, without the prerender. The document loads the app at
    once and not after the first paint, because an empty page has nothing to paint.
    It gets the settings that the script needs from the `exported` site. Returns
    the folder, which Parcel names after the target."""
    ui = scratch / "ui"
    shutil.copytree(UI, ui, ignore=shutil.ignore_patterns("node_modules"))
    (ui / "node_modules").symlink_to(UI / "node_modules")
    source = ui / "src/index.html"
    start = ' src="./browser/start.ts"'
    html = source.read_text().replace(start, ' src="./browser/main.tsx"')
    assert "main.tsx" in html, (
        "ui/src/index.html has no start script; adapt `start` in client_side.py"
    )
    source.write_text(html)
    parcel = UI / "node_modules/parcel/lib/bin.js"
    command = ["node", parcel, "build", "--target", "site", "--no-source-maps"]
    command += ["--no-autoinstall", "--no-cache", "--cache-dir", scratch / "parcel"]
    subprocess.run(
        [*command, "--dist-dir", scratch / "client-side"],
        cwd=ui,
        env={**os.environ, "NODE_ENV": "production"},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    folder = scratch / "client-side" / "site"
    prerendered = (exported / "index.html").read_text()
    opening = prerendered[prerendered.index("<html") : prerendered.index(">", 20) + 1]
    title = prerendered[prerendered.index("<title>") : prerendered.index("</title>") + 8]
    shell = (folder / "index.html").read_text()
    for marker, part in (('<html lang="en">', opening), ("<!--head-->", title)):
        assert marker in shell, (
            f"ui/src/index.html has no {marker}; adapt the markers in client_side.py"
        )
        shell = shell.replace(marker, part)
    # The document is the same for every page.
    for page in exported.glob("*.html"):
        (folder / page.name).write_text(shell)
    compress([file for file in folder.iterdir() if file.suffix in (".html", ".js", ".svg")])
    return folder


def compress(files):
    for file in files:
        variant = file.with_name(f"{file.name}.gz")
        variant.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    subprocess.run(["node", "-e", BROTLI, *files], check=True)
