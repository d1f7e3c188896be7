"""A stem tells how the words start that it stands for."""

import os
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.embed.table import shipped_folder
from cruxe.text.identifiers import start_of_stem, stem_of, terms_of_text

ENDINGS: Final = (
    *("", "s", "es", "ed", "ing", "ies", "ied", "y", "er", "ers", "ly", "ation", "ational", "ize"),
    *("izing", "ability", "ness", "eed", "eedly", "ingly", "edly", "'s"),
)


@pytest.fixture(scope="module")
def words() -> list[str]:
    """The words that the model knows, 32,000 of them."""
    with open(os.path.join(shipped_folder(), "vocab.txt"), encoding="ascii") as file:
        return file.read().split()


def test_every_word_starts_as_its_stem_says(words: list[str]) -> None:
    ended = [word + ending for word in words for ending in ENDINGS]

    assert [word for word in ended if not word.startswith(start_of_stem(stem_of(word)))] == []


@given(text=st.text("aeiybdnrst_AEIYDN1 ", max_size=30))
def test_every_term_starts_somewhere_in_its_text(text: str) -> None:
    letters = text.lower().replace("_", "")

    assert [
        term for term in terms_of_text(text).split() if start_of_stem(term) not in letters
    ] == []


def test_short_stems_say_less() -> None:
    assert [start_of_stem(stem) for stem in ("queri", "set", "use", "fli", "die", "to")] == [
        *("que", "set", "us", "fl", "d", "to")
    ]
