"""What is computed for every candidate of a query."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.identity import VersionKey
from cruxe.query.rank.scoring import exact_points
from cruxe.query.retrieve.evidence import chunk_scores, falling_places
from cruxe.store.local.lexical import HitColumns, rows_by_version

# Halves of a millionth too, which are rounded by their digits.
SHARES = st.one_of(st.floats(0, 1), st.integers(0, 400).map(lambda half: half / 2_000_000))


def columns_of(hits: list[tuple[float, int, int]]) -> HitColumns:
    """The columns of hits whose lines follow from their chunks."""
    chunks = [chunk for _, _, chunk in hits]
    versions = [VersionKey((1 << 64) - 1 - version) for _, version, _ in hits]
    lines = [10 * chunk + 1 for chunk in chunks]
    return [score for score, *_ in hits], versions, chunks, lines, [line + 8 for line in lines]


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


@given(st.lists(st.tuples(SHARES, SHARES), max_size=9), st.sampled_from([1.0, 2.0, 12.45]))
def test_every_part_of_a_score_is_rounded(signals: list[tuple[float, float]], most: float) -> None:
    names = [f"signal {number}" for number in range(len(signals))]
    weights = [weight for weight, _ in signals]
    given_points = [weight * value for weight, value in signals]

    points, total = exact_points(names, weights, [[0.5, value] for _, value in signals], 1, most)

    assert points == [pair for pair in zip(names, given_points, strict=True) if pair[1]]
    assert total == sum(round(round(raw / most, 6) * 1_000_000) for raw in given_points)


def test_further_chunks_of_a_file_count_less() -> None:
    key = VersionKey(1)
    chunks = [[(-score, key, 0, 1, 2) for score in own] for own in ([], [4], [4, 2], [4, 2, 2, 9])]

    best, best_three = chunk_scores([*chunks])

    assert best == [0, 4, 4, 4]
    assert best_three == [0, 4, 5, 5.5]


def test_indices_above_a_floor_come_by_falling_values() -> None:
    assert falling_places([1.0, 0.0, 2.0, 3.0], 0.5, [5.0, 9.0, 7.0, 6.0]) == ([2, 3, 0], False)
    assert falling_places([1.0, 0.0, 2.0, 3.0], 0.5, [5.0, 9.0, 7.0, 5.0]) == ([2, 0, 3], True)
    assert falling_places([0.0], 0.0, [1.0]) == ([], False)
