"""Regions are made as far as someone looks, in the order that all of them would have."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.identity import VersionKey
from cruxe.model.stored import HitRow
from cruxe.query.rank.regions import ChangedRegions, RankedRegions, regions_of, total_order
from cruxe.query.rank.scoring import MOST_ROUNDED, Budget, FileScores, score_files
from cruxe.query.rank.signals import Scales, measure_scales
from cruxe.query.retrieve.evidence import Candidates, Evidence
from cruxe.query.retrieve.opened_ref import facts_of
from cruxe.query.understand.analysis import QueryAnalysis, analyse_query

QUERY = analyse_query("where is the rate limiter reset")
# Its words weigh several times as much, so that names of files give more than a budget.
PASTED_QUERY = analyse_query("Rate limiter is not reset\nrate limiter: rate\n\n    reset_rate()")
FOLDERS = ("src", "src/limits", "tests", "docs", "examples/tests")
NAMES = ("rate", "limiter", "reset_rate", "main", "a")
# Few different numbers, so that many files score the same.
SCORES = st.sampled_from([0.0, 1.0, 1.0 / 3, 2.5, 7.0])
BUDGETS = st.fixed_dictionaries(
    {},
    optional={
        "path_affinity": st.sampled_from([Budget(0.0, 0.7), Budget(0.0, 3.0), Budget(0.1, 3.0)]),
        "test_file_penalty": st.sampled_from([Budget(-10.0, 0.0), Budget(-0.1, 0.0)]),
    },
)


@st.composite
def candidates(draw: st.DrawFn) -> Candidates:
    """Files that some channels speak for, with at most four chunks each."""
    names = draw(st.sets(st.tuples(st.sampled_from(FOLDERS), st.sampled_from(NAMES)), max_size=20))
    places = [facts_of(f"{folder}/{name}.py", "python", 60) for folder, name in sorted(names)]
    keys = [*map(VersionKey, range(1, 1 + len(places)))]
    chunks = {key: rows_of(key, sorted(draw(st.lists(SCORES, max_size=4)))[::-1]) for key in keys}
    defines, heads = {key: draw(SCORES) for key in keys}, {key: draw(SCORES) for key in keys}
    return Candidates(keys, places, Evidence(chunks, defines, heads, {}, {}))


def rows_of(key: VersionKey, scores: list[float]) -> list[HitRow]:
    """One chunk for each score."""
    return [
        (-score, key, chunk, 10 * chunk + 1, 10 * chunk + 9) for chunk, score in enumerate(scores)
    ]


def measured(files: Candidates) -> Scales:
    return measure_scales(QUERY, files)


@given(candidates(), BUDGETS, st.lists(st.integers(0, 120), min_size=1, max_size=3))
def test_the_first_so_many_are_the_start_of_the_whole_list(
    files: Candidates, budgets: dict[str, Budget], counts: list[int]
) -> None:
    scales = measured(files)
    scored = score_files(files, scales, budgets)
    whole = sorted((each for file in scored for each in regions_of(file, scales)), key=total_order)

    regions = RankedRegions(files, scales, budgets)

    assert len(regions) == len(whole)
    for count in counts:
        assert regions[:count] == whole[:count]
        assert regions[count : count + 5] == whole[count : count + 5]
    assert list(regions) == whole


@given(candidates(), st.data(), st.integers(0, 60))
def test_with_some_raised_the_first_so_many_are_the_start_of_the_whole_list(
    files: Candidates, data: st.DataObject, count: int
) -> None:
    regions = RankedRegions(files, measured(files), {})
    before = [*RankedRegions(files, measured(files), {})]
    chosen = data.draw(st.sets(st.sampled_from(files.keys), max_size=3) if before else st.just({}))
    replaced = [each for each in before if each.version_key in chosen]
    added = [each._replace(score=data.draw(SCORES) / 7.0) for each in replaced]

    changed = ChangedRegions(regions, added, replaced)

    whole = sorted([*added, *(each for each in before if each not in replaced)], key=total_order)
    assert len(changed) == len(whole)
    assert changed[:count] == whole[:count]
    assert [*changed] == whole
    assert regions.of_files(chosen) == replaced


@given(candidates(), BUDGETS, st.sampled_from([QUERY, PASTED_QUERY]))
def test_an_estimate_is_a_score_but_for_rounding(
    files: Candidates, budgets: dict[str, Budget], query: QueryAnalysis
) -> None:
    scales = measure_scales(query, files)

    estimates = FileScores(files, scales, budgets).estimates()

    scores = [each.score for each in score_files(files, scales, budgets)]
    for estimate, score in zip(estimates, scores, strict=True):
        assert abs(estimate - score) < MOST_ROUNDED / 5


@given(candidates(), BUDGETS)
def test_the_best_score_is_that_of_the_best_file(
    files: Candidates, budgets: dict[str, Budget]
) -> None:
    scales = measured(files)

    best = FileScores(files, scales, budgets).best(range(len(files)))

    scores = [each.score for each in score_files(files, scales, budgets)]
    assert best == max(scores, default=0.0)


def test_the_last_region_is_found_by_counting_from_the_end() -> None:
    key = VersionKey(1)
    evidence = Evidence({key: rows_of(key, [1.0, 1.0])}, {}, {key: 1.0}, {}, {})
    files = Candidates([key], [facts_of("src/rate.py", "python", 2)], evidence)

    regions = RankedRegions(files, measured(files), {})

    assert [regions[0].chunk, regions[-1].chunk] == [0, 1]
