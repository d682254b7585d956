"""The progress of a run, on standard error."""

import sys
import time


class Progress:
    """One line that is rewritten in a terminal; otherwise one line per step."""

    def __init__(self, title, steps=1):
        self.title, self.steps, self.done = title, steps, 0
        self.begun = time.monotonic()

    def __enter__(self):
        if self.steps == 1:
            self.step(self.title)
        return self

    def __exit__(self, *_):
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")

    def step(self, text):
        self.done += 1
        left = ""
        if self.done > 1:
            seconds = (time.monotonic() - self.begun) / (self.done - 1)
            left = f", {seconds * (self.steps - self.done + 1):.0f} s left"
        line = f"[{self.done}/{self.steps}{left}] {text}"
        sys.stderr.write(f"\r\x1b[K{line}" if sys.stderr.isatty() else f"{line}\n")
        sys.stderr.flush()
