"""Blocks of a YAML document: mappings and lists by the column of their entries, and their keys."""

from typing import Final

from cruxe.parse.languages.json.keys import Key

_LEVELS: Final = 3  # deeper keys are data
_NOT_ENDED: Final = -1
_NO_KEYS: Final[list[Key]] = []


class Block:
    """A mapping or a list whose entries begin in one column."""

    # Class defaults save time: a file has a block for every few lines, most of them data.
    level = 0  # of the keys, from the top; 0 for data
    holds_block = False  # whether the value of the last key is a block
    name: tuple[int, int] = (0, 0)  # offsets of the last key
    key: Key | None = None  # the last key, if it is indexed

    def __init__(self, column: int, *, is_list: bool) -> None:
        """Start without entries."""
        self.column = column
        self.is_list = is_list
        self.is_open = False  # whether the last entry has no value yet
        self.entries: list[Key] = _NO_KEYS  # shared by all data blocks, which never add keys


class Blocks:
    """The blocks that are open at a line, and the documents read so far."""

    def __init__(self, line_starts: list[int]) -> None:
        """Start before the first line."""
        self._line_starts = line_starts
        self._has_root = False
        self.open: list[Block] = []  # the innermost last
        self.documents: list[Key] = []
        self.end = 0  # of the last text read
        self.comment_end = 0  # of the comment after it

    def place(
        self, line_start: int, column: int, name_start: int, *, is_item: bool, has_value: bool
    ) -> Block | None:
        """Return the block that a line is an entry or a value of, or None.

        `name_start` is negative if the line has no key.
        """
        blocks = self.open
        while blocks and blocks[-1].column > column:
            self._close(blocks.pop())
        if is_item:
            if not self._enter_list(column):
                return None
            blocks[-1].is_open = True
        if name_start >= 0:
            if not self._enter_mapping(name_start - line_start, name_start):
                return None
        elif not is_item and not (blocks and blocks[-1].is_open and column > blocks[-1].column):
            return None
        block = blocks[-1]
        block.is_open = not has_value
        return block

    def add_key(self, block: Block, start: int, end: int) -> None:
        """Begin a key of a block; on the last level only keys that hold others are kept."""
        if block.key is not None:
            self._close(block)
            block.key = None
        block.holds_block = False
        block.name = start, end
        if block.level < _LEVELS:
            block.key = Key(start, end, start, end)
            block.entries.append(block.key)

    def close_document(self) -> None:
        """Close all open blocks."""
        while self.open:
            self._close(self.open.pop())
        if self.documents and self.documents[-1].end == _NOT_ENDED:
            self.documents[-1].end = self.end
        self._has_root = False

    def close_file(self, text: str) -> None:
        """Close all open blocks, with trailing blank lines but without trailing comments."""
        if self.open:
            self._close(self.open.pop())
        last_line = text[text.rfind("\n", 0, -1) + 1 :]
        if not last_line.lstrip().startswith("#"):
            self.end = len(text)
        self.close_document()

    def _enter_list(self, column: int) -> bool:
        """Continue a list or begin one; return whether a list is allowed here."""
        if self.open and self.open[-1].is_list and self.open[-1].column == column:
            return True
        if not self._may_begin():
            return False
        self.open.append(Block(column, is_list=True))
        return True

    def _enter_mapping(self, column: int, start: int) -> bool:
        """Return to a mapping or begin one; return whether a mapping is allowed here."""
        blocks = self.open
        if blocks and blocks[-1].is_list and blocks[-1].column == column:
            self._close(blocks.pop())  # a list may have the indentation of its key
        if blocks and blocks[-1].column == column:
            return not blocks[-1].is_list
        if not self._may_begin():
            return False
        mapping = Block(column, is_list=False)
        if not blocks:
            self.documents.append(Key(start, _NOT_ENDED, start, start))
            mapping.level, mapping.entries = 1, self.documents[-1].entries
        elif (around := blocks[-1]).level:
            if around.key is None:  # of the last level
                around.key = Key(*around.name, *around.name)
                around.entries.append(around.key)
            around.key.holds_keys = True
            if around.level < _LEVELS:
                mapping.level, mapping.entries = around.level + 1, around.key.entries
        blocks.append(mapping)
        return True

    def _may_begin(self) -> bool:
        """Return whether a block may begin here: as a missing value or as the whole document."""
        if self.open:
            around = self.open[-1]
            may_begin, around.is_open, around.holds_block = around.is_open, False, True
            return may_begin
        may_begin, self._has_root = not self._has_root, True
        return may_begin

    def _close(self, block: Block) -> None:
        """End the last key of a block at the last text read."""
        key = block.key
        if key is not None:
            key.end = max(self.end, self.comment_end) if block.holds_block else self.end
            if key.holds_keys:
                key.find_lines(self._line_starts)
