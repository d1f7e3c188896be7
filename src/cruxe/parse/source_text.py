"""The text of one file for the parser: UTF-8 bytes with offsets, lines and slices."""

from typing import TYPE_CHECKING

from cruxe.text.lines import line_starts

if TYPE_CHECKING:
    from tree_sitter import Node


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
