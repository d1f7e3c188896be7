"""Reads the text form back, by `docs/TEXT.md` alone."""

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_WORD: Final = r'"(?:[^"\\]|\\.)*"|\S+'
_RESULT: Final = re.compile(
    rf"(?P<path>{_WORD}):(?P<first>\d+)(?:-(?P<shown>\d+))?(?:/(?P<last>\d+))?"
    rf"(?: (?P<kind>\S+) (?P<name>{_WORD})(?: (?P<signature>.+))?)?"
)
_SYMBOL: Final = re.compile(
    r"(?P<indent> *)(?P<first>\d+)(?:-(?P<last>\d+))?"
    r"(?: (?P<visibility>private|protected|internal))? (?P<kind>\w+) (?P<signature>.+)"
)
_MATCH: Final = re.compile(r"(?P<line>\d+)(?P<mark>[:-])(?P<text>.*)")
_DETAIL: Final = re.compile(r"  (?P<name>\w+): ?(?P<value>.*)")
_CLOSING: Final = "-- "
_OF_ALL: Final = ("bundle", "intent", "trust")  # details of the whole answer


class ReadResult(NamedTuple):
    """A result as its line says it."""

    path: str
    line_start: int
    line_end: int
    kind: str
    name: str  # qualified where the level has it
    signature: str
    line_shown: int  # the last line that is shown
    block: list[str]
    details: list[tuple[str, str]]


class ReadAnswer(NamedTuple):
    """An answer with its results and its closing line."""

    results: list[ReadResult]
    closing: str


class ReadSymbol(NamedTuple):
    """A line of an outline."""

    depth: int
    line_start: int
    line_end: int
    visibility: str
    kind: str
    signature: str


def read_text(text: str) -> ReadAnswer:
    """Read an answer of `search_code` or `locate_symbol`."""
    answer = ReadAnswer([], "")
    for line in text.split("\n") if text else []:
        assert not answer.closing, "the closing line is the last"
        if line.startswith("\t"):
            answer.results[-1].block.append(line[1:])
        elif line.startswith("  "):
            found = _detail(line)
            if found[0] not in _OF_ALL:
                answer.results[-1].details.append(found)
        elif line.startswith(_CLOSING):
            answer = answer._replace(closing=line.removeprefix(_CLOSING))
        else:
            answer.results.append(read_head(line))
    return answer


def read_head(line: str) -> ReadResult:
    """Read the line of a result."""
    found = _RESULT.fullmatch(line)
    assert found is not None, line
    first = int(found["first"])
    shown = int(found["shown"] or first)
    return ReadResult(
        path=_plain(found["path"]),
        line_start=first,
        line_end=int(found["last"] or shown),
        kind=found["kind"] or "",
        name=_whole_name(found["name"] or "", _plain(found["path"])),
        signature=found["signature"] or "",
        line_shown=shown,
        block=[],
        details=[],
    )


def read_source(text: str) -> tuple[ReadResult, list[str], list[str]]:
    """Read an answer of `read_symbol`: its region, its source, and the lines after that."""
    head, *lines = text.split("\n")
    region = read_head(head)
    count = region.line_shown - region.line_start + 1
    return region, lines[:count], lines[count:]


def read_outline(text: str) -> Iterator[ReadSymbol]:
    """Read the symbols of an outline; its first line is the file."""
    for line in text.split("\n")[1:]:
        found = _SYMBOL.fullmatch(line)
        if found is None:
            assert line.startswith(_CLOSING) or _DETAIL.fullmatch(line.replace("   ", "  ")), line
            continue
        yield ReadSymbol(
            depth=len(found["indent"]) // 2,
            line_start=int(found["first"]),
            line_end=int(found["last"] or found["first"]),
            visibility=found["visibility"] or "public",
            kind=found["kind"],
            signature=found["signature"],
        )


def read_matches(text: str) -> Iterator[tuple[str, int, str, str]]:
    """Read an answer of `search_text`: path, number, mark and text of each line."""
    path = ""
    for line in text.split("\n"):
        if found := _MATCH.fullmatch(line):
            yield path, int(found["line"]), found["mark"], found["text"]
        elif not line.startswith((_CLOSING, "  ")):
            path = _plain(line)


def _whole_name(word: str, path: str) -> str:
    """The name; one that begins with a separator goes on from the path without its extension."""
    name = _plain(word)
    is_quoted_whole = word.startswith('"') and not name.startswith(" ")
    if is_quoted_whole or not re.match(r"\.|::|/|#| > ", name):
        return name
    folder, slash, file = path.rpartition("/")
    return f"{folder}{slash}{file.rpartition('.')[0] or file}{name}"


def _plain(word: str) -> str:
    return str(json.loads(word)) if word.startswith('"') else word


def _detail(line: str) -> tuple[str, str]:
    found = _DETAIL.fullmatch(line)
    assert found is not None, line
    return found["name"], found["value"]
