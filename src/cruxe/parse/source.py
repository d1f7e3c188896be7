"""The text a parser works on: UTF-8 bytes with offsets, lines and slices."""

from typing import TYPE_CHECKING

from cruxe.text.lines import line_starts

if TYPE_CHECKING:
    from tree_sitter import Node


class SourceText:
    """One file's text. Offsets count UTF-8 bytes; lines end in a line feed alone."""

    def __init__(self, path: str, data: bytes) -> None:
        """Take a path relative to the repository and its text as UTF-8."""
        self.path = path
        self.data = data
        self._line_starts: list[int] | None = None

    @property
    def line_starts(self) -> list[int]:
        """Offset of each line's first byte."""
        if self._line_starts is None:
            self._line_starts = line_starts(self.data)
        return self._line_starts

    @property
    def line_count(self) -> int:
        """Number of lines; an empty file has none."""
        return len(self.line_starts) if self.data else 0

    def text_of(self, node: "Node") -> str:
        """The node's text."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def text_between(self, start: int, end: int) -> str:
        """The text between two offsets."""
        return self.data[start:end].decode("utf-8", "replace")

    def is_first_on_line(self, offset: int) -> bool:
        """Whether only white space stands before an offset on its line."""
        line_start = self.data.rfind(b"\n", 0, offset) + 1
        return not self.data[line_start:offset].strip()
