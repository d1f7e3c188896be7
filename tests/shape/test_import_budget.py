"""`cruxe locate` starts fast because it imports little: this names what it must not import."""

import subprocess
import sys

import pytest

from tests.repositories import MakeRepo
from tests.requirements import requirement

# As the installed command does it; `python -m` would add the imports of runpy.
COMMAND = "import sys; from cruxe.serve.cli.main import main; sys.exit(main())"

# Each costs as much as a bare interpreter start, or several; none is needed to read a few rows.
TOO_HEAVY = {
    "asyncio",
    "concurrent",
    "dataclasses",
    "http",
    "importlib.metadata",
    "inspect",
    "logging",
    "mcp",
    "msgspec",
    "multiprocessing",
    "numpy",
    "pathspec",
    "pydantic",
    "tantivy",
    "tempfile",
    "tree_sitter",
    "unittest",
    "urllib",
}

ONE_FUNCTION = "-- app.py\ndef greet():\n    pass\n"


@requirement("IMPORT-BUDGET")
@pytest.mark.parametrize("arguments", [("locate", "--help"), ("locate", "greet")])
def test_locate_imports_nothing_heavy(repo: MakeRepo, arguments: tuple[str, ...]) -> None:
    project = repo(ONE_FUNCTION)
    _run(project.root, "index")

    assert sorted(TOO_HEAVY & _imports_of(project.root, *arguments)) == []


def _imports_of(folder: str, *arguments: str) -> set[str]:
    """Name every module that the command imports, with the packages that contain it."""
    report = _run(folder, *arguments, options=("-X", "importtime"))
    modules = [line.rpartition("|")[2].strip() for line in report.splitlines() if "|" in line]
    assert "cruxe.serve.cli.main" in modules
    return {".".join(name.split(".")[:depth]) for name in modules for depth in (1, 2)}


def _run(folder: str, *arguments: str, options: tuple[str, ...] = ()) -> str:
    """Run the command and give what it wrote to standard error; a failing command raises."""
    finished = subprocess.run(
        [sys.executable, *options, "-c", COMMAND, *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return finished.stderr
