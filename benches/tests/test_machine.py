"""The commit of a run."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from measure import machine

FILES = ("README.md", "benches/results/curve.md", "src/main.rs")

# Without the user's settings. In a hook of git, other variables name another repository.
ENVIRONMENT = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull}


class TestCommit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # The folder may be in another repository.
        ceiling = {"GIT_CEILING_DIRECTORIES": str(self.folder.parent)}
        environment = mock.patch.dict(os.environ, {**ENVIRONMENT, **ceiling}, clear=True)
        environment.start()
        self.addCleanup(environment.stop)

    def test_a_commit_is_marked_if_a_file_was_changed_that_no_run_writes(self):
        for name in FILES:
            self.write(name, "first")
        self.git("init", "--quiet")
        self.git("add", ".")
        author = ["-c", "user.name=A", "-c", "user.email=a@recipes.example"]
        self.git(*author, "commit", "--quiet", "--message", "First")
        clean = self.git("rev-parse", "HEAD")[:12]
        for name, expected in zip(FILES, (clean, clean, f"{clean} with uncommitted changes")):
            with self.subTest(changed=name):
                self.write(name, "second")
                self.assertEqual(machine.commit(self.folder), expected)
        self.git("add", ".")
        self.assertEqual(machine.commit(self.folder), f"{clean} with uncommitted changes")

    def test_a_folder_without_a_repository_has_no_commit(self):
        self.assertEqual(machine.commit(self.folder), "unknown")

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def git(self, *arguments):
        command = ["git", *arguments]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)
        return run.stdout
