"""Python programs beside the test: they import Cruxe as it is here and share the test's home."""

import os
import subprocess
import sys
import textwrap

import cruxe

SOURCE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(cruxe.__file__)))


def start_program(code: str, *arguments: str, paths: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """Start a program; what it prints can be read while it runs."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((*paths, SOURCE_FOLDER))},
    )


def run_program(code: str, *arguments: str, paths: tuple[str, ...] = ()) -> str:
    """Run a program to its end and give what it printed; a failing one raises."""
    with start_program(code, *arguments, paths=paths) as program:
        stdout, stderr = program.communicate()
    assert program.returncode == 0, stderr
    return stdout
