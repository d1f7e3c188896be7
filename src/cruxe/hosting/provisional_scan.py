"""Pick the files of an unindexed working tree that match a request best."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from cruxe.model.deadlines import Deadline
from cruxe.model.source import ListedFile
from cruxe.model.symbols import split_name
from cruxe.query.understand.analysis import analyse_query
from cruxe.text.patterns import path_filter
from cruxe.tools.checked_requests import LocateRequest, SearchRequest
from cruxe.tools.get_file_outline import OutlineRequest
from cruxe.tools.read_symbol import ReadRequest
from cruxe.tools.search_text import TextRequest
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.listing import list_working_tree

Measure = Callable[[str, bytes], float]  # score of a path and its text; zero: no match
PathTest = Callable[[str], bool]

_MOST_FILES: Final = 40
_MOST_FILES_WITH_TEXT: Final = 300
# A term in the path counts more than one in the text.
_PATH_FACTOR: Final = 2.0
# Keywords before the name in a definition, in most languages.
_DEFINING: Final = re.compile(
    rb"\b(?:class|const|def|defp|enum|fn|func|fun|function|interface|macro|module|object|protocol"
    rb"|record|struct|trait|type|typedef|union|val|var|let)\s+(?:\([^)]*\)\s*)?\Z"
)
_BEFORE_BYTES: Final = 80
# Parsing a larger file may take longer than the deadline.
_PARSED_BYTES: Final = 200_000


class Interest(NamedTuple):
    """How to choose files for a request: a score, a limit, and path filters."""

    measure: Measure
    most: int = _MOST_FILES
    paths: tuple[str, ...] = ()  # that the request names
    is_wanted_path: PathTest = lambda _: True


def interest_of(request: object, deadline: Deadline) -> Interest:
    """Return how to choose files for a tool's request."""
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
        return float(bool(request.pattern.line_places(text, deadline)))

    wanted = _path_test(request.spec.filters.get("path"))
    return Interest(measure=measure, most=_MOST_FILES_WITH_TEXT, is_wanted_path=wanted)


def _path_test(pattern: str | None) -> PathTest:
    return (lambda _: True) if pattern is None else path_filter(pattern)


class FileScan:
    """Scans the files of a working tree for those that match a request."""

    def __init__(self, context: RepositoryContext, deadline: Deadline) -> None:
        listed = list_working_tree(context.workspace, context.rules)
        self._root = context.workspace.root
        self._deadline = deadline
        self._files = {file.path: file for file in listed if file.skip is None}
        self.total = len(self._files)
        self.looked_at = 0

    def pick(self, request: object) -> list[ListedFile]:
        """Return the files with the highest scores, best first."""
        interest = interest_of(request, self._deadline)
        named = [self._files[path] for path in interest.paths if path in self._files]
        if named:
            self.looked_at = self.total
            return named
        found = [
            (-promise, file.path)
            for file in self._wanted(interest.is_wanted_path)
            if (promise := interest.measure(file.path, self._read(file))) > 0
        ]
        found.sort()
        return [self._files[path] for _, path in found[: interest.most]]

    def _wanted(self, is_wanted: PathTest) -> Iterator[ListedFile]:
        for file in self._files.values():
            if self._deadline.has_passed:
                return
            self.looked_at += 1
            if is_wanted(file.path) and _size_of(file) <= _PARSED_BYTES:
                yield file

    def _read(self, file: ListedFile) -> bytes:
        try:
            with open(os.path.join(self._root, file.path), "rb") as content:
                return content.read()
        except OSError:
            return b""


def _size_of(file: ListedFile) -> int:
    return 0 if file.stat is None else file.stat.size
