"""Each library has one home; the layers themselves are checked by import-linter."""

import ast
import re

import pytest

from tests.shape.project import imported_modules, package_modules

# The library, and the modules that may import it. import-linter cannot say `http.*`, so all
# homes are kept here, in one table.
HOMES = {
    "asyncio": r"cruxe\.serve\.http\..+",
    "fastembed": r"cruxe\.embed\.transformer",
    "h11": r"cruxe\.serve\.http\..+",
    "http": r"cruxe\.embed\.provider_calls",
    "sqlite3": r"cruxe\.store\.local\..+",
    "subprocess": r"cruxe\.(workspace\.git|hosting\.background_indexing|ingest\.worker_processes)",
    "re2": r"cruxe\.text\.patterns",
    "Stemmer": r"cruxe\.text\.identifiers",
    "tantivy": r"cruxe\.store\.local\.lexical",
    "tree_sitter": r"cruxe\.parse(\..+)?",
    "watchfiles": r"cruxe\.freshness\.file_events",
}


@pytest.mark.parametrize("library", HOMES)
def test_only_its_home_imports(library: str) -> None:
    strangers = [
        module.path
        for module in package_modules()
        if any(_belongs_to(library, name) for name in imported_modules(module.tree))
        and not re.fullmatch(HOMES[library], module.name)
    ]

    assert strangers == []


def test_imports_inside_functions_are_seen() -> None:
    source = "def f():\n    import tree_sitter_go\n    from os import path\n"

    assert list(imported_modules(ast.parse(source))) == ["tree_sitter_go", "os"]


def _belongs_to(library: str, imported: str) -> bool:
    """Tell whether a module is the library, a part of it or one of its grammars."""
    package = imported.partition(".")[0]
    return package == library or package.startswith(f"{library}_")
