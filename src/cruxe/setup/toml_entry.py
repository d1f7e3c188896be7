"""A table in a TOML file: appended, and checked by parsing the result with `tomllib`.

The mark is on the header line only. Codex rewrites all its server tables when it adds or removes
one and drops the comments above them, which would break a pair of marks around the table.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple, cast

from cruxe.setup.marks import digest_mark
from cruxe.setup.pieces import (
    BYTE_ORDER_MARK,
    LINE_START,
    Edit,
    Found,
    UnusableTextError,
    appended,
    line_break_of,
    without_lines,
)

Fields = Mapping[str, "str | list[str]"]
Table = dict[str, object]

_MARK: Final = "  # cruxe setup: "
_MARKED: Final = re.compile(rf".*{_MARK}([0-9a-f]{{8}})[ \t]*\r?\n")
_BRACKET_AT_LINE_START: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)
_COMMENTS_AT_END: Final = re.compile(r"(?:\r?\n[ \t]*(?:#[^\r\n]*)?)*\s*\Z")
# A table with more lines that start with a bracket is not ours.
_MAX_BRACKETS: Final = 20


class TomlEntry(NamedTuple):
    """The table at `path`."""

    path: tuple[str, ...]
    fields: Fields

    @property
    def value(self) -> str:
        """The table in canonical form."""
        return _canonical(self.fields)

    def find(self, text: str) -> Found | None:
        """Find the table in the parsed document, then its span in the text."""
        table = _at(_parse(text), self.path)
        if table is None:
            return None
        start, end = self._span(text)
        mark = _MARKED.match(text, start, end)
        is_marked = mark is not None and mark[1] == _digest(text[mark.end() : end])
        return Found(start=start, end=end, value=_canonical(table), is_marked=is_marked)

    def insert(self, text: str) -> Edit:
        """Append the table."""
        return self._checked(text, appended(text, self._lines()))

    def replace(self, text: str, found: Found) -> Edit:
        """Replace the table of the same name."""
        self._refuse_scattered(found)
        lines = self._lines().removesuffix("\n").replace("\n", line_break_of(text))
        return self._checked(text, Edit(found.start, text[found.start : found.end], lines))

    def remove(self, text: str, found: Found, made: int) -> str:
        """Remove the lines of the table."""
        del made
        self._refuse_scattered(found)
        rest = without_lines(text, found)
        if not _are_equal(_parse(rest), _without(_parse(text), self.path)):
            raise UnusableTextError("cannot be edited without touching more than the table")
        return rest

    def made_in(self, text: str) -> int:
        """Return 0: the table needs no enclosing levels."""
        del text
        return 0

    def is_empty(self, text: str) -> bool:
        """Return whether the text is blank."""
        return not text.removeprefix(BYTE_ORDER_MARK).strip()

    @property
    def _name(self) -> str:
        return ".".join(self.path)

    def _lines(self) -> str:
        body = "".join(
            f"{name} = {json.dumps(value, ensure_ascii=False)}\n"
            for name, value in self.fields.items()
        )
        return f"[{self._name}]{_MARK}{_digest(body)}\n{body}"

    def _span(self, text: str) -> tuple[int, int]:
        """Return the span of the table, or an empty span if it is not one contiguous part."""
        expected = _without(_parse(text), self.path)
        for start, end in self._candidates(text):
            if _means(text[:start] + text[end:], expected):
                return start, end
        return 0, 0

    def _candidates(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield spans from a header of that name to a line that may be the next header."""
        names = r"[ \t]*\.[ \t]*".join(rf"[\"']?{re.escape(name)}[\"']?" for name in self.path)
        named = rf"{LINE_START}[ \t]*\[[ \t]*{names}[ \t]*\]"
        for header in re.finditer(named, text, re.MULTILINE):
            brackets = islice(_BRACKET_AT_LINE_START.finditer(text, header.end()), _MAX_BRACKETS)
            for end in [*(bracket.start() for bracket in brackets), len(text)]:
                behind = _COMMENTS_AT_END.search(text[header.start() : end])
                assert behind is not None
                yield header.start(), header.start() + behind.start()

    def _refuse_scattered(self, found: Found) -> None:
        if found.start == found.end:
            raise UnusableTextError(f"writes {self._name} in a form that cannot be edited safely")

    def _checked(self, text: str, edit: Edit) -> Edit:
        """Return the edit if its result is the old document plus the table; else raise."""
        try:
            after = _parse(edit.apply(text))
        except UnusableTextError as error:
            raise UnusableTextError(
                f"writes {self.path[0]} in a form that no table can be added to"
            ) from error
        rest, expected = _without(after, self.path), _without(_parse(text), self.path)
        if not _are_equal(rest, expected) or _canonical(_at(after, self.path)) != self.value:
            raise UnusableTextError("cannot be edited without touching more than the table")
        return edit


def _digest(body: str) -> str:
    """Return the digest of the lines below the header, independent of their line breaks."""
    return digest_mark(body.replace("\r\n", "\n").rstrip("\n"))


def _parse(text: str) -> Table:
    try:
        return tomllib.loads(text.removeprefix(BYTE_ORDER_MARK))
    except tomllib.TOMLDecodeError as error:
        raise UnusableTextError(f"is not valid TOML: {error}") from error
    except RecursionError as error:
        raise UnusableTextError("is nested too deeply to be read") from error


def _means(text: str, expected: Table) -> bool:
    try:
        return _are_equal(_parse(text), expected)
    except UnusableTextError:
        return False


def _at(table: object, path: tuple[str, ...]) -> object:
    for name in path:
        if not isinstance(table, dict):
            return None
        table = cast("Table", table).get(name)
    return table


def _without(table: Table, path: tuple[str, ...]) -> Table:
    """Return the document without one table."""
    first, *rest = path
    inner = table.get(first)
    if not rest or not isinstance(inner, dict):
        return {name: value for name, value in table.items() if name != first}
    return {**table, first: _without(cast("Table", inner), tuple(rest))}


def _are_equal(one: Table, other: Table) -> bool:
    """Return whether two documents are equal; empty tables are ignored, as headers are optional."""
    return _canonical(_shrunk(one)) == _canonical(_shrunk(other))


def _shrunk(table: Table) -> Table:
    return {name: value for name, value in table.items() if value != {}}


def _canonical(value: object) -> str:
    # Compared as text, since NaN does not equal itself.
    return json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)
