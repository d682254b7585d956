"""Chromium, controlled by the DevTools protocol over a pipe."""

import itertools
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager

from measure import processes
from measure.products import ROOT

INSTALLED = json.loads((ROOT / "tests/browser/site/chromium.json").read_text())

FLAGS = (*INSTALLED["flags"], "--headless", "--remote-debugging-pipe")

COMMAND_TIMEOUT_SECONDS = 30

# File descriptors that Chromium uses with --remote-debugging-pipe.
COMMANDS_FILE, EVENTS_FILE = 3, 4


def executable():
    """The path of the installed Chromium, or of the browser that the environment variable
    CHROMIUM names. None if it does not exist."""
    return shutil.which(os.environ.get("CHROMIUM") or INSTALLED["path"])


def version():
    command = [executable(), "--version"]
    shown = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(r"\d+(\.\d+)+", shown)
    return found[0] if found else "unknown"


@contextmanager
def launched():
    """A browser with an empty profile. It ends with the block."""
    commands, our_commands = os.pipe()
    our_events, events = os.pipe()

    def set_descriptors():
        os.dup2(commands, COMMANDS_FILE)
        os.dup2(events, EVENTS_FILE)

    profile = tempfile.mkdtemp(prefix="chromium-")
    try:
        process = subprocess.Popen(
            [executable(), *FLAGS, f"--user-data-dir={profile}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=set_descriptors,
            pass_fds=(COMMANDS_FILE, EVENTS_FILE),
        )
        os.close(commands)
        os.close(events)
        try:
            yield Browser(our_commands, our_events)
        finally:
            processes.stop(process)
            os.close(our_commands)
            os.close(our_events)
    finally:
        # Processes of the browser that have not ended may still write to it.
        shutil.rmtree(profile, ignore_errors=True)


class Browser:
    """A connection to the browser. Commands, results and events are JSON messages."""

    def __init__(self, commands, events):
        self.commands, self.events = commands, events
        self.numbers, self.received, self.waiting = itertools.count(1), b"", []

    def call(self, method, session=None, **parameters):
        """Sends a command; returns its result. Events that arrive before are kept."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + COMMAND_TIMEOUT_SECONDS
        while True:
            message = self.receive(deadline - time.monotonic())
            if message is None:
                raise TimeoutError(f"no result of {method} within {COMMAND_TIMEOUT_SECONDS} s")
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.waiting.append(message)

    def next_event(self, seconds):
        """The next event; None if there is none within `seconds`."""
        return self.waiting.pop(0) if self.waiting else self.receive(seconds)

    def receive(self, seconds):
        """The next message; None if there is none within `seconds`."""
        deadline = time.monotonic() + seconds
        while b"\0" not in self.received:
            left = max(deadline - time.monotonic(), 0)
            if not select.select([self.events], [], [], left)[0]:
                return None
            chunk = os.read(self.events, 1 << 16)
            if not chunk:
                raise RuntimeError("Chromium ended before it sent a message")
            self.received += chunk
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)
