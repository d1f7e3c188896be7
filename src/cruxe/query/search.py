"""Ranked search: candidates from all channels, scored file by file, shown as regions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from cruxe.index.lexical_reader import LexicalHit
from cruxe.index.snapshot import Snapshot, StoredVersion
from cruxe.model.hits import Contribution, SearchHit, StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.model.semantics import Provenance, SemanticRun, SemanticSkip
from cruxe.model.specs import SearchSpec
from cruxe.query.analysis import QueryAnalysis
from cruxe.query.dense import nearest_files
from cruxe.query.dense_signals import hybrid_table, measure_dense_scales
from cruxe.query.evidence import (
    CHUNKS_PER_FILE,
    FileEvidence,
    gather_evidence,
    is_qualified_match,
)
from cruxe.query.fusion import fuse
from cruxe.query.opened import OpenedRef
from cruxe.query.semantic import LEXICAL_ONLY, SemanticPlan, decide, rows_to_look_at
from cruxe.query.signals import (
    Budget,
    Scales,
    contributions_of,
    cost,
    measure_scales,
    score_of,
    with_penalties,
)
from cruxe.query.similar import similar_files, similar_liveness

# A further definition of the name asked for is worth nearly as much as the first in its file; a
# further chunk of a file that was shown already is worth half of the one before.
_FURTHER_DEFINITION: Final = 0.4
_FURTHER_CHUNK: Final = 0.75
# The first lexical hit is in one of so many files by their words, or defines a name asked for.
_LEADING_FILES: Final = 10


class Region(NamedTuple):
    """A part of a file that may be shown, before it is looked up."""

    version_key: VersionKey
    path: str
    language: str
    line_start: int
    line_end: int
    symbol: StoredSymbol | None
    chunk: int | None
    contributions: tuple[Contribution, ...]
    score: float
    provenance: Provenance = Provenance.LEXICAL


class Ranking:
    """All candidates, best first; looked up only as far as someone asks."""

    def __init__(self, regions: list[Region], snapshot: Snapshot, found: "FoundFiles") -> None:
        """Take regions in their order, and what they were found by."""
        self.regions = regions
        self.table = found.scales.table
        self.semantics = found.semantics
        self._found = found
        self._snapshot = snapshot

    def hits(self, place: int, expected: int) -> Iterator[SearchHit]:
        """The hits from a place on; about so many are expected to be asked for."""
        waiting = iter(self.regions[place:])
        while batch := list(islice(waiting, expected)):
            yield from _hydrate(batch, self._snapshot)

    def with_first(self, first: list[Region]) -> "Ranking":
        """The first so many replaced by others, and all in the order of their scores."""
        regions = sorted([*first, *self.regions[len(first) :]], key=_total_order)
        return Ranking(regions, self._snapshot, self._found)

    def only(self, is_wanted: Callable[[Region], bool], most: int) -> "Ranking":
        """What is wanted of the first so many."""
        wanted = list(filter(is_wanted, self.regions[:most]))
        return Ranking(wanted, self._snapshot, self._found)


def search(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
    budgets: Mapping[str, Budget],
    plan: SemanticPlan = LEXICAL_ONLY,
) -> Ranking:
    """Rank all that answers a query; the limit and the offset are not looked at."""
    scored = find_files(analysis, spec, opened, budgets, plan)
    regions = [
        region for each in scored.files for region in regions_of(each, scored.scales, budgets)
    ]
    regions.sort(key=_total_order)
    return Ranking(regions, opened.snapshot, scored)


class FoundFiles(NamedTuple):
    """The candidates of a query and what they are measured against."""

    files: list[FileEvidence]
    scales: Scales
    semantics: SemanticRun


def find_files(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
    budgets: Mapping[str, Budget],
    plan: SemanticPlan,
) -> FoundFiles:
    """Ask the lexical channels and, where the plan says so and they leave doubt, the dense one."""
    files = gather_evidence(analysis, spec, opened)
    scales = fuse(measure_scales(analysis, files), files, spec.fusion)
    if plan.channel is None:
        return FoundFiles(files, scales, SemanticRun(plan.skipped))
    likely = (each for each in files if each.definitions or _is_leading(each, scales))
    run = decide(plan, max((_file_score(each, scales, budgets) for each in likely), default=0.0))
    if run.skipped is not None:
        return FoundFiles(files, scales, run)
    rows = rows_to_look_at(plan, run)
    similarities = nearest_files(plan.channel, rows, similar_liveness(spec, opened))
    if not similarities.files:
        return FoundFiles(files, scales, run._replace(skipped=SemanticSkip.NO_MATCHES, ratio=0.0))
    files = [*files, *similar_files(similarities, files, analysis, spec, opened)]
    dense = measure_dense_scales(similarities, files)
    scales = measure_scales(analysis, files, hybrid_table(run.ratio))._replace(dense=dense)
    return FoundFiles(files, fuse(scales, files, spec.fusion), run)


def _is_leading(each: FileEvidence, scales: Scales) -> bool:
    return scales.ranks.get(each.version_key, _LEADING_FILES) < _LEADING_FILES


def _file_score(each: FileEvidence, scales: Scales, budgets: Mapping[str, Budget]) -> float:
    given = contributions_of(each, scales, budgets)
    return score_of(with_penalties(given, each, scales, budgets))


def _total_order(each: Region) -> tuple[float, str, int, int, int]:
    ordinal = -1 if each.symbol is None else each.symbol.ordinal
    return -each.score, each.path, each.line_start, each.line_end, ordinal


def regions_of(each: FileEvidence, scales: Scales, budgets: Mapping[str, Budget]) -> list[Region]:
    """The parts of a file worth showing, each with its own score."""
    analysis = scales.analysis
    given = contributions_of(each, scales, budgets)
    given = with_penalties(given, each, scales, budgets)
    whole = _Part(tuple(given), score_of(given), _provenance(each, scales))
    regions: list[Region] = []
    taken: list[tuple[int, int]] = []
    for number, symbol in enumerate(_best_first(each.definitions, analysis)):
        share = 1 - (1 - _FURTHER_DEFINITION) ** number
        own = _faded(whole, share, "further_definition", scales.most)
        regions.append(_definition_region(each, symbol, own))
        taken.append((symbol.line_start, symbol.line_end))
    parts = _chunks_to_show(each, taken) if each.filtered is None else each.filtered
    for further, part in enumerate(parts, start=1 if regions else 0):
        own = _faded(whole, 1 - (1 - _FURTHER_CHUNK) ** further, "saturation", scales.most)
        if isinstance(part, StoredSymbol):
            regions.append(_definition_region(each, part, own))
        else:
            regions.append(_chunk_region(each, part, own))
    return regions


def _provenance(each: FileEvidence, scales: Scales) -> Provenance:
    if not each.is_lexical:
        return Provenance.SEMANTIC
    dense = scales.dense
    if dense is None or each.version_key not in dense.similarities.files:
        return Provenance.LEXICAL
    return Provenance.HYBRID


class _Part(NamedTuple):
    """What a part of a file has."""

    contributions: tuple[Contribution, ...]
    score: float
    provenance: Provenance


def _chunks_to_show(
    each: FileEvidence, taken: list[tuple[int, int]]
) -> Sequence[LexicalHit | StoredSymbol]:
    """The best chunks beside the definitions; the head of a file that has neither."""
    if not each.chunks and not each.definitions:
        return [_first_chunk(each.version_key)]
    return [
        hit
        for hit in each.chunks[:CHUNKS_PER_FILE]
        if not any(start <= hit.line_end and hit.line_start <= end for start, end in taken)
    ]


def _faded(whole: _Part, share: float, reason: str, most: float) -> _Part:
    if not share:
        return whole
    contributions = (*whole.contributions, cost(reason, whole.score * share, most))
    return _Part(contributions, score_of(contributions), whole.provenance)


def _best_first(definitions: list[StoredSymbol], analysis: QueryAnalysis) -> list[StoredSymbol]:
    asked = analysis.bare_names
    roles = {"type": 0, "callable": 1}

    def order(symbol: StoredSymbol) -> tuple[bool, bool, int, int, int]:
        is_qualified = any(is_qualified_match(symbol, name) for name in analysis.names)
        role = roles.get(symbol.role, 2)
        return not is_qualified, symbol.name not in asked, role, symbol.line_start, symbol.ordinal

    return sorted(definitions, key=order)


def _first_chunk(version_key: VersionKey) -> LexicalHit:
    """The head of a file that only its names or its head speak for; its lines are looked up."""
    return LexicalHit(0.0, version_key, 0, 1, 1)


def _definition_region(each: FileEvidence, symbol: StoredSymbol, own: _Part) -> Region:
    lines = symbol.line_start, symbol.line_end
    place = each.version_key, each.path, each.language
    earned = own.contributions, own.score
    return Region(*place, *lines, symbol, None, *earned, provenance=own.provenance)


def _chunk_region(each: FileEvidence, hit: LexicalHit, own: _Part) -> Region:
    place = each.version_key, each.path, each.language
    lines = hit.line_start, hit.line_end
    earned = own.contributions, own.score
    return Region(*place, *lines, None, hit.chunk, *earned, provenance=own.provenance)


def _hydrate(page: list[Region], snapshot: Snapshot) -> list[SearchHit]:
    """Look up what the regions show."""
    keys = {region.version_key for region in page if region.chunk is not None}
    versions = {version.version_key: version for version in snapshot.versions(keys)}
    return [_hit(region, versions.get(region.version_key), snapshot) for region in page]


def _hit(region: Region, version: StoredVersion | None, snapshot: Snapshot) -> SearchHit:
    symbol, lines = region.symbol, (region.line_start, region.line_end)
    if region.chunk is not None and version is not None:
        start, end, ordinal = version.chunk(region.chunk)
        lines = start, end
        symbol = None if ordinal is None else snapshot.symbol_at(region.version_key, ordinal)
    place = region.version_key, region.path, region.language
    return SearchHit(
        *place,
        *lines,
        symbol,
        region.chunk,
        region.score,
        region.contributions,
        provenance=region.provenance,
    )
