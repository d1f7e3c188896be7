"""The comments of a file, and which of them stand directly above a line."""

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from cruxe.parse.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.language import Rules


class CommentsAbove(NamedTuple):
    """The comments that document what comes below them, in order."""

    line: int  # where the first of them starts
    spans: list[tuple[int, int]]
    texts: list[str]


class Comments:
    """Comments by the line that they touch from above."""

    def __init__(self, nodes: "list[Node]", source: SourceText) -> None:
        """Take comment nodes in any order; where two end on one line, the last counts."""
        self._source, find = source, source.data.find
        self.spans = tuple(sorted({node.byte_range for node in nodes}))
        # By the offset of the line that comes next; some comments end in the line feed itself.
        # None comes after a comment that ends the file.
        self._by_next_line = {
            line_feed + 1: span
            for span in self.spans
            if (line_feed := find(b"\n", span[1] - 1)) >= 0
        }

    def above(self, line: int, rules: "Rules") -> CommentsAbove | None:
        """Doc comments that touch a line from above, if there are any."""
        source, by_next_line = self._source, self._by_next_line
        starts, data = source.line_starts, source.data
        line_start = starts[line - 1] if line <= len(starts) else len(data)
        span = by_next_line.get(line_start)
        if span is None:  # as for most lines
            return None
        spans: list[tuple[int, int]] = []
        texts: list[str] = []
        while span is not None:
            start, end = span
            text = source.text_between(start, end).rstrip()
            first = data.rfind(b"\n", 0, start) + 1
            # A comment behind code belongs to that code.
            if data[first:start].strip() or not rules.is_doc_comment(text):
                break
            spans.append(span)
            texts.append(text)
            line_start, span = first, by_next_line.get(first)
        if not spans:
            return None
        return CommentsAbove(bisect_right(starts, line_start), spans[::-1], texts[::-1])
