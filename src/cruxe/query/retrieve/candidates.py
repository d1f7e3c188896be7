"""The files that may answer a query and their evidence, column by column.

Hundreds are scored and ten are shown: so signals read columns, and the evidence of one file is put
together only for files that are looked at.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Final, NamedTuple, TypeVar

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import HitRow
from cruxe.query.rank.policy import SECOND_CHUNK_WEIGHT, THIRD_CHUNK_WEIGHT
from cruxe.query.retrieve.file_facts import FileFacts

Chunks = Sequence[HitRow]  # of one file that may be shown, best first
Symbols = Sequence[StoredSymbol]
# One value per candidate, between 0 and 1; empty if a signal says nothing about this query.
Values = Sequence[float]
_Scales = TypeVar("_Scales")


class Evidence(NamedTuple):
    """What the channels found, by version; most versions are found by few channels."""

    chunks: Mapping[VersionKey, Chunks]
    defines: Mapping[VersionKey, float]  # BM25 over the names that a file defines
    heads: Mapping[VersionKey, float]  # BM25 over its head
    path_matches: Mapping[VersionKey, float]  # how far the query names its path
    definitions: Mapping[VersionKey, Symbols]  # of names in the query
    # With a filter on symbols: those in the chunks that pass, best first. A chunk holds symbols
    # of several kinds, so then symbols are shown and not chunks.
    filtered: Mapping[VersionKey, Symbols] | None = None


NO_EVIDENCE: Final = Evidence(chunks={}, defines={}, heads={}, path_matches={}, definitions={})


class FileEvidence(NamedTuple):
    """The evidence for one file."""

    version_key: VersionKey
    facts: FileFacts
    chunks: Chunks
    definitions: Symbols
    filtered: Symbols | None
    is_lexical: bool  # found by words or names
    is_near: bool  # found by vectors


class Candidates:
    """Files and their evidence: the same index in every column is the same file."""

    near: Sequence[float] = ()  # similarity of the nearest chunk
    near_three: Sequence[float] = ()  # of the nearest three, the further ones counting less
    near_docs: Sequence[float] = ()  # of all docs together
    near_keys: Collection[VersionKey] = ()  # the versions that vectors found

    def __init__(self, keys: list[VersionKey], facts: list[FileFacts], evidence: Evidence) -> None:
        """Take versions, their facts, and evidence for them and perhaps for others."""
        self.keys = keys
        self.facts = facts
        self.evidence = evidence
        self.chunks: list[Chunks] = [*map(evidence.chunks.get, keys, repeat(()))]
        # The score of each one's best chunk, and what its best three come to.
        self.best_chunks, self.best_three = chunk_scores(self.chunks)
        self.defines = [*map(evidence.defines.get, keys, repeat(0.0))]
        self.heads = [*map(evidence.heads.get, keys, repeat(0.0))]
        self.columns: dict[object, Values] = {}  # by signal, computed on demand

    def column(self, signal: Callable[["Candidates", _Scales], Values], scales: _Scales) -> Values:
        """The values of a signal, computed once."""
        if signal not in self.columns:
            self.columns[signal] = signal(self, scales)
        return self.columns[signal]

    def __len__(self) -> int:
        """The number of candidates."""
        return len(self.keys)

    def best_first(
        self, column: Sequence[float], floor: float, values: Sequence[float]
    ) -> list[int]:
        """The indexes at which a column is above a floor, the largest values first.

        Path and version break ties.
        """
        if not column:  # a signal without values
            return []
        order, has_ties = falling_places(column, floor, values)
        if has_ties:
            self._break_ties(order, [values[index] for index in order])
        return order

    def _break_ties(self, order: list[int], values: list[float]) -> None:
        """Sort indexes of equal values by path and version; there are few."""
        keys, facts = self.keys, self.facts
        start = 0
        for end, value in enumerate([*values[1:], None], start=1):
            if value != values[start]:
                if end - start > 1:
                    tied = sorted((facts[each].path, keys[each], each) for each in order[start:end])
                    order[start:end] = [index for *_, index in tied]
                start = end

    def file_at(self, index: int) -> FileEvidence:
        """The evidence for one of them."""
        key, evidence = self.keys[index], self.evidence
        definitions = evidence.definitions.get(key, ())
        has_words = self.best_chunks[index] > 0 or bool(self.defines[index] or self.heads[index])
        filtered = None if evidence.filtered is None else evidence.filtered.get(key, ())
        return FileEvidence(
            version_key=key,
            facts=self.facts[index],
            chunks=self.chunks_at(index),
            definitions=definitions,
            filtered=filtered,
            is_lexical=has_words or bool(definitions),
            is_near=key in self.near_keys,
        )

    def chunks_at(self, index: int) -> Chunks:
        """The chunks of one of them that may be shown."""
        return self.chunks[index]

    def look_up(self, indexes: Iterable[int]) -> None:
        """Read at once what `chunks_at` needs for some of them; here nothing."""


def chunk_scores(chunks: list[Chunks]) -> tuple[list[float], list[float]]:
    """The score of each file's best chunk, and of its best three, further ones counting less."""
    best = [-rows[0][0] if rows else 0.0 for rows in chunks]
    return best, [
        first if len(rows) < 2 else _sum_of_three(rows)  # noqa: PLR2004
        for first, rows in zip(best, chunks, strict=True)
    ]


def falling_places(
    column: Sequence[float], floor: float, values: Sequence[float]
) -> tuple[list[int], bool]:
    """Places where a column is above a floor by falling values, and whether some are equal."""
    above = [place for place, value in enumerate(column) if value > floor]
    order = sorted(above, key=values.__getitem__, reverse=True)
    return order, len({values[place] for place in order}) < len(order)


def _sum_of_three(chunks: Chunks) -> float:
    total = -chunks[0][0] - SECOND_CHUNK_WEIGHT * chunks[1][0]
    return total if len(chunks) == 2 else total - THIRD_CHUNK_WEIGHT * chunks[2][0]  # noqa: PLR2004
