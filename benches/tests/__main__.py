"""Runs the unit tests of this folder. tests/run adds up the numbers in the last line."""

import sys
import unittest
from pathlib import Path

FOLDER = Path(__file__).parent


def main():
    sys.path.insert(0, str(FOLDER.parent))
    suite = unittest.defaultTestLoader.discover(str(FOLDER), top_level_dir=str(FOLDER))
    result = unittest.TextTestRunner(stream=sys.stdout).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    # A run without tests is a failure.
    failed = failed or int(result.testsRun == 0)
    print(f"{max(result.testsRun - failed, 0)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
