"""The comments of a file, and which of them stand directly above a line."""

from typing import TYPE_CHECKING, NamedTuple

from cruxe.parse.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.language import Rules


class Comments:
    """Comments in file order, found by the line they end on."""

    def __init__(self, nodes: "list[Node]", source: SourceText) -> None:
        """Take comment nodes in any order."""
        self._source = source
        spans: set[tuple[int, int]] = set()
        self._by_last_row: dict[int, tuple[int, int, int]] = {}
        for node in nodes:
            start, end = span = node.start_byte, node.end_byte
            spans.add(span)
            last_row, column = node.end_point
            self._by_last_row[last_row - (column == 0)] = (node.start_point[0], start, end)
        self.spans = sorted(spans)

    def above(self, line: int, rules: "Rules") -> "list[CommentAbove]":
        """Doc comments that touch a line from above, in order."""
        row = line - 2
        found = self._by_last_row.get(row)
        if found is None:  # as for most lines
            return []
        touching: list[CommentAbove] = []
        source, is_doc_comment = self._source, rules.is_doc_comment
        while found is not None:
            first_row, start, end = found
            # A comment behind code belongs to that code.
            text = source.text_between(start, end).rstrip()
            if not source.is_first_on_line(start) or not is_doc_comment(text):
                break
            touching.append(CommentAbove(first_row + 1, start, end, text))
            found = self._by_last_row.get(first_row - 1)
        return touching[::-1]


class CommentAbove(NamedTuple):
    """A comment that documents what comes below it."""

    line: int  # its first
    start: int
    end: int
    text: str
