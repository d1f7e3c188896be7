"""What a path says of its file: a test, an example, documentation, data."""

import re
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

from cruxe.text.paths import BUILD_FOLDERS, VENDORED_FOLDERS


class PlaceKind(StrEnum):
    """Why a file is seldom what a question about the code is after."""

    TEST = "test"
    EXAMPLE = "example"
    PROSE = "prose"
    DATA = "data"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEST_FOLDERS: Final = _names(
    "test tests testing spec specs __tests__ testdata test-data fixture fixtures e2e mock mocks"
    " __mocks__"
)
_TEST_FOLDER_ENDS: Final = ("-test", "-tests", "_test", "_tests", ".test", ".tests")
_TEST_FILES: Final = (
    r"test_.*\.py|conftest\.py|.*[-_.](?:test|tests|spec)\..*"
    r"|.*[a-z0-9](?:Test|Tests|TestCase|Spec|Suite|IT)\.\w+|.*\.bats"
)
# A file whose name holds none of these is no test; most are told so without the expression,
# which takes as long to compile as `cruxe locate` takes for its question.
_TEST_FILE_HINTS: Final = ("test", "spec", "suite", "it.", ".bats")
_EXAMPLE_FOLDERS: Final = _names(
    "example examples sample samples demo demos doc docs documentation docs_src bench benches"
    " benchmark benchmarks script scripts tool tools website site playground integration guide"
    " guides tutorial tutorials sandbox contrib"
)
_SECONDARY_FOLDERS: Final = _EXAMPLE_FOLDERS | VENDORED_FOLDERS | BUILD_FOLDERS
_DATA_LANGUAGES: Final = frozenset({"json", "yaml", "toml", "dockerfile", "make", "sql", "xml"})
_PROSE_LANGUAGES: Final = frozenset({"markdown", "rst", "asciidoc", "text", "notebook"})


@lru_cache(maxsize=1 << 10)
def place_kinds(path: str, language: str) -> frozenset[PlaceKind]:
    """All that a file's path and language say against it."""
    *folders, name = path.split("/")
    kinds: set[PlaceKind] = set()
    if any(map(_is_test_folder, folders)) or _is_test_file(name):
        kinds.add(PlaceKind.TEST)
    if not _SECONDARY_FOLDERS.isdisjoint(map(str.lower, folders)):
        kinds.add(PlaceKind.EXAMPLE)
    if language in _PROSE_LANGUAGES:
        kinds.add(PlaceKind.PROSE)
    if language in _DATA_LANGUAGES:
        kinds.add(PlaceKind.DATA)
    return _shared(frozenset(kinds))


@cache
def _shared(kinds: frozenset[PlaceKind]) -> frozenset[PlaceKind]:
    """The same for all that are equal: many paths are kept, of few kinds."""
    return kinds


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
