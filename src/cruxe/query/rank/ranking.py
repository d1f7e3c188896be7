"""Ranked search: candidates from all channels, scored file by file, shown as regions."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from cruxe.model.hits import SearchHit
from cruxe.model.semantics import SemanticRun, SemanticSkip
from cruxe.model.specs import Fusion, FusionMethod, SearchSpec
from cruxe.model.stored import StoredChunk
from cruxe.query.rank.regions import RankedRegions, Region, total_order
from cruxe.query.rank.scoring import Budgets, Contributions, FileScores
from cruxe.query.rank.signals import Scales, measure_scales, with_table
from cruxe.query.retrieve.candidates import Candidates
from cruxe.query.retrieve.evidence import gather_evidence
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.retrieve.semantic_plan import LEXICAL_ONLY, SemanticPlan, decide, rows_to_look_at
from cruxe.query.understand.analysis import QueryAnalysis

# The first lexical hit is in one of so many files by their words, or defines a name asked for.
_LEADING_FILES: Final = 10
# Who needs more candidates than were expected meets copies and needs many more: where a hundred
# files have the same notice at their heads, making regions by dozens took twice as long.
_MORE_AT_ONCE: Final = 3


class Ranking:
    """All candidates, best first; looked up only as far as someone asks."""

    def __init__(
        self,
        regions: Sequence[Region],
        opened: OpenedRef,
        found: "FoundFiles",
        budgets: Budgets,
    ) -> None:
        """Take regions in their order, and what they were found and scored by."""
        self.regions = regions
        self.table = found.scales.table
        self.semantics = found.semantics
        self._found = found
        self._budgets = budgets
        self._opened = opened

    def hits(self, place: int, expected: int) -> Iterator[SearchHit]:
        """The hits from a place on; about so many are expected to be asked for."""
        count = expected
        while regions := self.regions[place : place + count]:
            for start in range(0, len(regions), expected):
                yield from self._hydrate(regions[start : start + expected])
            place += count
            count *= _MORE_AT_ONCE

    def with_first(self, first: list[Region]) -> "Ranking":
        """The first so many replaced by others, and all in the order of their scores."""
        regions = sorted([*first, *self.regions[len(first) :]], key=total_order)
        return self._with(regions)

    def only(self, is_wanted: Callable[[Region], bool], most: int) -> "Ranking":
        """What is wanted of the first so many."""
        wanted = list(filter(is_wanted, self.regions[:most]))
        return self._with(wanted)

    def _with(self, regions: list[Region]) -> "Ranking":
        return Ranking(regions, self._opened, self._found, self._budgets)

    def _hydrate(self, page: Sequence[Region]) -> Iterator[SearchHit]:
        """Look up what the regions show."""
        names = [(each.version_key, each.chunk) for each in page if each.chunk is not None]
        chunks = self._opened.chunks.look_up(names, self._opened.snapshot)
        for region in page:
            yield self._hit(region, chunks.get((region.version_key, region.chunk or 0)))

    def _hit(self, region: Region, stored: StoredChunk | None) -> SearchHit:
        key, path, language, first, last, symbol, chunk, points, score, provenance = region
        if chunk is not None and stored is not None:
            first, last, symbol, _ = stored
        contributions = Contributions(points, self._found.scales.most, self._budgets)
        place = key, path, language, first, last
        return SearchHit(*place, symbol, chunk, score, contributions, None, provenance)


def search(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
    budgets: Budgets,
    plan: SemanticPlan = LEXICAL_ONLY,
) -> Ranking:
    """Rank all that answers a query; the limit and the offset are not looked at."""
    found = find_files(analysis, spec, opened, budgets, plan)
    regions = RankedRegions(found.files, found.scales, budgets)
    return Ranking(regions, opened, found, budgets)


class FoundFiles(NamedTuple):
    """The candidates of a query and what they are measured against."""

    files: Candidates
    scales: Scales
    semantics: SemanticRun


def find_files(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
    budgets: Budgets,
    plan: SemanticPlan,
) -> FoundFiles:
    """Ask the lexical channels and, where the plan says so and they leave doubt, the dense one."""
    files = gather_evidence(analysis, spec, opened)
    measured = measure_scales(analysis, files)
    scales = _fused(measured, files, spec.fusion)
    if plan.channel is None:
        return FoundFiles(files, scales, SemanticRun(plan.skipped))
    run = decide(plan, FileScores(files, scales, budgets).best(_likely(files, scales)))
    if run.skipped is not None:
        return FoundFiles(files, scales, run)
    # Words alone answer most names, and a command that asks for one imports no more.
    from cruxe.query.rank.dense_signals import hybrid_table, measure_dense_scales
    from cruxe.query.retrieve.dense import nearest_files
    from cruxe.query.retrieve.similar import similar_liveness, with_similar

    rows, known = rows_to_look_at(plan, run), frozenset(files.keys)
    near = nearest_files(plan.channel, rows, similar_liveness(spec, opened), known)
    if near is None:
        return FoundFiles(files, scales, run._replace(skipped=SemanticSkip.NO_MATCHES, ratio=0.0))
    files = with_similar(files, near, analysis, spec, opened)
    # No words speak for those that joined, so what was measured of words stays as it is.
    scales = with_table(measured, hybrid_table(run.ratio))
    scales = scales._replace(dense=measure_dense_scales(files, near.floor))
    return FoundFiles(files, _fused(scales, files, spec.fusion), run)


def _likely(files: Candidates, scales: Scales) -> list[int]:
    """The places of files of which one has the first lexical hit."""
    leading = {*islice(scales.ranks, _LEADING_FILES), *files.evidence.definitions}
    return [place for place, key in enumerate(files.keys) if key in leading]


def _fused(scales: Scales, files: Candidates, fusion: Fusion) -> Scales:
    if fusion.method is FusionMethod.SUM:
        return scales
    from cruxe.query.rank.fusion import fuse

    return fuse(scales, files, fusion)
