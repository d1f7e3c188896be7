"""Files that a query names by their path: whole, by its end, without its extension, or a folder."""

from collections.abc import Iterator
from typing import Final

from cruxe.model.identity import VersionKey
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.understand.analysis import QueryAnalysis

_WHOLE: Final = 1.0
_WITHOUT_EXTENSION: Final = 0.9
_FOLDER: Final = 0.6
_OTHER_CASE: Final = 0.95
# In a sentence a path may be beside the point.
_IN_SENTENCE: Final = 0.5
# A folder may hold thousands; the shallowest come first.
_MOST: Final = 80
_MOST_LOOKED_AT: Final = 5_000
_END: Final = "\0"


def find_paths(analysis: QueryAnalysis, opened: OpenedRef) -> dict[VersionKey, float]:
    """The versions whose paths a query names, each with how far it does."""
    if not analysis.paths:
        return {}
    share = _WHOLE if analysis.is_path else _IN_SENTENCE
    values: dict[str, float] = {}
    for asked in analysis.paths:
        for path, value in _named_paths(asked, opened.paths):
            values[path] = max(values.get(path, 0.0), share * value)
    best = sorted(values, key=lambda path: (-values[path], path))[:_MOST]
    found: dict[VersionKey, float] = {}
    for path in best:
        file = opened.snapshot.find_file(opened.ref_id, path)
        if file is not None and file.version_key is not None and file.skip_reason is None:
            found[file.version_key] = values[path]
    return found


def _named_paths(asked: str, joined: str) -> Iterator[tuple[str, float]]:
    """Paths with the text asked for between two slashes, or at an end."""
    text = asked.strip("/")
    has_folders = "/" in asked
    # A name without dots and slashes is a file's only if it is all of its name: `Makefile`.
    is_exact = not has_folders and "." not in text
    haystack, needle = (joined, text) if is_exact else (joined.lower(), text.lower())
    # Some letters are longer in lower case; then places do not fit, and case counts.
    if len(haystack) != len(joined):
        haystack, needle = joined, text
    place = haystack.find(needle) if needle else -1
    for _ in range(_MOST_LOOKED_AT):
        if place < 0:
            return
        end = place + len(needle)
        if joined[place - 1] in f"/{_END}":
            stop = joined.index(_END, end)
            value = _value(joined[end:stop], has_folders=has_folders)
            if value:
                is_same_case = joined[place:end] == text
                path = joined[joined.rindex(_END, 0, place) + 1 : stop]
                yield path, value if is_same_case else value * _OTHER_CASE
        place = haystack.find(needle, end)


def _value(rest: str, *, has_folders: bool) -> float:
    """What is left of the path after the text decides what the text is of it."""
    if not rest:
        return _WHOLE
    if not has_folders:
        return 0.0
    if rest.startswith("/"):
        return _FOLDER / rest.count("/")
    return _WITHOUT_EXTENSION if rest.startswith(".") and "/" not in rest else 0.0
