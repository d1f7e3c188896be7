"""Modules are found in one file while their sources are as they were, and never otherwise."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cruxe
from tests.programs import run_program
from tests.requirements import requirement

# Imports a module and says who found it; what is missing is kept at the end, as by the command.
IMPORT = """
    import sys
    from cruxe.serve.cli.kept_code import use_kept_code

    kept_code = use_kept_code()
    from cruxe.model import digests

    print(type(digests.__loader__).__name__, getattr(digests, "EDIT", None), digests.__file__)
    kept_code.renew()
"""
BY_PYTHON, FROM_FILE = "SourceFileLoader", "_KeptLoader"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of as much of the package as it takes."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    original = os.path.dirname(cruxe.__file__)
    copy = tmp_path / "library" / "cruxe"
    for folder in ("serve", "model"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(os.path.join(original, folder), copy / folder, ignore=ignored)
    shutil.copy(os.path.join(original, "__init__.py"), copy)
    return copy


Start = Callable[[], tuple[str, str]]


@pytest.fixture
def start(package: Path) -> Start:
    """Start a program, and tell who found the module and which text of it."""

    def run() -> tuple[str, str]:
        finder, edit, file = run_program(IMPORT, paths=(str(package.parent),)).split()
        assert file == str(package / "model" / "digests.py")
        return finder, edit

    return run


@requirement("KEPT-CODE")
def test_what_was_imported_is_found_in_the_file_by_the_next_start(start: Start) -> None:
    assert [start(), start()] == [(BY_PYTHON, "None"), (FROM_FILE, "None")]


@requirement("KEPT-CODE")
def test_a_source_that_was_edited_is_read_anew(start: Start, package: Path) -> None:
    start()
    with (package / "model" / "digests.py").open("a") as file:
        file.write("EDIT = 1\n")

    assert [start(), start()] == [(BY_PYTHON, "1"), (FROM_FILE, "1")]


@requirement("KEPT-CODE")
@pytest.mark.parametrize("left_bytes", [0, 100])
def test_a_damaged_file_does_no_harm(start: Start, package: Path, left_bytes: int) -> None:
    start()
    kept = _kept_file(package)
    kept.write_bytes(kept.read_bytes()[:left_bytes])

    assert [start(), start()] == [(BY_PYTHON, "None"), (FROM_FILE, "None")]


def test_damaged_code_is_taken_from_python(start: Start, package: Path) -> None:
    start()
    kept = _kept_file(package)
    data = kept.read_bytes()
    head = 8 + int.from_bytes(data[:8], "little")
    kept.write_bytes(data[:head] + b"\0" * (len(data) - head))

    assert start() == (FROM_FILE, "None")


def test_nothing_is_written_where_python_may_not_either(
    start: Start, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")

    assert [start(), start()] == [(BY_PYTHON, "None")] * 2
    assert not (package / "__pycache__").exists()


def test_where_the_file_cannot_be_written_the_command_works(start: Start, package: Path) -> None:
    (package / "__pycache__").write_text("in the way")

    assert [start(), start()] == [(BY_PYTHON, "None")] * 2


def _kept_file(package: Path) -> Path:
    (kept,) = (package / "__pycache__").glob("kept-code.*")
    return kept
