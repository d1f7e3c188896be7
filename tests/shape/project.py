"""The project as the shape tests see it: its files, and its sources as syntax trees."""

import ast
import os
import subprocess
from collections.abc import Iterator
from typing import Final, NamedTuple

ROOT: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGE: Final = "src/cruxe/"


class Module(NamedTuple):
    """One source file of the package."""

    path: str  # from the root of the project, with slashes
    name: str  # as imported
    tree: ast.Module


def project_files() -> list[str]:
    """List the files that are tracked or would be, from the root of the project."""
    listed = subprocess.run(
        # A checkout that belongs to another user is still ours to read.
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    paths = sorted(set(listed.stdout.decode().split("\0")) - {""})
    return [path for path in paths if os.path.isfile(os.path.join(ROOT, path))]


def python_files(*folders: str) -> list[str]:
    """List the Python files below `folders`, without the fixtures that tests read."""
    return [
        path
        for path in project_files()
        if path.endswith(".py") and path.startswith(folders) and "/fixtures/" not in path
    ]


def read_bytes(path: str) -> bytes:
    """Read a file of the project."""
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()


def package_modules() -> Iterator[Module]:
    """Parse every module of the package."""
    for path in python_files(PACKAGE):
        dotted = path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__")
        yield Module(path, dotted.replace("/", "."), ast.parse(read_bytes(path), path))


def imported_modules(tree: ast.Module) -> Iterator[str]:
    """Name every module that is imported anywhere in `tree`, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
