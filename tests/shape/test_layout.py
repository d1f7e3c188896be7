"""What a file may be called, how long it may be, and what every module must say."""

import ast
import os
from collections import Counter

from tests.shape.project import package_modules, project_files, python_files, read_bytes

MAX_LINES = 500
EMPTY_NAMES = {"utils", "helpers", "common", "manager", "base"}


def test_no_source_file_is_longer_than_five_hundred_lines() -> None:
    lengths = {
        path: read_bytes(path).count(b"\n")
        for path in python_files("src/", "tests/", "benchmarks/")
    }

    assert {path: lines for path, lines in lengths.items() if lines > MAX_LINES} == {}


def test_no_file_or_folder_has_a_name_that_says_nothing() -> None:
    sources = [
        path for path in project_files() if path.startswith(("src/", "tests/", "benchmarks/"))
    ]
    inside = [path for path in sources if "/fixtures/" not in path]

    assert [path for path in inside if EMPTY_NAMES & set(_names(path))] == []


def test_every_module_says_what_it_is_for() -> None:
    assert [module.path for module in package_modules() if not ast.get_docstring(module.tree)] == []


def _names(path: str) -> list[str]:
    *folders, file = path.split("/")
    return [*folders, os.path.splitext(file)[0]]


def test_no_module_name_stands_twice() -> None:
    """A name in a traceback or a question names one file; languages and backends are alike."""
    names = Counter(
        os.path.basename(module.path)
        for module in package_modules()
        if "/parse/languages/" not in module.path
        and not module.path.endswith(("__init__.py", "__main__.py"))
    )

    assert [name for name, count in names.items() if count > 1] == []
