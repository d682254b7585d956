"""The same pages rendered in the browser: an empty document that a script fills, as in most React
sites."""

import os
import shutil
import subprocess

from measure.build import ROOT

UI = ROOT / "ui"

COMPRESSION = """
const { readFileSync, writeFileSync } = require("node:fs");
const { brotliCompressSync, gzipSync } = require("node:zlib");
for (const file of process.argv.slice(1)) {
  writeFileSync(file + ".br", brotliCompressSync(readFileSync(file)));
  writeFileSync(file + ".gz", gzipSync(readFileSync(file), { level: 9 }));
}
"""


def build(scratch, exported):
    """Builds `ui/` with Parcel, without the prerender, and returns the folder. The document loads
    the app at once and not after the first paint, because an empty page has nothing to paint. It
    gets its title and the settings that the app needs from the `exported` site."""
    ui = scratch / "ui"
    shutil.copytree(UI, ui, ignore=shutil.ignore_patterns("node_modules"))
    (ui / "node_modules").symlink_to(UI / "node_modules")
    source = ui / "src/index.html"
    shell = source.read_text()
    # Outside of the template, the scripts are loaded at once.
    start = '<script type="module">import "./browser/start.ts";</script>'
    for part in (start, '<template id="scripts">', "</template>"):
        shell = replaced(shell, part, "")
    source.write_text(shell)
    main = ui / "src/browser/main.tsx"
    # Only the development server renders into an empty document.
    main.write_text(replaced(main.read_text(), 'process.env.NODE_ENV !== "production"', "true"))
    command = ["node", UI / "node_modules/parcel/lib/bin.js", "build", "--target", "site"]
    command += ["--no-source-maps", "--no-autoinstall", "--no-cache"]
    command += ["--cache-dir", scratch / "parcel", "--dist-dir", scratch / "client-side"]
    environment = {**os.environ, "NODE_ENV": "production"}
    subprocess.run(command, cwd=ui, env=environment, stdout=subprocess.DEVNULL, check=True)
    # Parcel names the folder after the target.
    folder = scratch / "client-side/site"
    page = (exported / "index.html").read_text()
    opening = page[page.index("<html") : page.index(">", page.index("<html")) + 1]
    title = page[page.index("<title>") : page.index("</title>") + len("</title>")]
    shell = replaced((folder / "index.html").read_text(), '<html lang="en">', opening)
    shell = replaced(shell, "<!--head-->", title)
    # The document is the same for every page.
    for file in exported.glob("*.html"):
        (folder / file.name).write_text(shell)
    texts = [file for file in folder.iterdir() if file.suffix in (".html", ".js", ".svg")]
    subprocess.run(["node", "-e", COMPRESSION, *texts], check=True)
    return folder


def replaced(text, marker, replacement):
    if marker not in text:
        raise ValueError(f"ui/src has no {marker}; adapt client_side.py")
    return text.replace(marker, replacement)
