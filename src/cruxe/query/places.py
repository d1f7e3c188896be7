"""What a path says of its file: a test, an example, documentation, data."""

import re
from enum import StrEnum
from functools import cache
from typing import Final


class PlaceKind(StrEnum):
    """Why a file is seldom what a question about the code is after."""

    TEST = "test"
    EXAMPLE = "example"
    PROSE = "prose"
    DATA = "data"


_TEST_FOLDERS: Final = (
    r"tests?|testing|specs?|__tests__|testdata|test-data|fixtures?|e2e|mocks?|__mocks__"
    r"|[^/]*[a-z0-9]Tests?|[^/]*[-_.]tests?"
)
_TEST_FILES: Final = (
    r"test_[^/]*\.py|conftest\.py|[^/]*[-_.](?:test|tests|spec)\.[^/]*"
    r"|[^/]*[a-z0-9](?:Test|Tests|TestCase|Spec|Suite|IT)\.\w+|[^/]*\.bats"
)
_EXAMPLE_FOLDERS: Final = (
    r"examples?|samples?|demos?|docs?|documentation|docs_src|bench|benches|benchmarks?|scripts?"
    r"|tools?|website|site|playground|integration|guides?|tutorials?|sandbox|contrib|dist|build"
    r"|vendor|third_party|deps|node_modules"
)
_DATA_LANGUAGES: Final = frozenset({"json", "yaml", "toml", "dockerfile", "make", "sql", "xml"})
_PROSE_LANGUAGES: Final = frozenset({"markdown", "rst", "asciidoc", "text", "notebook"})


def place_kinds(path: str, language: str) -> frozenset[PlaceKind]:
    """All that a file's path and language say against it."""
    kinds: set[PlaceKind] = set()
    if _test_place().search(path):
        kinds.add(PlaceKind.TEST)
    if _example_place().search(path):
        kinds.add(PlaceKind.EXAMPLE)
    if language in _PROSE_LANGUAGES:
        kinds.add(PlaceKind.PROSE)
    if language in _DATA_LANGUAGES:
        kinds.add(PlaceKind.DATA)
    return frozenset(kinds)


@cache
def _test_place() -> re.Pattern[str]:
    return re.compile(rf"(?:^|/)(?:(?:{_TEST_FOLDERS})/|(?:{_TEST_FILES})$)")


@cache
def _example_place() -> re.Pattern[str]:
    return re.compile(rf"(?:^|/)(?:{_EXAMPLE_FOLDERS})/", re.IGNORECASE)
