"""The parts of a scored file that may be shown: definitions of the name asked for, then chunks."""

from collections.abc import Sequence
from itertools import chain, compress, takewhile
from typing import Final, NamedTuple, overload

from cruxe.model.hits import Provenance, StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import HitRow
from cruxe.query.rank.scoring import (
    MOST_ROUNDED,
    Budgets,
    FileScore,
    FileScores,
    Points,
    changed,
)
from cruxe.query.rank.signals import Scales
from cruxe.query.retrieve.candidates import Candidates, FileEvidence
from cruxe.query.retrieve.evidence import is_qualified_match
from cruxe.query.understand.analysis import QueryAnalysis

# A further definition of the name asked for is worth nearly as much as the first in its file; a
# further chunk of a file that was shown already is worth half of the one before.
_FURTHER_DEFINITION: Final = 0.4
_FURTHER_CHUNK: Final = 0.75


class Region(NamedTuple):
    """A part of a file that may be shown, before it is looked up."""

    version_key: VersionKey
    path: str
    language: str
    line_start: int
    line_end: int
    symbol: StoredSymbol | None
    chunk: int | None
    points: tuple[Points, ...]  # what its score is made of
    score: float
    provenance: Provenance = Provenance.LEXICAL


class RankedRegions(Sequence[Region]):
    """The regions of some files, best first, made only as far as someone looks.

    No region is better than its file, and the first of a file is as good. So the best so many
    regions are in the best so many files, and the others need not be made to know them.
    """

    def __init__(self, files: Candidates, scales: Scales, budgets: Budgets) -> None:
        """Take files in any order."""
        counts = _region_counts(files)
        self._length = sum(counts)
        self._scores = FileScores(files, scales, budgets)
        self._estimates = estimates = self._scores.estimates()
        shown = [*compress(range(len(files)), counts)]
        self._order = sorted(shown, key=estimates.__getitem__, reverse=True)
        self._scales = scales
        self._made: list[Region] = []
        self._known = 0  # how many of those made are where they belong

    def __len__(self) -> int:
        """How many there are."""
        return self._length

    @overload
    def __getitem__(self, place: int) -> Region: ...

    @overload
    def __getitem__(self, place: slice) -> list[Region]: ...

    def __getitem__(self, place: int | slice) -> Region | list[Region]:
        """Some of them."""
        wanted = range(self._length)[place]
        if isinstance(wanted, int):
            return self._first(wanted + 1)[wanted]
        made = self._first(max(wanted, default=-1) + 1)
        return [made[each] for each in wanted]

    def _first(self, count: int) -> list[Region]:
        """At least so many of them in their order; what follows is not in order yet."""
        if count > self._known:
            file_count = max(count, 2 * self._known)
            files, is_all = self._best_files(file_count), file_count >= len(self._order)
            # Below the last of so many files there is none of so many regions.
            least = 0.0 if is_all else files[-1].score
            parts = (regions_of(each, self._scales, least) for each in files)
            self._made = sorted(chain.from_iterable(parts), key=total_order)
            self._known = self._length if is_all else file_count
        return self._made

    def _best_files(self, count: int) -> list[FileScore]:
        order, estimates = self._order, self._estimates
        if count < len(order):
            least = estimates[order[count - 1]] - MOST_ROUNDED
            order = [*takewhile(lambda place: estimates[place] > least, order)]
        scored = self._scores.at(order)
        scored.sort(key=_best_and_by_path)
        return scored[:count]


def _best_and_by_path(each: FileScore) -> tuple[float, str]:
    return -each.score, each.file.place.path


def total_order(each: Region) -> tuple[float, str, int, int, int]:
    """Best score first; place and symbol break every tie."""
    _, path, _, line_start, line_end, symbol, _, _, score, _ = each
    return -score, path, line_start, line_end, -1 if symbol is None else symbol.ordinal


def regions_of(scored: FileScore, scales: Scales, least: float = 0.0) -> list[Region]:
    """The parts of a file worth showing, each with its own score, down to the least of interest."""
    each, points, _, score = scored
    least_share = (least - MOST_ROUNDED) / score if score else 0.0
    whole = _Part(tuple(points), score, _provenance(each))
    regions: list[Region] = []
    if each.definitions:
        for number, symbol in enumerate(_best_first(each.definitions, scales.analysis)):
            left = (1 - _FURTHER_DEFINITION) ** number
            if left < least_share:
                break
            own = _faded(whole, 1 - left, "further_definition", scales.most)
            regions.append(_definition_region(each, symbol, own))
    for further, part in enumerate(_further_parts(each), start=1 if regions else 0):
        left = (1 - _FURTHER_CHUNK) ** further
        if left < least_share:
            break
        own = _faded(whole, 1 - left, "saturation", scales.most) if further else whole
        if isinstance(part, StoredSymbol):
            regions.append(_definition_region(each, part, own))
        else:
            regions.append(_chunk_region(each, part, own))
    return regions


def _region_counts(files: Candidates) -> list[int]:
    counts = [count or 1 for count in map(len, files.chunks)]
    definitions, filtered = files.evidence.definitions, files.evidence.filtered
    if filtered is None and not definitions:  # as most are
        return counts
    for place, key in enumerate(files.keys):
        if filtered is not None or key in definitions:
            each = files.file_at(place)
            counts[place] = len(each.definitions) + len(_further_parts(each))
    return counts


def _provenance(each: FileEvidence) -> Provenance:
    if not each.is_lexical:
        return Provenance.SEMANTIC
    return Provenance.HYBRID if each.is_near else Provenance.LEXICAL


class _Part(NamedTuple):
    """What a part of a file has."""

    points: tuple[Points, ...]
    score: float
    provenance: Provenance


def _best_first(
    definitions: Sequence[StoredSymbol], analysis: QueryAnalysis
) -> Sequence[StoredSymbol]:
    asked = analysis.bare_names
    roles = {"type": 0, "callable": 1}

    def order(symbol: StoredSymbol) -> tuple[bool, bool, int, int, int]:
        is_qualified = any(is_qualified_match(symbol, name) for name in analysis.names)
        role = roles.get(symbol.role, 2)
        return not is_qualified, symbol.name not in asked, role, symbol.line_start, symbol.ordinal

    return sorted(definitions, key=order)


def _faded(whole: _Part, share: float, reason: str, most: float) -> _Part:
    if not share:  # of the first definition
        return whole
    points, score = changed(whole.points, whole.score, (reason, -whole.score * share), most)
    return _Part(points, score, whole.provenance)


def _further_parts(each: FileEvidence) -> Sequence[HitRow | StoredSymbol]:
    """What is shown beside the definitions: the best chunks, or symbols where those are wanted."""
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
    """The head of a file that only its names or its head speak for; its lines are looked up."""
    return 0.0, version_key, 0, 1, 1


def _definition_region(each: FileEvidence, symbol: StoredSymbol, own: _Part) -> Region:
    lines = symbol.line_start, symbol.line_end
    place = each.version_key, each.place.path, each.place.language
    return Region(*place, *lines, symbol, None, own.points, own.score, own.provenance)


def _chunk_region(each: FileEvidence, row: HitRow, own: _Part) -> Region:
    _, key, chunk, first, last = row
    path, language, *_ = each.place
    points, score, provenance = own
    return Region(key, path, language, first, last, None, chunk, points, score, provenance)
