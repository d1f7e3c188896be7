"""Headings, anchors, captions and attributes of a text, read line by line.

Delimited blocks are respected: text in a listing or a comment is not markup, and no
section starts inside an example, a quotation or a table.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.parse.text_places import matched, place, section_ends

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

SECTION: Final = "section"
DOCUMENT: Final = "document"

_MARK: Final = re.compile(
    rb"""^(?:(?P<depth>={1,6}|\#{1,6})[ \t]+(?P<title>\S[^\n]*)
    |(?P<delimiter>-{2,}|={3,}|~{3,}|\^{3,}|\+{3,}|\.{4,}|/{4,}|\*{4,}|_{4,}|`{3,}|[|,:!]={3,})
      (?:(?<=```)[\w,+.\#-]*)?[ \t]*\r?$
    |(?:[*.-]+[ \t]+)?\[{2,3}(?P<anchor>[^\s\],\[]+)(?:,[^\]\n]*)?\]\]
    |\[(?:[^\]\n"'\#]*\#(?P<id>[\w:.-]+?)(?=[\],%.])|id=["']?(?P<named>[^\s"',\]]+))[^\n]*\]
    |\.(?P<caption>[^\s.][^\n]*)
    |:(?P<attribute>\w[\w-]*):[ \t]+\S[^\n]*$
    |include::(?P<include>[^\[\n]+)\[)""",
    re.MULTILINE | re.VERBOSE,
)
_UNDERLINES: Final = b"=-~^+"
# Code, literal text, comments and passthroughs; other blocks contain blocks.
_VERBATIM: Final = b"-./+`"
_OPEN_BLOCK: Final = b"--"
# An underline may be this much longer or shorter than its title.
_SLACK: Final = 1
_INLINE_ANCHOR: Final = re.compile(rb"\[\[([^\s\],\[]+)\]\]")
_BLANK: Final = re.compile(rb"\n[ \t]*\r?(?:\n|$)")
_ATTRIBUTE_LINES: Final = re.compile(rb"(?:\[[^\n]*\][ \t]*\r?\n)*")
# Attributes, comments and conditions.
_NO_PARAGRAPH: Final = re.compile(rb"\[|:\w|//|\w+::\S*\[.*\]$")
_WORD: Final = re.compile(rb"\w|[\x80-\xff]")


def read_markup(source: "SourceText") -> "list[Match]":
    """Return all definitions and included files, in any order."""
    reader = _Reader(source)
    reader.read()
    return [*reader.found, *reader.sections()]


class _Heading(NamedTuple):
    level: int
    start: int  # of the section, with the anchors right above its heading
    name: tuple[int, int]


class _Reader:
    """Reads one text from top to bottom."""

    def __init__(self, source: "SourceText") -> None:
        self._source = source
        self._data = source.data
        self.found: list[Match] = []
        self._headings: list[_Heading] = []
        self._position = 0  # everything before it is done
        self._closers: set[int] = set()  # offsets of delimiters that end a block
        self._block_end = 0  # no section starts before it

    def read(self) -> None:
        """Process every line that has markup."""
        while (mark := _MARK.search(self._data, self._position)) is not None:
            before, self._position = self._position, mark.end()
            match mark.lastgroup:
                case "title" | "depth":
                    name = _trimmed(mark, "title", closed_by=mark["depth"])
                    self._add_heading(len(mark["depth"]), mark.start(), name)
                case "delimiter":
                    self._read_delimiter(mark, before)
                case "caption":
                    self._add_caption(mark)
                case "include":
                    target = place(self._source, *mark.span("include"))
                    self.found.append(matched("import", target))
                case value if value is not None:
                    self._add_value(mark, mark.span(value))
                case _:
                    pass

    def sections(self) -> "list[Match]":
        """Return the sections, each up to the next heading of its level or above."""
        headings, source = self._headings, self._source
        starts = [heading.start for heading in headings]
        ends = section_ends([each.level for each in headings], starts, len(self._data))
        found: list[Match] = []
        for heading, end in zip(headings, ends, strict=True):
            kind = DOCUMENT if heading.level == 1 else SECTION
            whole = place(source, heading.start, end, kind)
            name = place(source, *heading.name)
            found.append(matched("definition.section", whole, name=name))
        return found

    def _add_heading(self, level: int, start: int, name: tuple[int, int]) -> None:
        if start < self._block_end:
            return
        # Anchors and attributes directly above belong to the section.
        while start > 0 and (above := self._line_before(start))[0][:1] == b"[":
            start = above[1]
        self._headings.append(_Heading(level, start, name))
        for anchor in _INLINE_ANCHOR.finditer(self._data, *name):
            self._add_value(anchor, anchor.span(1))

    def _read_delimiter(self, mark: re.Match[bytes], before: int) -> None:
        """Process a line of one repeated character: an underline or a block delimiter."""
        delimiter, start = mark["delimiter"], mark.start()
        if start in self._closers:
            return
        if delimiter != _OPEN_BLOCK and delimiter[0] in _UNDERLINES:
            title = self._underlined(mark, before)
            if title is not None:
                self._add_heading(_UNDERLINES.index(delimiter[0]) + 1, title[0], title)
                return
        if (end := self._end_of_block(mark)) is None:
            return
        if delimiter[0] in _VERBATIM and delimiter != _OPEN_BLOCK:
            self._position = end.end()
        else:
            self._closers.add(end.start())
            self._block_end = max(self._block_end, end.end())

    def _underlined(self, mark: re.Match[bytes], before: int) -> tuple[int, int] | None:
        """Return the title above an underline: a single line of about the same length."""
        title, start = self._line_before(mark.start())
        if start < before or not title or title[:1] in b" \t[.:|" or not _WORD.search(title):
            return None
        length = len(title.decode("utf-8", "replace"))
        if abs(length - len(mark["delimiter"])) > _SLACK:
            return None
        above = self._line_before(start)[0]
        if start > before + 1 and above and not _NO_PARAGRAPH.match(above):
            return None
        return start, start + len(title)

    def _end_of_block(self, mark: re.Match[bytes]) -> re.Match[bytes] | None:
        """Return the delimiter that ends the block, or None if it is never closed."""
        delimiter = mark["delimiter"]
        is_short = len(delimiter) == _SHORT and delimiter[0] in b"-=+"
        if is_short or delimiter[0] in b"~^":
            return None
        return _delimiter_line(delimiter).search(self._data, mark.end())

    def _add_caption(self, mark: re.Match[bytes]) -> None:
        """Add the title above a block as the block's name."""
        above = self._line_before(mark.start())[0]
        following = mark.end() + 1
        if (above and above[:1] not in b"[+") or self._data[following : following + 1].isspace():
            return
        block = _ATTRIBUTE_LINES.match(self._data, following)
        start = block.end() if block is not None else following
        opening = _MARK.match(self._data, start)
        end = None
        if opening is not None and opening["delimiter"] is not None:
            closing = self._end_of_block(opening)
            end = closing.end() if closing is not None else None
        if end is None:
            blank = _BLANK.search(self._data, start)
            end = blank.start() if blank is not None else len(self._data)
        whole = place(self._source, mark.start(), max(end, mark.end()), "caption")
        name = place(self._source, *_trimmed(mark, "caption"))
        self.found.append(matched("definition.section", whole, name=name))

    def _add_value(self, mark: re.Match[bytes], name: tuple[int, int]) -> None:
        whole = place(self._source, mark.start(), mark.end(), "value")
        self.found.append(matched("definition.constant", whole, name=place(self._source, *name)))

    def _line_before(self, start: int) -> tuple[bytes, int]:
        """Return the line above a line's start offset, and its own start."""
        end = max(start - 1, 0)
        line_start = self._data.rfind(b"\n", 0, end) + 1
        return self._data[line_start:end].rstrip(), line_start


# Three of these characters underline a title but delimit no block.
_SHORT: Final = 3


def _trimmed(mark: re.Match[bytes], group: str, closed_by: bytes = b"") -> tuple[int, int]:
    """Return a title's span without trailing white space and closing marks."""
    start, title = mark.start(group), mark[group].rstrip()
    if closed_by and title.endswith((b" " + closed_by, b"\t" + closed_by)):
        title = title.removesuffix(closed_by).rstrip()
    return start, start + len(title)


@cache
def _delimiter_line(delimiter: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"^" + re.escape(delimiter) + rb"[ \t]*\r?$", re.MULTILINE)
