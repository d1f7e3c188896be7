"""The comments of a file, and which of them stand directly above a line."""

from typing import TYPE_CHECKING

from cruxe.parse.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.language import Rules


class Comments:
    """Comments in file order, found by the line they end on."""

    def __init__(self, nodes: "list[Node]", source: SourceText) -> None:
        """Take comment nodes in any order."""
        self._source = source
        self.spans = sorted({(node.start_byte, node.end_byte) for node in nodes})
        self._by_last_row: dict[int, tuple[int, int, int]] = {}
        for node in nodes:
            last_row = node.end_point[0] - (node.end_point[1] == 0)
            self._by_last_row[last_row] = (node.start_point[0], node.start_byte, node.end_byte)

    def above(self, line: int, rules: "Rules") -> list[tuple[int, int, int]]:
        """Doc comments that touch a line from above, in order: (first line, start, end)."""
        row = line - 2
        if row not in self._by_last_row:  # as for most lines
            return []
        touching: list[tuple[int, int, int]] = []
        while (found := self._by_last_row.get(row)) is not None:
            first_row, start, end = found
            if not self._source.is_first_on_line(start):
                break  # a comment behind code belongs to that code
            if not rules.is_doc_comment(self._source.text_between(start, end)):
                break
            touching.append((first_row + 1, start, end))
            row = first_row - 1
        return touching[::-1]
