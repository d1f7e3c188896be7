"""Golden files: what a case must give, one file each, read and compared byte for byte.

`UPDATE_GOLDEN=1` writes the files instead of comparing; review the difference before committing it.
"""

import difflib
import os

import pytest

UPDATE_VARIABLE = "UPDATE_GOLDEN"


def check_golden(path: str | os.PathLike[str], text: str) -> None:
    """Fail, with the difference, unless the file at `path` holds exactly `text`."""
    if os.environ.get(UPDATE_VARIABLE) == "1":
        _write(path, text)
        return
    expected = _read(path)
    if expected != text:
        pytest.fail(f"{_difference(path, expected, text)}\n{_how_to_accept()}", pytrace=False)


def _write(path: str | os.PathLike[str], text: str) -> None:
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def _read(path: str | os.PathLike[str]) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        pytest.fail(f"there is no golden file {os.fspath(path)}\n{_how_to_accept()}", pytrace=False)


def _difference(path: str | os.PathLike[str], expected: str, text: str) -> str:
    name = os.path.basename(path)
    return "\n".join(
        difflib.unified_diff(
            expected.splitlines(),
            text.splitlines(),
            fromfile=f"{name} (golden)",
            tofile=f"{name} (now)",
            lineterm="",
        )
    )


def _how_to_accept() -> str:
    return f"if this is what it should be, run again with {UPDATE_VARIABLE}=1"
