"""The figures that README.md shows: between two comments, by the run itself."""

from measure.products import ROOT

README = ROOT / "README.md"


def put(name, text):
    """Replaces what stands between `<!-- NAME -->` and `<!-- /NAME -->`."""
    opening, closing = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, found, rest = README.read_text().partition(opening)
    _, end, after = rest.partition(closing)
    if not found or not end:
        raise ValueError(f"{README.name} has lost its {opening.strip()} or {closing}")
    README.write_text(f"{before}{opening}{text}\n{closing}{after}")
