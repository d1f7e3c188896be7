"""Literals in bytes, in C as in Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.text.literal_search import LiteralSearch
from tests.support.native import in_c, needs_kernels, without_kernels

BYTES = st.lists(st.sampled_from(b"abAB \n\xc3\xa9"), max_size=60).map(bytes)


@needs_kernels
@given(text=BYTES, literal=BYTES.filter(bool), is_folded=st.booleans())
def test_a_literal_begins_at_the_same_offsets_in_c(
    text: bytes, literal: bytes, *, is_folded: bool
) -> None:
    search = LiteralSearch(literal[:4], is_folded=is_folded)
    with without_kernels():
        expected = search.places(text)

    assert search.places(text) == expected


@pytest.mark.parametrize(
    ("literal", "text", "places"),
    [
        (b"aa", b"aaa\naa", [0, 4]),
        (b"a\na", b"a\na\na", [0, 2]),
        (b"ab", b"a", []),
        (b"ab", b"", []),
        (b"q" * 40, b"q" * 39, []),
    ],
)
def test_each_line_counts_once(literal: bytes, text: bytes, places: list[int]) -> None:
    assert LiteralSearch(literal, is_folded=False).places(text) == places


@needs_kernels
def test_an_offset_outside_of_the_literal_is_refused() -> None:
    for rarest in (-1, 1):
        with pytest.raises(ValueError, match="one of the literal"):
            in_c().literal_places(b"a", b"a", rarest, False)  # noqa: FBT003
