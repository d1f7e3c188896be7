"""A question starts fast because it imports little: this names what it must not import."""

import subprocess
import sys

import pytest

from tests.requirements import requirement
from tests.support.fingerprints import keep_fingerprint
from tests.support.indexing import context_of, index, settle
from tests.support.repositories import MakeRepo, Repo

# As the installed command does it; `python -m` would add the imports of runpy.
COMMAND = "from cruxe.serve.cli.script import run; run()"

# Each costs as much as a bare interpreter start, or several; no warm question needs one.
TOO_HEAVY = {
    "argparse",
    "asyncio",
    "concurrent",
    "dataclasses",
    "hashlib",
    "http",
    "importlib.metadata",
    "inspect",
    "logging",
    "mcp",
    "msgspec",
    "multiprocessing",
    "numpy",
    "pathlib",
    "pathspec",
    "pydantic",
    "subprocess",
    "tempfile",
    "threading",
    "tomllib",
    "tree_sitter",
    "unittest",
    "urllib",
}
TOO_HEAVY_TO_LOCATE = TOO_HEAVY | {"Stemmer", "json", "tantivy"}

# Modules of our own: each takes a sixth of a millisecond, whatever is in it.
MOST_TO_LOCATE = 66
MOST_TO_SEARCH = 102

ONE_FUNCTION = "-- app.py\ndef greet():\n    pass\n"


@pytest.fixture
def project(repo: MakeRepo) -> Repo:
    """A small project, indexed and left alone for a while."""
    made = repo(ONE_FUNCTION)
    settle(made, "app.py")
    context = context_of(made)
    index(context)
    keep_fingerprint(made, context)
    return made


@requirement("IMPORT-BUDGET")
def test_locate_imports_nothing_heavy(project: Repo) -> None:
    imported = _imports_of(project.root, "locate", "greet")

    assert sorted(TOO_HEAVY_TO_LOCATE & _with_packages(imported)) == []
    assert len(_of_ours(imported)) <= MOST_TO_LOCATE


@requirement("IMPORT-BUDGET")
def test_help_imports_nothing_heavy(project: Repo) -> None:
    imported = _imports_of(project.root, "locate", "--help")

    assert sorted(TOO_HEAVY_TO_LOCATE & _with_packages(imported)) == ["argparse"]


@requirement("IMPORT-BUDGET")
def test_search_imports_nothing_heavy(project: Repo) -> None:
    imported = _imports_of(project.root, "search", "how to greet")

    assert sorted(TOO_HEAVY & _with_packages(imported)) == []
    assert len(_of_ours(imported)) <= MOST_TO_SEARCH


def _of_ours(modules: set[str]) -> set[str]:
    return {name for name in modules if name.partition(".")[0] == "cruxe"}


def _with_packages(modules: set[str]) -> set[str]:
    return {".".join(name.split(".")[:depth]) for name in modules for depth in (1, 2)}


def _imports_of(folder: str, *arguments: str) -> set[str]:
    """Name every module that the command imports."""
    finished = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", COMMAND, *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    lines = finished.stderr.splitlines()
    modules = {line.rpartition("|")[2].strip() for line in lines if "|" in line}
    assert "cruxe.serve.cli.main" in modules
    return modules
