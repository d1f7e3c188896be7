"""The real `cruxe` command in a process of its own; its index lies in the test's empty home."""

import json
import os
import subprocess
import sys
from typing import Final, NamedTuple

from tests.support.programs import SOURCE_FOLDER

_FOREIGN_VARIABLES: Final = ("NO_COLOR", "CLICOLOR_FORCE", "TERM", "PYTHONUNBUFFERED")

TEA: Final = """
    -- tea/brew.py
    LIMIT = 3


    class Pot:
        def pour(self, cups: int) -> None:
            pass


    def pour() -> None:
        pass
    -- tea/leaf.py
    class Leaf:
        pass
    -- readme.txt
    plain
    -- logo.png
    \0\0
"""


class Finished(NamedTuple):
    """What a command said, and how it ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def answer(self) -> dict[str, object]:
        """The one JSON document on standard output."""
        decoded = json.loads(self.stdout)
        assert isinstance(decoded, dict)
        assert self.stdout.endswith("}\n")
        assert self.stdout.count("\n") == 1
        return decoded


def run_cruxe(folder: str, *arguments: str, **variables: str) -> Finished:
    """Run a command in a folder to its end."""
    finished = subprocess.run(
        command_line(*arguments),
        cwd=folder,
        env=environment(**variables),
        check=False,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )
    return Finished(finished.returncode, finished.stdout, finished.stderr)


def command_line(*arguments: str) -> list[str]:
    """The words that start the command."""
    return [sys.executable, "-m", "cruxe", *arguments]


def environment(**variables: str) -> dict[str, str]:
    """The test's environment with `variables`, but not what the shell around says of output."""
    inherited = {
        name: value for name, value in os.environ.items() if name not in _FOREIGN_VARIABLES
    }
    return inherited | {"PYTHONPATH": SOURCE_FOLDER} | variables
