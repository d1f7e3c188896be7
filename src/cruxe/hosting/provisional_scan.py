"""What in a file would answer a request, told from its text alone, before anything is parsed."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from cruxe.model.deadlines import Deadline
from cruxe.query.understand.analysis import analyse_query
from cruxe.query.understand.qualified_names import split_name
from cruxe.text.patterns import path_filter
from cruxe.tools.checked_requests import LocateRequest, SearchRequest
from cruxe.tools.get_file_outline import OutlineRequest
from cruxe.tools.read_symbol import ReadRequest
from cruxe.tools.search_text import TextRequest

Measure = Callable[[str, bytes], float]  # of a path and its text; nothing promised: zero
PathTest = Callable[[str], bool]

_MOST_FILES: Final = 40
_MOST_FILES_WITH_TEXT: Final = 300
# A term in the path says more about a file than one in its text.
_PATH_FACTOR: Final = 2.0
# What stands before a name where it is defined, in most languages.
_DEFINING: Final = re.compile(
    rb"\b(?:class|const|def|defp|enum|fn|func|fun|function|interface|macro|module|object|protocol"
    rb"|record|struct|trait|type|typedef|union|val|var|let)\s+(?:\([^)]*\)\s*)?\Z"
)
_BEFORE_BYTES: Final = 80


class Interest(NamedTuple):
    """Which files to look at first."""

    measure: Measure
    most: int = _MOST_FILES
    paths: tuple[str, ...] = ()  # named by the request itself
    is_wanted_path: PathTest = lambda _: True


def interest_of(request: object, deadline: Deadline) -> Interest:
    """What a tool's request is about."""
    match request:
        case SearchRequest():
            return _in_terms(request)
        case LocateRequest():
            return Interest(_of_name(request.spec.name))
        case ReadRequest():
            return Interest(_of_name(request.symbol), paths=(request.place.path,))
        case OutlineRequest():
            return Interest(_nothing, paths=(request.spec.path,))
        case TextRequest():
            return _in_text(request, deadline)
        case _:
            return Interest(_nothing)


def _nothing(_path: str, _text: bytes) -> float:
    return 0.0


def _in_terms(request: SearchRequest) -> Interest:
    weights = analyse_query(request.spec.query).weights
    terms = [(term.encode(), term, weight) for term, weight in weights.items()]

    def measure(path: str, text: bytes) -> float:
        lowered, lowered_path = text.lower(), path.lower()
        return sum(
            weight * ((term in lowered) + _PATH_FACTOR * (word in lowered_path))
            for term, word, weight in terms
        )

    return Interest(measure, is_wanted_path=_path_test(request.spec.filters.get("path")))


def _of_name(name: str) -> Measure:
    last = split_name(name)[-1:] or [name]
    needle = last[0].lower().encode("utf-8", "replace")
    if not needle:
        return _nothing

    def measure(_path: str, text: bytes) -> float:
        lowered, promise = text.lower(), 0.0
        place = lowered.find(needle)
        while place >= 0:
            if _DEFINING.search(lowered, max(0, place - _BEFORE_BYTES), place):
                return 2.0
            promise, place = 1.0, lowered.find(needle, place + len(needle))
        return promise

    return measure


def _in_text(request: TextRequest, deadline: Deadline) -> Interest:
    def measure(_path: str, text: bytes) -> float:
        return float(any(True for _ in request.pattern.line_places(text, deadline)))

    wanted = _path_test(request.spec.filters.get("path"))
    return Interest(measure, _MOST_FILES_WITH_TEXT, is_wanted_path=wanted)


def _path_test(pattern: str | None) -> PathTest:
    return (lambda _: True) if pattern is None else path_filter(pattern)
