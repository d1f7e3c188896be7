"""Read plain YAML line by line; nearly all files are plain.

If a line is not plain, or not allowed where it is, reading stops and the grammar parses the
whole file. So errors and rarer parts of the language are not handled here.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from cruxe.parse.languages.yaml.blocks import Blocks

if TYPE_CHECKING:
    from cruxe.model.symbols import Span

_MAX_COLUMNS: Final = 100  # no line is indented deeper: see `legible`
_QUOTED: Final = r"\"(?:[^\"\\\n]++|\\[^\n]|(?!))*+\"|'(?:[^'\n]++|''|(?!))*+'"
# On several lines, which are indented.
_LONG_QUOTED: Final = (
    r"\"(?:[^\"\\\n]++|\\[\s\S]|\n(?=\s)|(?!))*+\""
    r"|'(?:[^'\n]++|''|\n(?=\s)|(?!))*+'"
)
_TEXT: Final = r"(?:[^\s:#]++|:(?=\S)|\#(?<=\S\#)|[ \t]++(?![\s#])|(?!))*+"
_NAME: Final = rf"(?:[\w$./~<(](?:[^\s:#]++|:(?=\S)|\#(?<=\S\#)|[ ]++(?![\s#:])|(?!))*+|{_QUOTED})"
_PLAIN: Final = rf"(?:[^\s?:,\[\]{{}}\#&*!|>'\"%@`-]|[?:-](?=\S)){_TEXT}"
# Values that begin with `*`, `&` or `!` are aliases, anchors or tags, so not plain.
_INNER: Final = rf"[\w\s,./:=+$^|<>~()@%-]++|[*!&](?<=[\w/.*][*!&])|{_QUOTED}"
_FLOW: Final = rf"[\[{{](?:{_INNER}|\[(?:{_INNER}|(?!))*+\]|\{{(?:{_INNER}|(?!))*+\}}|(?!))*+[\]}}]"
# Indent, dash, name, plain text, header of a block scalar, any other value, end, comment.
_LINE: Final = re.compile(
    r"([ ]*+)(?>(-(?:[ ]++|(?=\n)))|)"
    rf"(?>({_NAME})[ ]*+:(?:[ ]++|(?=\n|\Z))|)"
    rf"(?>({_PLAIN})|([|>](?:[+-]?[1-9]?|[1-9][+-])(?=\s|\Z))|({_LONG_QUOTED}|{_FLOW})|)"
    r"()[ \t]*+(?>((?:(?<=\s)|^)\#[^\n]*+)|)(?:\n|\Z)",
    re.ASCII,
)
_MORE: Final = re.compile(rf"[ ]++([^\s#]{_TEXT})[ \t]*+(?>(\#[^\n]*+)|)(?:\n|\Z)", re.ASCII)
_MARGINS: Final = tuple(" " * (column + 1) for column in range(_MAX_COLUMNS))
_DOCUMENT_START: Final = "---"
_DOCUMENT_END: Final = "..."
_NO_COLUMN: Final = -1
_NO_NAME: Final = -1


class PlainReader:
    """Reads one text."""

    def __init__(self, text: str, line_starts: list[int]) -> None:
        """Take a text and the offsets of its lines; call `read` to read it."""
        self._text = text
        self._blocks = Blocks(line_starts)
        self._position = 0
        self._text_column = _NO_COLUMN  # deeper lines continue the text above
        self.documents = self._blocks.documents
        self.comments: list[Span] = []

    def read(self) -> bool:
        """Read all lines; return whether all are plain."""
        text, end = self._text, len(self._text)
        while (position := self._position) < end:
            column = self._text_column
            if column >= 0 and text.startswith(_MARGINS[column], position) and self._go_on():
                continue
            line = _LINE.match(text, position)
            if line is None or not self._take(line):
                return False
        self._blocks.close_file(text)
        return True

    def _go_on(self) -> bool:
        """Read a line as a continuation of the text above; return whether it is one."""
        more = _MORE.match(self._text, self._position)
        if more is None:
            return False
        self._blocks.end, self._position = more.end(1), more.end()
        if more[2] is not None:
            self.comments.append(more.span(2))
            self._text_column = _NO_COLUMN
        return True

    def _take(self, line: re.Match[str]) -> bool:
        """Process a line; return whether it is allowed where it is."""
        indent, dash, name, plain, head, value, _, comment = line.groups()
        blocks, column, start = self._blocks, len(indent), self._position
        self._position = line.end()
        if comment is not None:
            self.comments.append(line.span(8))
        has_value = plain is not None or head is not None or value is not None
        if name is None and dash is None:
            if not has_value:
                self._pass_blank(comment)
                return True
            if plain is not None and not column and plain.startswith(_DOCUMENT_START):
                self._text_column = _NO_COLUMN
                blocks.close_document()
                return plain == _DOCUMENT_START
        block = blocks.open[-1] if blocks.open else None
        if block is not None and block.column == column and dash is None and not block.is_list:
            if name is None:
                return False
            block.is_open = not has_value  # the usual case: the next key of a mapping
        else:
            is_item = dash is not None
            block = blocks.place(start, column, line.start(3), is_item=is_item, has_value=has_value)
            if block is None or (plain == _DOCUMENT_END and not column):
                return False
        if block.level and name is not None:
            blocks.add_key(block, *line.span(3))
        blocks.end, blocks.comment_end = line.end(7), line.end(8)
        self._text_column = block.column if plain is not None and comment is None else _NO_COLUMN
        if head is not None:
            self._pass_text(block.column)
        return True

    def _pass_blank(self, comment: str | None) -> None:
        if comment is not None:
            self._blocks.comment_end, self._text_column = 0, _NO_COLUMN

    def _pass_text(self, column: int) -> None:
        """Skip the lines of a block scalar."""
        inside = _lines_inside(column).match(self._text, self._position)
        if inside is None:
            return
        if inside.end() == len(self._text):  # then it includes the blank lines at the end
            self._blocks.end = inside.end()
        elif written := inside[0].rstrip():
            self._blocks.end = self._position + len(written)
        self._position = inside.end()


@cache
def _lines_inside(column: int) -> re.Pattern[str]:
    """Return a pattern for lines that are indented deeper than a column, or blank."""
    return re.compile(rf"(?:[ \t]*+\n|{_MARGINS[column]}[^\n]*+(?:\n|\Z)|(?!))*+")
