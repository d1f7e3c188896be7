"""Typing errors between words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.text.edits import allowed_edits, edit_distance

LETTERS = st.text(alphabet="abc", max_size=8)


@pytest.mark.parametrize(
    ("first", "second", "edits"),
    [
        ("response", "response", 0),
        ("respnse", "response", 1),
        ("ressponse", "response", 1),
        ("rezponse", "response", 1),
        ("repsonse", "response", 1),
        ("ersponze", "response", 2),
        ("", "ab", 2),
        ("abc", "xyz", None),
        ("response", "respond", 2),
        ("a", "abcd", None),
    ],
)
def test_errors_are_counted_up_to_a_bound(first: str, second: str, edits: int | None) -> None:
    assert edit_distance(first, second, 2) == edits
    assert edit_distance(second, first, 2) == edits


@given(first=LETTERS, second=LETTERS, most=st.integers(0, 3))
def test_a_bound_only_hides_what_is_over_it(first: str, second: str, most: int) -> None:
    whole = edit_distance(first, second, 8)

    assert whole is not None
    assert edit_distance(first, second, most) == (whole if whole <= most else None)
    assert (whole == 0) == (first == second)


@given(word=LETTERS, place=st.integers(0, 7), letter=st.sampled_from("xyz"))
def test_one_letter_put_in_is_one_error(word: str, place: int, letter: str) -> None:
    assert edit_distance(word, word[:place] + letter + word[place:], 1) == 1


def test_short_words_may_hold_no_error_and_long_ones_two() -> None:
    assert [allowed_edits("x" * length) for length in (0, 3, 4, 7, 8, 40)] == [0, 0, 1, 1, 2, 2]
