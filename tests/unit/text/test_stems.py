"""A stem tells how the words start that it stands for."""

import os
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.embed.table import shipped_folder
from cruxe.text.identifiers import terms_of_text
from cruxe.text.stems import ascii_stem, ascii_stemmer, start_of_stem, stem_of
from tests.support.native import in_c, needs_kernels

if TYPE_CHECKING:
    from collections.abc import Callable

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


@needs_kernels
def test_c_cuts_stems_as_python_does(words: list[str]) -> None:
    ended = [(word + ending).encode() for word in words for ending in ENDINGS]

    assert [*map(ascii_stemmer(), ended)] == [*map(ascii_stem, ended)]


@needs_kernels
@given(stem=st.text("aeerrtbps", max_size=7).map(str.encode))
def test_c_cuts_whatever_it_is_left(stem: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cruxe.text.stems._snowball", lambda: bytes)

        assert in_c().stemmer_after(bytes)(stem) == ascii_stem(stem)


@needs_kernels
@pytest.mark.parametrize("snowball", [lambda _: "text", lambda _: 1 / 0, None])
def test_what_goes_wrong_in_a_stemmer_comes_out(snowball: "Callable[[bytes], bytes]") -> None:
    with pytest.raises((TypeError, ZeroDivisionError)):
        in_c().stemmer_after(snowball)(b"lamps")


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
