"""Ranked search: candidates from all channels, scored file by file, shown as regions."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from cruxe.model.hits import SearchHit
from cruxe.model.identity import VersionKey
from cruxe.model.semantics import SemanticRun, SemanticSkip
from cruxe.model.specs import Fusion, SearchSpec
from cruxe.model.stored import StoredChunk
from cruxe.query.rank.policy import LEADING_FILES
from cruxe.query.rank.regions import (
    ChangedRegions,
    EvidenceCheck,
    Part,
    RankedRegions,
    Region,
    part_of,
    total_order,
)
from cruxe.query.rank.scoring import Budgets, Contributions, FileScores
from cruxe.query.rank.signals import (
    Scales,
    hybrid_table,
    measure_dense_scales,
    measure_scales,
    with_table,
)
from cruxe.query.retrieve.dense import (
    LEXICAL_ONLY,
    SemanticPlan,
    decide,
    nearest_few,
    nearest_files,
    rows_to_look_at,
    with_similar,
)
from cruxe.query.retrieve.evidence import Candidates, gather_evidence, says_little
from cruxe.query.retrieve.opened_ref import OpenedRef, versions_passing
from cruxe.query.understand.analysis import QueryAnalysis

# A page that needs more candidates than expected meets copies and needs many more: with the same
# notice at the head of a hundred files, building regions by dozens took twice as long.
_MORE_AT_ONCE: Final = 3


ExpectFiles = Callable[[Iterable[tuple[VersionKey, str]]], None]  # by version and path
Candidate = tuple[Region, SearchHit]  # as ranked, and as looked up
Change = Callable[[Region], Region]  # of the score of a region after those of its file were scored


class Scored(NamedTuple):
    """Regions as their files were scored, and how the scores were changed later, in order."""

    regions: RankedRegions
    changes: tuple[Change, ...] = ()

    def without(self, key: VersionKey, hidden: Collection[Part]) -> list[tuple[Region, Region]]:
        """What gains if a file does not pay for some of its regions: as it is, as it would be."""
        found = self.regions.without(key, hidden)
        return [(self._changed(before), self._changed(after)) for before, after in found]

    def _changed(self, region: Region) -> Region:
        for change in self.changes:
            region = change(region)
        return region


class Ranking:
    """All candidates, best first; looked up on demand."""

    def __init__(
        self,
        regions: Sequence[Region],
        opened: OpenedRef,
        found: "FoundFiles",
        budgets: Budgets,
        scored: Scored | None = None,
    ) -> None:
        """Take regions in their order, and what they were found and scored by."""
        self.regions = regions
        self.table = found.scales.table
        self.semantics = found.semantics
        self._found = found
        self._budgets = budgets
        self._opened = opened
        self._scored = Scored(regions) if isinstance(regions, RankedRegions) else scored

    def hits(self, offset: int, expected: int) -> Iterator[SearchHit]:
        """The hits from an offset on; about `expected` of them are likely to be read."""
        return (hit for _, hit in self.candidates(offset, expected))

    def candidates(
        self, offset: int, expected: int, expect: ExpectFiles | None = None
    ) -> Iterator[Candidate]:
        """The same with their regions.

        `expect` is called with the files of each batch before its first hit.
        """
        count = expected
        while regions := self.regions[offset : offset + count]:
            for start in range(0, len(regions), expected):
                page = regions[start : start + expected]
                if expect is not None:
                    expect([(each.version_key, each.path) for each in page])
                yield from zip(page, self._hydrate(page), strict=True)
            offset += count
            count *= _MORE_AT_ONCE

    def hit_of(self, region: Region) -> SearchHit:
        """The hit of one region."""
        return next(self._hydrate([region]))

    def without(self, key: VersionKey, hidden: Collection[Part]) -> list[tuple[Region, Region]]:
        """What gains if a file does not pay for some of its regions: as it is, as it would be."""
        return [] if self._scored is None else self._scored.without(key, hidden)

    def with_first(self, count: int, change: Change) -> "Ranking":
        """Change the first so many regions, and sort all by score."""
        changed = map(change, self.regions[:count])
        return self._changed(sorted([*changed, *self.regions[count:]], key=total_order), change)

    def with_evidence(self, check: EvidenceCheck) -> "Ranking":
        """The same files with those of their filtered symbols that `check` leaves."""
        found = self._found
        return self.with_regions(
            RankedRegions(found.files, found.scales, self._budgets, check=check)
        )

    def regions_of_files(self, keys: Collection[VersionKey]) -> list[Region]:
        """All regions of some files, best first."""
        if isinstance(self.regions, RankedRegions):
            return self.regions.of_files(keys)
        return [each for each in self.regions if each.version_key in keys]

    def with_added(
        self, added: Sequence[Region], replaced: Collection[Region], change: Change
    ) -> "Ranking":
        """Add regions, some in place of others that were there, which `change` makes of those."""
        return self._changed(ChangedRegions(self.regions, added, replaced), change)

    def with_regions(self, regions: Sequence[Region]) -> "Ranking":
        """Take other regions of the same files."""
        return Ranking(regions, self._opened, self._found, self._budgets, self._scored)

    @property
    def is_scored(self) -> bool:
        """Whether the order is by score: a list by path has none."""
        return self._scored is not None

    @property
    def most(self) -> float:
        """The points of a hit with full values."""
        return self._found.scales.most

    def only(self, is_wanted: Callable[[Region], bool], limit: int) -> "Ranking":
        """The wanted regions among the first `limit`; no file pays for one that is not wanted."""
        wanted: dict[VersionKey, set[Part]] = {}
        for region in filter(is_wanted, self.regions[:limit]):
            wanted.setdefault(region.version_key, set()).add(part_of(region))
        found = self._found
        return self.with_regions(
            RankedRegions(found.files, found.scales, self._budgets, wanted=wanted)
        )

    def _changed(self, regions: Sequence[Region], change: Change) -> "Ranking":
        scored = self._scored
        if scored is not None:
            scored = scored._replace(changes=(*scored.changes, change))
        return Ranking(regions, self._opened, self._found, self._budgets, scored)

    def _hydrate(self, page: Sequence[Region]) -> Iterator[SearchHit]:
        """Look up what the regions show."""
        names = [(each.version_key, each.chunk) for each in page if each.chunk is not None]
        chunks = self._opened.chunks.look_up(names, self._opened.snapshot)
        for region in page:
            yield self._hit(region, chunks.get((region.version_key, region.chunk or 0)))

    def _hit(self, region: Region, stored: StoredChunk | None) -> SearchHit:
        key, path, language, first, last, symbol, chunk, points, score, provenance = region
        around = None
        if chunk is not None and stored is not None:
            first, last, around, _ = stored
        return SearchHit(
            version_key=key,
            path=path,
            language=language,
            line_start=first,
            line_end=last,
            symbol=symbol,
            chunk=chunk,
            score=score,
            contributions=Contributions(points, self._found.scales.most, self._budgets),
            provenance=provenance,
            around=around,
        )


def search(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
    budgets: Budgets,
    plan: SemanticPlan = LEXICAL_ONLY,
) -> Ranking:
    """Rank all candidates of a query; limit and offset play no part."""
    found = find_files(analysis, spec, opened, budgets, plan)
    regions = RankedRegions(found.files, found.scales, budgets)
    return Ranking(regions, opened, found, budgets)


class FoundFiles(NamedTuple):
    """The candidates of a query and the scales of their signals."""

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
    """Ask the lexical channels and, if the plan says so and they leave doubt, the dense one."""
    files = gather_evidence(analysis, spec, opened)
    measured = measure_scales(analysis, files)
    scales = _fused(measured, files, spec.fusion)
    if plan.channel is None:
        return FoundFiles(files, scales, SemanticRun(skipped=plan.skipped))
    run = decide(plan, FileScores(files, scales, budgets).best(_likely(files, scales)))
    if run.skipped is not None:
        return FoundFiles(files, scales, run)
    rows, known = rows_to_look_at(plan, run), frozenset(files.keys)
    nearest = nearest_few if says_little(analysis, files, opened) else nearest_files
    near = nearest(plan.channel, rows, versions_passing(spec.filters, opened), known)
    if near is None:
        return FoundFiles(files, scales, run._replace(skipped=SemanticSkip.NO_MATCHES, ratio=0.0))
    files = with_similar(files, near, analysis, spec, opened)
    # Files that joined have no lexical evidence, so the lexical scales stay as they are.
    scales = with_table(measured, hybrid_table(run.ratio))
    scales = scales._replace(dense=measure_dense_scales(files, near.floor))
    return FoundFiles(files, _fused(scales, files, spec.fusion), run)


def _likely(files: Candidates, scales: Scales) -> list[int]:
    """The indexes of files of which one has the first lexical hit."""
    leading = {*islice(scales.ranks, LEADING_FILES), *files.evidence.definitions}
    return [index for index, key in enumerate(files.keys) if key in leading]


def _fused(scales: Scales, files: Candidates, fusion: Fusion) -> Scales:
    if fusion.is_usual:
        return scales
    from cruxe.query.rank.fusion import fuse

    return fuse(scales, files, fusion)
