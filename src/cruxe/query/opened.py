"""One ref of one generation, open for questions."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from cruxe.index.snapshot import Snapshot
from cruxe.model.identity import VersionKey

if TYPE_CHECKING:
    from cruxe.index.lexical_reader import LexicalReader
    from cruxe.index.vector_reader import VectorReader

# As many versions as a large repository has files; some 10 MB.
_MOST_PLACES: Final = 50_000

Place = tuple[str, str, int]  # the path, the language and the number of lines


class FilePlaces:
    """The places of versions, which never change; looked up once."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: dict[VersionKey, Place] = {}

    def look_up(self, keys: Iterable[VersionKey], snapshot: Snapshot) -> Mapping[VersionKey, Place]:
        """The places of some versions, and perhaps of others; not of those without content."""
        if len(self._known) > _MOST_PLACES:
            self._known = {}
        known = self._known
        missing = [key for key in keys if key not in known]
        for key, path, language, line_count in snapshot.described(missing):
            known[key] = path, language, line_count
        return known


class OpenedRef:
    """What a question is asked of; each part is read once someone needs it."""

    def __init__(self, snapshot: Snapshot, ref_id: int) -> None:
        """Take an open snapshot and one of its refs."""
        self.snapshot = snapshot
        self.ref_id = ref_id

    @cached_property
    def lexical(self) -> "LexicalReader":
        """The lexical index of the same generation."""
        from cruxe.index.lexical_reader import LexicalReader

        return LexicalReader(self.snapshot.lexical_path)

    @cached_property
    def is_live(self) -> Callable[[VersionKey], bool]:
        """Whether the ref holds a version."""
        return self.snapshot.live_keys(self.ref_id).__contains__

    @cached_property
    def places(self) -> FilePlaces:
        """Where versions are, and how large."""
        return FilePlaces()

    def vectors(self, model: str) -> "VectorReader | None":
        """The vectors of the ref by a model; nothing where some versions lack theirs."""
        return self.snapshot.vectors(self.ref_id, model)
