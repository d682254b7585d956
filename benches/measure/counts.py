"""Counts of instructions and allocations, compared with recorded ones."""

import platform
import subprocess

# Counts of the same executable differ by less than this: the keys of its hash maps are random.
GROWTH_MAX = 0.03

KINDS = ("instructions", "allocations")
HEADINGS = ["", "instructions", "change", "allocations", "change"]


def toolchain():
    """What the counts depend on besides the source: the compiler and the C library."""
    command = ["rustc", "--version"]
    rustc = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    return f"{rustc}, {' '.join(platform.libc_ver())}, {platform.machine()}"


def growth(count, recorded):
    """The relative change; `None` without a recorded count."""
    if recorded is None:
        return None
    if recorded == 0:
        return float(count > 0)
    return count / recorded - 1


def rows(counted, recorded):
    for scenario, counts in counted.items():
        row = [scenario]
        for kind in KINDS:
            change = growth(counts[kind], recorded.get(scenario, {}).get(kind))
            row.append(f"{counts[kind]:,}")
            row.append("new" if change is None else f"{change:+.1%}")
        yield row


def grown(counted, recorded):
    """A line for each count that has grown too much or is not recorded."""
    lines = []
    for scenario, counts in counted.items():
        for kind in KINDS:
            earlier = recorded.get(scenario, {}).get(kind)
            change = growth(counts[kind], earlier)
            if change is None:
                lines.append(f"{scenario}: {kind} are not recorded")
            elif counts[kind] > earlier * (1 + GROWTH_MAX):
                lines.append(
                    f"{scenario}: {kind} have grown by {change:.1%}, "
                    f"from {earlier:,} to {counts[kind]:,}"
                )
    return lines
