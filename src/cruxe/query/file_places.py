"""Where versions are, and what their paths say: looked at once, since versions never change."""

from collections.abc import Iterable, Mapping
from typing import Final

from cruxe.index.snapshot import Snapshot
from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.query.places import PlaceKind, place_kinds
from cruxe.text.identifiers import part_terms_of_word, words_of
from cruxe.text.paths import stem_of_path

# As many versions as a large repository has files; some 30 MB.
_MOST_PLACES: Final = 50_000
# The letters that stems have in common which are not the same and still mean the same word.
ALIKE_START: Final = 3


class FilePlace(NamedTuple):
    """Where a version is and how large, and what that says of it."""

    path: str
    language: str
    line_count: int
    kinds: frozenset[PlaceKind]
    name_terms: tuple[str, ...]  # the words of its name
    name_starts: tuple[str, ...]  # and how each starts


NOWHERE: Final = FilePlace("", "", 0, frozenset(), (), ())


class FilePlaces:
    """The places of versions, which never change; looked up once."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: dict[VersionKey, FilePlace] = {}

    def look_up(
        self, keys: Iterable[VersionKey], snapshot: Snapshot
    ) -> Mapping[VersionKey, FilePlace]:
        """The places of some versions, and perhaps of others; not of those without content."""
        if len(self._known) > _MOST_PLACES:
            self._known = {}
        known = self._known
        missing = [key for key in keys if key not in known]
        for key, path, language, line_count in snapshot.described(missing):
            known[key] = file_place(path, language, line_count)
        return known


def file_place(path: str, language: str, line_count: int) -> FilePlace:
    """Look at a path."""
    words = words_of(stem_of_path(path).encode())
    terms = tuple(term for word in words for term in part_terms_of_word(word))
    starts = tuple(map(start_of_word, terms))
    return FilePlace(path, language, line_count, place_kinds(path, language), terms, starts)


def start_of_word(term: str) -> str:
    """How a word starts: others that mean the same start so too."""
    return term[:ALIKE_START]
