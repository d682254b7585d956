"""Values of command-line options."""

import argparse


def above_zero(text):
    """The number that an option names. Raises ArgumentTypeError."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0, such as 5")
    return int(text)
