"""One ref of one generation, open for questions."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from cruxe.model.identity import VersionKey

if TYPE_CHECKING:
    from cruxe.query.retrieve.file_facts import FileFactsCache, ShownChunks
    from cruxe.store.api import LexicalIndex, Snapshot, VectorIndex


class OpenedRef:
    """What a question is asked of; each part is read once someone needs it."""

    def __init__(self, snapshot: "Snapshot", ref_id: int) -> None:
        """Take an open snapshot and one of its refs."""
        self.snapshot = snapshot
        self.ref_id = ref_id

    @cached_property
    def lexical(self) -> "LexicalIndex":
        """The lexical index of the same generation."""
        return self.snapshot.lexical_opener()()

    @cached_property
    def is_live(self) -> Callable[[VersionKey], bool]:
        """Whether the ref holds a version."""
        return self.snapshot.live_keys(self.ref_id).__contains__

    @cached_property
    def paths(self) -> str:
        """All paths in order, each between two NULs: as fast as they can be looked through."""
        return f"\0{self.snapshot.joined_paths(self.ref_id)}"

    @cached_property
    def file_facts(self) -> "FileFactsCache":
        """Facts of file versions, cached."""
        from cruxe.query.retrieve.file_facts import FileFactsCache

        return FileFactsCache()

    @cached_property
    def chunks(self) -> "ShownChunks":
        """What the chunks of versions show."""
        from cruxe.query.retrieve.file_facts import ShownChunks

        return ShownChunks()

    def vectors(self, model: str) -> "VectorIndex | None":
        """The vectors of the ref by a model; nothing where some versions lack theirs."""
        return self.snapshot.vectors(self.ref_id, model)
