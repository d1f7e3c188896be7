"""Figures of six digits, made fast: no bit differs from what rounding to digits gives."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.hits import PARTS, rounded
from cruxe.query.rank.scoring import sum_of_parts

MILLIONTHS = st.integers(-9_000_000, 9_000_000)
SHARES = st.sampled_from([0.25, 0.35, 0.4, 0.5, 0.75, 0.8])
VALUES = st.one_of(
    st.floats(-9, 9),
    # Halfway between two figures, or as near to it as a float comes.
    MILLIONTHS.map(lambda parts: (parts + 0.5) / PARTS),
    st.tuples(MILLIONTHS, SHARES).map(lambda pair: pair[0] / PARTS * pair[1]),
    MILLIONTHS.map(lambda product: product / 6_553_600),
)


@given(VALUES)
def test_it_is_rounded_as_by_its_digits(value: float) -> None:
    assert rounded(value) == round(value, 6)


@given(st.lists(VALUES, max_size=5))
def test_parts_are_those_of_the_rounded_figures_and_add_up(values: list[float]) -> None:
    assert [sum_of_parts([value]) / PARTS for value in values] == [round(v, 6) for v in values]
    assert sum_of_parts(values) == sum(sum_of_parts([value]) for value in values)
