"""Counts of instructions and allocations, compared with recorded ones."""

import platform
import subprocess
from pathlib import Path

# Counts of the same executable differ by less than this: the keys of its hash maps are random.
GROWTH_MAX = 0.03

KINDS = ("instructions", "allocations")
HEADINGS = ["", "instructions", "change", "allocations", "change"]


# By these, the C library and the cryptography choose their functions at run time. Without them, a
# connection counts 3 to 6 % more instructions.
PROCESSOR_FEATURES = ("avx2", "erms")


def toolchain():
    """What the counts depend on besides the source: the compiler, the C library, valgrind and the
    processor."""
    programs = [version_of("rustc"), " ".join(platform.libc_ver()), version_of("valgrind")]
    features = features_of(Path("/proc/cpuinfo").read_text())
    return ", ".join([*programs, " ".join([platform.machine(), *features])])


def version_of(program):
    command = [program, "--version"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def features_of(cpuinfo):
    """Those of PROCESSOR_FEATURES that the text of /proc/cpuinfo contains."""
    words = set(cpuinfo.split())
    return [feature for feature in PROCESSOR_FEATURES if feature in words]


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
