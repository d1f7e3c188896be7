"""The parts of files that may be shown, best first, built only as far as they are read.

A region is a definition of a name asked for, or a chunk. A file has several.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, takewhile
from typing import NamedTuple, overload

from cruxe.model.hits import Provenance, StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import HitRow
from cruxe.query.rank.policy import FURTHER_CHUNK_PENALTY, FURTHER_DEFINITION_PENALTY
from cruxe.query.rank.scoring import (
    MOST_ROUNDED,
    Budgets,
    FileScore,
    FileScores,
    Points,
    changed,
)
from cruxe.query.rank.signals import Scales, name_value
from cruxe.query.retrieve.evidence import Candidates, FileEvidence
from cruxe.query.retrieve.named_definitions import is_qualified_match
from cruxe.query.understand.analysis import QueryAnalysis


class Region(NamedTuple):
    """A part of a file that may be shown, before its chunk is looked up."""

    version_key: VersionKey
    path: str
    language: str
    line_start: int
    line_end: int
    symbol: StoredSymbol | None
    chunk: int | None
    points: tuple[Points, ...]  # the parts of its score
    score: float
    provenance: Provenance = Provenance.LEXICAL


SortKey = tuple[float, str, int, int, int]  # of `total_order`
# The ordinal of a definition or the number of a chunk, the other being None.
Part = tuple[int | None, int | None]
Wanted = Mapping[VersionKey, Collection[Part]]


def part_of(region: Region) -> Part:
    """Return what a region shows of its file."""
    return (None if region.symbol is None else region.symbol.ordinal), region.chunk


# Leaves out the filtered symbols of some files that hold nothing of the query.
EvidenceCheck = Callable[[list[FileScore]], list[FileScore]]


class _LazyRegions(Sequence[Region], ABC):
    """Regions, best first, that are built only as far as they are read."""

    @overload
    def __getitem__(self, index: int) -> Region: ...

    @overload
    def __getitem__(self, index: slice) -> list[Region]: ...

    def __getitem__(self, index: int | slice) -> Region | list[Region]:
        """One or some of them."""
        wanted = range(len(self))[index]
        if isinstance(wanted, int):
            return self._first(wanted + 1)[wanted]
        made = self._first(max(wanted, default=-1) + 1)
        return [made[each] for each in wanted if each < len(made)]

    @abstractmethod
    def _first(self, count: int) -> list[Region]:
        """At least so many of them in order; those after `count` may not be in order yet."""


class RankedRegions(_LazyRegions):
    """The regions of some files.

    No region is better than its file, and the first of a file is as good. So the best N regions
    are in the best N files, and no others need to be built to know them; unless a check leaves
    some files without any. What it takes away is known of the files that were read, so the length
    is the most that there can be until all were.
    """

    def __init__(
        self,
        files: Candidates,
        scales: Scales,
        budgets: Budgets,
        wanted: Wanted | None = None,
        check: EvidenceCheck | None = None,
    ) -> None:
        """Take files in any order, and the parts of each that may be shown if not all may."""
        counts = _region_counts(files, scales)
        if wanted is not None:
            counts = [len(wanted.get(key, ())) for key in files.keys]
        self._keys = files.keys
        self._wanted = wanted
        self._length = sum(counts)
        self._scores = FileScores(files, scales, budgets)
        self._estimates = estimates = self._scores.estimates()
        shown = [*compress(range(len(files)), counts)]
        self._order = sorted(shown, key=estimates.__getitem__, reverse=True)
        self._scales = scales
        self._check = check
        self._made: list[Region] = []
        self._known = 0  # how many of them are in their final order
        self._file_count = 0  # that they are of

    def __len__(self) -> int:
        """The number of regions."""
        return len(self._made) if self._known == self._length else self._length

    def of_files(self, keys: Collection[VersionKey]) -> list[Region]:
        """Those of some files, best first."""
        indexes = [index for index, key in enumerate(self._keys) if key in keys]
        scored = self._scores.at(indexes)
        return sorted(self._regions_of(scored, self._wanted), key=total_order)

    def without(self, key: VersionKey, hidden: Collection[Part]) -> list[tuple[Region, Region]]:
        """Those of a file that gain if it does not pay for some: as they are, and as they would be.

        None of those that are hidden is among them.
        """
        files = self._scores.at([index for index, each in enumerate(self._keys) if each == key])
        checked = files if self._check is None else self._check(files)
        ranked = {part_of(each): each for each in self._regions_of(checked, self._wanted)}
        wanted = [part for part in ranked if part not in hidden]
        if not wanted:
            return []
        found = [(ranked[part_of(each)], each) for each in self._regions_of(checked, {key: wanted})]
        return [(before, after) for before, after in found if after.score > before.score]

    def _first(self, count: int) -> list[Region]:
        while count > self._known:
            file_count = max(count, 2 * self._file_count)
            files, is_all = self._best_files(file_count), file_count >= len(self._order)
            # No region below the last of these files is among the first `count`.
            last = files[-1] if files else None
            least = 0.0 if is_all or last is None else last.score
            if self._check is not None:
                files = self._check(files)
            made = self._regions_of(files, self._wanted, least)
            self._made = sorted(made, key=total_order)
            self._file_count = file_count
            if is_all or last is None:
                self._known = self._length
            elif self._check is None:
                self._known = file_count
            else:
                self._known = bisect_right(self._made, _best_and_by_path(last), key=_by_path)
        return self._made

    def _regions_of(
        self, files: Iterable[FileScore], wanted: Wanted | None, least: float = 0.0
    ) -> Iterator[Region]:
        parts = (regions_of(each, self._scales, least, wanted) for each in files)
        return chain.from_iterable(parts)

    def _best_files(self, count: int) -> list[FileScore]:
        order, estimates = self._order, self._estimates
        if count < len(order):
            least = estimates[order[count - 1]] - MOST_ROUNDED
            order = [*takewhile(lambda index: estimates[index] > least, order)]
        scored = self._scores.at(order)
        scored.sort(key=_best_and_by_path)
        return scored[:count]


class ChangedRegions(_LazyRegions):
    """Regions, best first, with some added and some left out."""

    def __init__(
        self, regions: Sequence[Region], added: Sequence[Region], left_out: Collection[Region]
    ) -> None:
        """Take regions in their order, and those of them that are left out."""
        self._regions = regions
        self._added = added
        self._left_out = {total_order(each) for each in left_out}

    def __len__(self) -> int:
        """The number of regions."""
        return len(self._regions) + len(self._added) - len(self._left_out)

    def _first(self, count: int) -> list[Region]:
        read = self._regions[: count + len(self._left_out)]
        left = [each for each in read if total_order(each) not in self._left_out]
        return sorted([*self._added, *left], key=total_order)


def _best_and_by_path(each: FileScore) -> tuple[float, str]:
    return -each.score, each.file.facts.path


def _by_path(each: Region) -> tuple[float, str]:
    return -each.score, each.path


def total_order(each: Region) -> SortKey:
    """Best score first; path, lines and symbol break every tie."""
    _, path, _, line_start, line_end, symbol, _, _, score, _ = each
    return -score, path, line_start, line_end, -1 if symbol is None else symbol.ordinal


def regions_of(
    scored: FileScore, scales: Scales, least: float = 0.0, wanted: Wanted | None = None
) -> list[Region]:
    """The regions of a file, each with its own score, down to about the score `least`."""
    each, points, _, score = scored
    least_share = (least - MOST_ROUNDED) / score if score else 0.0
    whole = _Score(tuple(points), score, _provenance(each))
    is_wanted = _chooser(None if wanted is None else wanted.get(each.version_key, ()))
    if scales.pasted is not None and (answering := scales.pasted.answering.get(each.version_key)):
        return [
            _definition_region(each, symbol, _faded(whole, share, "answering_part", scales.most))
            for symbol, share in answering
        ]
    regions: list[Region] = []
    best_first = _best_first(filter(is_wanted, each.definitions), scales.analysis)
    # A question in words has its answer in several files; a name may have many in one.
    is_name = scales.analysis.is_name
    penalty = FURTHER_DEFINITION_PENALTY if is_name else FURTHER_CHUNK_PENALTY
    for number, symbol in enumerate(best_first):
        left = (1 - penalty) ** number
        left *= _likeness(symbol, best_first[0], scales.analysis)
        if left >= least_share:
            own = _faded(whole, 1 - left, "further_definition", scales.most)
            regions.append(_definition_region(each, symbol, own))
    parts = filter(is_wanted, _further_parts(each))
    for further, part in enumerate(parts, start=1 if best_first else 0):
        left = (1 - FURTHER_CHUNK_PENALTY) ** further
        if left < least_share:
            break
        own = _faded(whole, 1 - left, "saturation", scales.most) if further else whole
        if isinstance(part, StoredSymbol):
            regions.append(_definition_region(each, part, own))
        else:
            regions.append(_chunk_region(each, part, own))
    return regions


def _chooser(wanted: Collection[Part] | None) -> Callable[[HitRow | StoredSymbol], bool]:
    """Return a function that tells whether a part of a file is wanted."""
    if wanted is None:
        return lambda _: True
    return lambda each: (
        ((each.ordinal, None) if isinstance(each, StoredSymbol) else (None, each[2])) in wanted
    )


def _region_counts(files: Candidates, scales: Scales) -> list[int]:
    counts = [count or 1 for count in map(len, files.chunks)]
    if scales.pasted is not None:
        for index, key in enumerate(files.keys):
            counts[index] = len(scales.pasted.answering.get(key, ())) or counts[index]
    definitions, filtered = files.evidence.definitions, files.evidence.filtered
    if filtered is None and not definitions:  # as in most questions
        return counts
    for index, key in enumerate(files.keys):
        if filtered is not None or key in definitions:
            each = files.file_at(index)
            counts[index] = len(each.definitions) + len(_further_parts(each))
    return counts


def _provenance(each: FileEvidence) -> Provenance:
    if not each.is_lexical:
        return Provenance.SEMANTIC
    return Provenance.HYBRID if each.is_near else Provenance.LEXICAL


class _Score(NamedTuple):
    """The points and score of a part of a file."""

    points: tuple[Points, ...]
    score: float
    provenance: Provenance


def _best_first(definitions: Iterable[StoredSymbol], analysis: QueryAnalysis) -> list[StoredSymbol]:
    def order(symbol: StoredSymbol) -> tuple[bool, float, int, int]:
        is_qualified = any(is_qualified_match(symbol, name) for name in analysis.names)
        points = name_value(symbol, analysis).points
        return not is_qualified, -points, symbol.line_start, symbol.ordinal

    return sorted(definitions, key=order)


def _likeness(symbol: StoredSymbol, first: StoredSymbol, analysis: QueryAnalysis) -> float:
    """How much of what the first definition of a file is to a lone name another one is."""
    if symbol is first or not analysis.is_name:
        return 1.0
    best = name_value(first, analysis).points
    return min(1.0, name_value(symbol, analysis).points / best) if best else 1.0


def _faded(whole: _Score, share: float, reason: str, most: float) -> _Score:
    if not share:  # of the first definition
        return whole
    points, score = changed(whole.points, whole.score, (reason, -whole.score * share), most)
    return _Score(points, score, whole.provenance)


def _further_parts(each: FileEvidence) -> Sequence[HitRow | StoredSymbol]:
    """The parts shown besides the definitions: the best chunks, or symbols that pass a filter."""
    if each.filtered is not None:
        return each.filtered
    chunks, definitions = each.chunks, each.definitions
    if not definitions:
        return chunks or [_first_chunk(each.version_key)]
    return [
        row
        for row in chunks
        if not any(
            symbol.line_start <= row[4] and row[3] <= symbol.line_end for symbol in definitions
        )
    ]


def _first_chunk(version_key: VersionKey) -> HitRow:
    """The first chunk of a file found by its names or head alone; its lines are looked up later."""
    return 0.0, version_key, 0, 1, 1


def _definition_region(each: FileEvidence, symbol: StoredSymbol, own: _Score) -> Region:
    return Region(
        version_key=each.version_key,
        path=each.facts.path,
        language=each.facts.language,
        line_start=symbol.line_start,
        line_end=symbol.line_end,
        symbol=symbol,
        chunk=None,
        points=own.points,
        score=own.score,
        provenance=own.provenance,
    )


def _chunk_region(each: FileEvidence, row: HitRow, own: _Score) -> Region:
    _, key, chunk, first, last = row
    return Region(
        version_key=key,
        path=each.facts.path,
        language=each.facts.language,
        line_start=first,
        line_end=last,
        symbol=None,
        chunk=chunk,
        points=own.points,
        score=own.score,
        provenance=own.provenance,
    )
