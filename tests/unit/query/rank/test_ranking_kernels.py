"""What C does with every candidate is what Python does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.identity import VersionKey
from cruxe.query.rank.scoring import exact_points, weighted_sums
from cruxe.query.retrieve.candidates import chunk_scores, falling_places
from cruxe.store.local.lexical_reader import HitColumns, rows_by_version
from tests.support.native import in_c, needs_kernels, without_kernels

NUMBERS = st.floats(-1e6, 1e6)
# Few different ones, so that many hits are equally good.
SCORES = st.sampled_from([0.0, 1.0, 1.0 / 3, 2.5])
HITS = st.lists(st.tuples(SCORES, st.integers(0, 5), st.integers(0, 9)), max_size=40, unique=True)


def columns_of(hits: list[tuple[float, int, int]]) -> HitColumns:
    """The columns of hits whose lines follow from their chunks."""
    chunks = [chunk for _, _, chunk in hits]
    versions = [VersionKey((1 << 64) - 1 - version) for _, version, _ in hits]
    lines = [10 * chunk + 1 for chunk in chunks]
    return [score for score, *_ in hits], versions, chunks, lines, [line + 8 for line in lines]


@needs_kernels
@given(HITS, st.integers(0, 50))
def test_hits_go_to_their_versions_alike(hits: list[tuple[float, int, int]], most: int) -> None:
    found = rows_by_version(columns_of(hits), most, 4)

    with without_kernels():
        expected = rows_by_version(columns_of(hits), most, 4)
    assert [*found.items()] == [*expected.items()]


def test_the_best_chunks_of_a_version_come_first_and_are_few() -> None:
    hits = [(1.0, 2, chunk) for chunk in range(6, 0, -1)] + [(2.5, 2, 9), (2.5, 1, 0), (0.5, 3, 0)]
    first, second = VersionKey((1 << 64) - 2), VersionKey((1 << 64) - 3)

    assert rows_by_version(columns_of(hits), 8, 4) == {
        second: [
            (-2.5, second, 9, 91, 99),
            (-1.0, second, 1, 11, 19),
            (-1.0, second, 2, 21, 29),
            (-1.0, second, 3, 31, 39),
        ],
        first: [(-2.5, first, 0, 1, 9)],
    }


@needs_kernels
@given(st.data(), st.integers(0, 9), st.integers(0, 5))
def test_columns_are_weighed_alike(data: st.DataObject, count: int, width: int) -> None:
    column = st.lists(NUMBERS, min_size=count, max_size=count)
    columns = [*data.draw(st.lists(column, min_size=width, max_size=width))]
    weights = data.draw(st.lists(NUMBERS, min_size=width, max_size=width))

    sums = weighted_sums([*columns], weights, count)

    with without_kernels():
        assert weighted_sums([*columns], weights, count) == sums


# Halves of a millionth too, which are rounded by their digits.
SHARES = st.one_of(st.floats(0, 1), st.integers(0, 400).map(lambda half: half / 2_000_000))


@needs_kernels
@given(st.lists(st.tuples(SHARES, SHARES), max_size=9), st.sampled_from([1.0, 2.0, 12.45]))
def test_points_are_rounded_alike(signals: list[tuple[float, float]], most: float) -> None:
    names = [f"signal {number}" for number in range(len(signals))]
    weights = [weight for weight, _ in signals]
    columns = [[0.5, value] for _, value in signals]

    points, total = exact_points(names, weights, [*columns], 1, most)

    with without_kernels():
        assert exact_points(names, weights, [*columns], 1, most) == (points, total)
    assert len(points) == sum(bool(weight * value) for weight, value in signals)


@needs_kernels
@pytest.mark.parametrize("place", [-1, 2])
def test_a_place_beyond_a_column_is_refused(place: int) -> None:
    with pytest.raises(ValueError, match="such a place"):
        in_c().exact_points(["bm25"], [1.0], [[0.5, 0.25]], place, 1.0)


@needs_kernels
@given(st.lists(st.lists(SCORES, max_size=5), max_size=9))
def test_chunks_are_summed_alike(scores: list[list[float]]) -> None:
    key = VersionKey(1)
    chunks = [[(-score, key, 0, 1, 2) for score in own] or () for own in scores]

    found = chunk_scores([*chunks])

    with without_kernels():
        assert chunk_scores([*chunks]) == found


@needs_kernels
@given(st.lists(st.tuples(SCORES, SCORES), max_size=30), SCORES)
def test_places_fall_alike(rows: list[tuple[float, float]], floor: float) -> None:
    column, values = [own for own, _ in rows], [value for _, value in rows]

    found = falling_places(column, floor, values)

    with without_kernels():
        assert falling_places(column, floor, values) == found
