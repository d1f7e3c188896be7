"""The files that may answer a query and what speaks for them, column by column.

Hundreds are scored and ten are shown: so signals read columns, and a file's own evidence is put
together for those alone that someone looks at.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Final

from cruxe.index.lexical_reader import HitRow
from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.query.file_places import FilePlace

if TYPE_CHECKING:
    from cruxe.query.signals import Scales, SignalValues, Values

_SECOND_CHUNK: Final = 0.5  # what chunks after the best one count for
_THIRD_CHUNK: Final = 0.25

Chunks = Sequence[HitRow]  # of one file that may be shown, best first
Symbols = Sequence[StoredSymbol]


class Evidence(NamedTuple):
    """What the channels say, by version; of most versions few of them speak."""

    chunks: Mapping[VersionKey, Chunks]
    defines: Mapping[VersionKey, float]  # BM25 over the names that it defines
    heads: Mapping[VersionKey, float]  # BM25 over its head
    path_matches: Mapping[VersionKey, float]  # how far the query names its path
    definitions: Mapping[VersionKey, Symbols]  # of names in the query
    # Where kinds or roles are asked for: the symbols of such in the chunks, best first. A chunk
    # holds symbols of several kinds, so then symbols are shown and not chunks.
    filtered: Mapping[VersionKey, Symbols] | None = None


NO_EVIDENCE: Final = Evidence({}, {}, {}, {}, {})


class FileEvidence(NamedTuple):
    """All that speaks for one file."""

    version_key: VersionKey
    place: FilePlace
    chunks: Chunks
    definitions: Symbols
    filtered: Symbols | None
    is_lexical: bool  # words or names speak for it
    is_near: bool  # its meaning does


class Candidates:
    """Files and their evidence: the same place in every column is the same file."""

    near: Sequence[float] = ()  # how near its nearest chunk is
    near_three: Sequence[float] = ()  # its nearest three, the further ones counting less
    near_docs: Sequence[float] = ()  # all its docs together
    near_keys: Collection[VersionKey] = ()  # the versions of which anything is near

    def __init__(self, keys: list[VersionKey], places: list[FilePlace], evidence: Evidence) -> None:
        """Take versions, where they are, and what was said of them and perhaps of others."""
        self.keys = keys
        self.places = places
        self.evidence = evidence
        self.chunks: list[Chunks] = [*map(evidence.chunks.get, keys, repeat(()))]
        self.best_chunks = [-chunks[0][0] if chunks else 0.0 for chunks in self.chunks]
        self.defines = [*map(evidence.defines.get, keys, repeat(0.0))]
        self.heads = [*map(evidence.heads.get, keys, repeat(0.0))]
        self.columns: dict[SignalValues, Values] = {}  # by signal, as far as any was asked

    def column(self, signal: "SignalValues", scales: "Scales") -> "Values":
        """What a signal says of them; it is asked once."""
        if signal not in self.columns:
            self.columns[signal] = signal(self, scales)
        return self.columns[signal]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.keys)

    def best_three(self) -> list[float]:
        """What the best three chunks of each come to, the further ones counting less."""
        return [
            best if len(chunks) < 2 else _sum_of_three(chunks)  # noqa: PLR2004
            for best, chunks in zip(self.best_chunks, self.chunks, strict=True)
        ]

    def best_first(self, places: Iterable[int], values: Sequence[float]) -> list[int]:
        """Places by their values, the largest first; path and version break ties."""
        order = sorted(places, key=values.__getitem__, reverse=True)
        found = [values[place] for place in order]
        if len({*found}) < len(found):
            self._break_ties(order, found)
        return order

    def _break_ties(self, order: list[int], values: list[float]) -> None:
        """Sort places by path and version where their values are equal; few are."""
        keys, where = self.keys, self.places
        start = 0
        for end, value in enumerate([*values[1:], None], start=1):
            if value != values[start]:
                if end - start > 1:
                    tied = sorted((where[each].path, keys[each], each) for each in order[start:end])
                    order[start:end] = [place for *_, place in tied]
                start = end

    def file_at(self, place: int) -> FileEvidence:
        """All that speaks for one of them."""
        key, evidence = self.keys[place], self.evidence
        definitions = evidence.definitions.get(key, ())
        has_words = self.best_chunks[place] > 0 or bool(self.defines[place] or self.heads[place])
        filtered = None if evidence.filtered is None else evidence.filtered.get(key, ())
        is_lexical, is_near = has_words or bool(definitions), key in self.near_keys
        chunks, where = self.chunks_at(place), self.places[place]
        return FileEvidence(key, where, chunks, definitions, filtered, is_lexical, is_near)

    def chunks_at(self, place: int) -> Chunks:
        """The chunks of one of them that may be shown."""
        return self.chunks[place]


def _sum_of_three(chunks: Chunks) -> float:
    total = -chunks[0][0] - _SECOND_CHUNK * chunks[1][0]
    return total if len(chunks) == 2 else total - _THIRD_CHUNK * chunks[2][0]  # noqa: PLR2004
