"""The generated tables of README.md, each between two comments."""

from measure.products import ROOT

README = ROOT / "README.md"


def put(name, text):
    """Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->`."""
    opening, closing = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, found, rest = README.read_text().partition(opening)
    _, end, after = rest.partition(closing)
    if not found or not end:
        raise ValueError(f"{README.name} has no {opening.strip()} or {closing}; add both comments")
    README.write_text(f"{before}{opening}{text}\n{closing}{after}")
