"""One ref of one generation, open for questions."""

from functools import cached_property
from typing import TYPE_CHECKING

from cruxe.index.snapshot import Snapshot

if TYPE_CHECKING:
    from cruxe.index.lexical_reader import LexicalReader


class OpenedRef:
    """What a question is asked of: the structure, and the words once someone needs them."""

    def __init__(self, snapshot: Snapshot, ref_id: int) -> None:
        """Take an open snapshot and one of its refs."""
        self.snapshot = snapshot
        self.ref_id = ref_id

    @cached_property
    def lexical(self) -> "LexicalReader":
        """The lexical index of the same generation."""
        from cruxe.index.lexical_reader import LexicalReader

        return LexicalReader(self.snapshot.lexical_path)
