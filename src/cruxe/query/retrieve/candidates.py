"""The files that may answer a query and what speaks for them, column by column.

Hundreds are scored and ten are shown: so signals read columns, and a file's own evidence is put
together for those alone that someone looks at.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import HitRow
from cruxe.native import kernels
from cruxe.query.retrieve.file_facts import FilePlace

if TYPE_CHECKING:
    from cruxe.native import HitRow as NativeRow
    from cruxe.query.rank.signals import Scales, SignalValues, Values

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
        # The score of each one's best chunk, and what its best three come to.
        self.best_chunks, self.best_three = chunk_scores(self.chunks)
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

    def best_first(
        self, column: Sequence[float], floor: float, values: Sequence[float]
    ) -> list[int]:
        """The places where a column is above a floor, the largest values first.

        Path and version break ties.
        """
        if not column:  # a signal that says nothing
            return []
        order, has_ties = falling_places(column, floor, values)
        if has_ties:
            self._break_ties(order, [values[place] for place in order])
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


def chunk_scores(chunks: list[Chunks]) -> tuple[list[float], list[float]]:
    """The score of each file's best chunk, and of its best three, further ones counting less."""
    in_c = kernels()
    if in_c is not None:
        return in_c.chunk_scores(cast("list[Sequence[NativeRow]]", chunks))
    best = [-rows[0][0] if rows else 0.0 for rows in chunks]
    return best, [
        first if len(rows) < 2 else _sum_of_three(rows)  # noqa: PLR2004
        for first, rows in zip(best, chunks, strict=True)
    ]


def falling_places(
    column: Sequence[float], floor: float, values: Sequence[float]
) -> tuple[list[int], bool]:
    """Places where a column is above a floor by falling values, and whether some are equal."""
    in_c = kernels()
    if in_c is not None:
        return in_c.falling_places(column, floor, values)
    above = [place for place, value in enumerate(column) if value > floor]
    order = sorted(above, key=values.__getitem__, reverse=True)
    return order, len({values[place] for place in order}) < len(order)


def _sum_of_three(chunks: Chunks) -> float:
    total = -chunks[0][0] - _SECOND_CHUNK * chunks[1][0]
    return total if len(chunks) == 2 else total - _THIRD_CHUNK * chunks[2][0]  # noqa: PLR2004
