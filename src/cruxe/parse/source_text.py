"""The text of one file for the parser, as UTF-8 with offsets, lines and slices, and its comments.

Comments are looked up by the line below them.
"""

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from cruxe.text.lines import line_starts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tree_sitter import Node

    from cruxe.model.symbols import Span


class SourceText:
    """One file's text. Offsets count UTF-8 bytes; only a line feed ends a line."""

    def __init__(self, path: str, data: bytes) -> None:
        """Take a path relative to the repository and the file's text as UTF-8."""
        self.path = path
        self.data = data
        # One character per byte. An ASCII slice of it is already the text, in less than half the
        # time of slicing and decoding bytes.
        self.characters = data.decode("latin-1")
        self.line_starts = line_starts(data)  # offset of each line's first byte
        self.line_count = len(self.line_starts) if data else 0

    def text_of(self, node: "Node") -> str:
        """Return the node's text."""
        start, end = node.byte_range
        text = self.characters[start:end]
        return text if text.isascii() else self.data[start:end].decode("utf-8", "replace")

    def text_between(self, start: int, end: int) -> str:
        """Return the text between two offsets."""
        text = self.characters[start:end]
        return text if text.isascii() else self.data[start:end].decode("utf-8", "replace")

    def is_first_on_line(self, offset: int) -> bool:
        """Return whether only white space precedes an offset on its line."""
        line_start = self.data.rfind(b"\n", 0, offset) + 1
        return not self.data[line_start:offset].strip()


class CommentsAbove(NamedTuple):
    """The comments directly above a definition, in file order."""

    line: int  # first line of the first comment
    spans: list[tuple[int, int]]
    texts: list[str]


class Comments:
    """Comments indexed by the line that follows them."""

    def __init__(self, spans: "Iterable[Span]", source: SourceText) -> None:
        """Take the spans of comments in any order; of two that end on one line, keep the last."""
        self._source, find = source, source.data.find
        self.spans = tuple(sorted({*spans}))
        # Keyed by the offset of the next line. Some grammars include the line feed in the comment.
        # A comment at the end of the file has no next line.
        self._by_next_line = {
            line_feed + 1: span
            for span in self.spans
            if (line_feed := find(b"\n", span[1] - 1)) >= 0
        }

    def above(self, line: int, is_doc: "Callable[[str], bool]") -> CommentsAbove | None:
        """Return the doc comments directly above a line, or None."""
        by_next_line, starts = self._by_next_line, self._source.line_starts
        line_start = starts[line - 1] if line <= len(starts) else len(self._source.data)
        if line_start not in by_next_line:  # the usual case
            return None
        return self._ending_at(line_start, is_doc)

    def _ending_at(self, line_start: int, is_doc: "Callable[[str], bool]") -> CommentsAbove | None:
        source, data, by_next_line = self._source, self._source.data, self._by_next_line
        span = by_next_line.get(line_start)
        spans: list[tuple[int, int]] = []
        texts: list[str] = []
        while span is not None:
            start, end = span
            text = source.text_between(start, end).rstrip()
            first = data.rfind(b"\n", 0, start) + 1
            # A trailing comment belongs to the code before it.
            if data[first:start].strip() or not is_doc(text):
                break
            spans.append(span)
            texts.append(text)
            line_start, span = first, by_next_line.get(first)
        if not spans:
            return None
        return CommentsAbove(bisect_right(source.line_starts, line_start), spans[::-1], texts[::-1])
