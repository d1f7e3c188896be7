"""What a path says about a file: its stem, its folders and its role."""

import re
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

# Copies of other projects, written by package managers.
INSTALLED_FOLDERS: Final = frozenset({"bower_components", "node_modules", "vendor"})
# Those, and copies made by people.
VENDORED_FOLDERS: Final = INSTALLED_FOLDERS | {"deps", "third_party"}
# Build output. `target` is not listed because it is also a common name in code.
BUILD_FOLDERS: Final = frozenset({"build", "dist"})


class PathRole(StrEnum):
    """A role of a file that queries about code seldom look for."""

    TEST = "test"
    EXAMPLE = "example"
    PROSE = "prose"
    DATA = "data"
    DECLARATION = "declaration"  # types of code that is elsewhere


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEST_FOLDERS: Final = _names(
    "test tests testing spec specs __tests__ testdata test-data fixture fixtures e2e mock mocks"
    " __mocks__"
)
_TEST_FOLDER_ENDS: Final = ("-test", "-tests", "_test", "_tests", ".test", ".tests")
# What a folder so called is if it has sources of its own: `tokio-test/src` is a product for tests.
_PRODUCT_ENDS: Final = ("-test", "_test")
_SOURCE_FOLDER: Final = "src"
_TEST_FILES: Final = (
    r"test_.*\.py|conftest\.py|.*[-_.](?:test|tests|spec)\..*"
    r"|.*[a-z0-9](?:Test|Tests|TestCase|Spec|Suite|IT)\.\w+|.*\.bats"
)
# A file name without any of these is no test. This avoids the regular expression for most files:
# compiling it takes as long as a `cruxe locate` query.
_TEST_FILE_HINTS: Final = ("test", "spec", "suite", "it.", ".bats")
_EXAMPLE_FOLDERS: Final = _names(
    "example examples sample samples demo demos doc docs documentation docs_src bench benches"
    " benchmark benchmarks script scripts tool tools website site playground integration guide"
    " guides tutorial tutorials sandbox contrib"
)
_SECONDARY_FOLDERS: Final = _EXAMPLE_FOLDERS | VENDORED_FOLDERS | BUILD_FOLDERS
_DATA_LANGUAGES: Final = frozenset({"json", "yaml", "toml", "dockerfile", "make", "sql", "xml"})
_DECLARATION_ENDS: Final = (".d.ts", ".d.mts", ".d.cts", ".pyi")
_PROSE_LANGUAGES: Final = frozenset({"markdown", "rst", "asciidoc", "text", "notebook"})


def stem_of_path(path: str) -> str:
    """Return the file name up to its last dot: `Reader.Async` of `Reader.Async.cs`.

    A leading dot is kept.
    """
    name = path.rpartition("/")[2]
    dot = name.rfind(".", 1)
    return name if dot < 0 else name[:dot]


# Files that are called like their role in a package; the folder's name tells more.
_PACKAGE_FILES: Final = _names("__init__ index mod lib main init")


def telling_name(path: str) -> str:
    """Return the stem of a file, or its folder's name for `__init__`, `index` and the like."""
    stem, folders = stem_of_path(path), folders_of(path)
    return folders[-1] if stem.lower() in _PACKAGE_FILES and folders else stem


def folders_of(path: str) -> list[str]:
    """Return the folders of a file, outermost first."""
    return path.split("/")[:-1]


@lru_cache(maxsize=1 << 10)
def path_roles(path: str, language: str) -> frozenset[PathRole]:
    """Return the roles of a file by path and language; empty for ordinary code."""
    *folders, name = path.split("/")
    roles: set[PathRole] = set()
    if _is_among_tests(folders) or _is_test_file(name):
        roles.add(PathRole.TEST)
    if not _SECONDARY_FOLDERS.isdisjoint(map(str.lower, folders)):
        roles.add(PathRole.EXAMPLE)
    if language in _PROSE_LANGUAGES:
        roles.add(PathRole.PROSE)
    if language in _DATA_LANGUAGES:
        roles.add(PathRole.DATA)
    if name.endswith(_DECLARATION_ENDS):
        roles.add(PathRole.DECLARATION)
    return _shared(frozenset(roles))


@cache
def _shared(roles: frozenset[PathRole]) -> frozenset[PathRole]:
    """Return one object for all equal sets: many paths are cached, but few distinct sets."""
    return roles


def _is_among_tests(folders: list[str]) -> bool:
    return any(
        _is_test_folder(folder) and not _is_product(folder, folders[depth + 1 :])
        for depth, folder in enumerate(folders)
    )


def _is_product(folder: str, below: list[str]) -> bool:
    return folder.endswith(_PRODUCT_ENDS) and _SOURCE_FOLDER in below


def _is_test_folder(folder: str) -> bool:
    if folder in _TEST_FOLDERS or folder.endswith(_TEST_FOLDER_ENDS):
        return True
    before, _, _ = folder.removesuffix("s").rpartition("Test")
    ends_so = folder.endswith(("Test", "Tests"))
    return ends_so and before[-1:].isascii() and (before[-1:].islower() or before[-1:].isdigit())


def _is_test_file(name: str) -> bool:
    lowered = name.lower()
    if not any(hint in lowered for hint in _TEST_FILE_HINTS):
        return False
    return _test_file().fullmatch(name) is not None


@cache
def _test_file() -> re.Pattern[str]:
    return re.compile(_TEST_FILES)


def storable(text: str) -> str:
    """Replace what UTF-8 cannot encode; no stored path or name contains it."""
    return text.encode("utf-8", "replace").decode()
