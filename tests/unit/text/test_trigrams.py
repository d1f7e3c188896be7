"""Trigrams: a text's set contains the set of each of its parts."""

import sys

from hypothesis import example, given
from hypothesis import strategies as st

from cruxe.text.trigrams import TRIGRAM_BITS, literal_trigrams, packed_trigrams
from tests.support.native import needs_kernels, without_kernels

TEXTS = st.text(st.characters(codec="utf-8"), max_size=60)

SURROGATES = range(0xD800, 0xE000)


def codes(text: str) -> list[int]:
    packed = packed_trigrams(text.encode())
    return [low | high << 8 for low, high in zip(packed[::2], packed[1::2], strict=True)]


def terms(text: str) -> set[int]:
    return set(codes(text))


@given(before=TEXTS, part=TEXTS, after=TEXTS)
@example(before="\u039f", part="\u0394\u039f\u03a3", after="\u0391")  # a final sigma
@example(before="x", part="\u0130stanbul \u212a", after="\xe9")  # letters that grow, shrink
def test_a_part_of_a_text_has_no_trigram_of_its_own(before: str, part: str, after: str) -> None:
    assert terms(part) <= terms(before + part + after)


@given(text=TEXTS)
def test_the_case_of_letters_makes_no_difference(text: str) -> None:
    for other in (text.lower(), text.upper(), text.swapcase()):
        if other.lower() == text.lower():
            assert terms(other) == terms(text)


@given(text=TEXTS)
def test_trigrams_are_small_numbers_in_rising_order(text: str) -> None:
    found = codes(text)

    assert found == sorted(set(found))
    assert [code for code in found if code >> TRIGRAM_BITS] == []


def test_texts_shorter_than_a_trigram_have_none() -> None:
    assert [packed_trigrams(text) for text in (b"", b"a", b"ab", b"a b c")] == [b""] * 4
    assert len(terms("abc")) == 1


def test_other_text_has_other_trigrams() -> None:
    assert terms("lantern") != terms("harbour")
    assert not terms("lantern") <= terms("lanter")


@given(text=TEXTS)
@example(text="stra\xdfe \u017fee \u212aelvin \ufb01nd")
def test_a_literal_has_the_trigrams_that_a_text_of_it_has(text: str) -> None:
    assert set(literal_trigrams(text, 1_000)) == terms(text)


def test_of_a_long_literal_some_trigrams_are_given() -> None:
    assert literal_trigrams("lantern", 2) == literal_trigrams("lantern", 1_000)[:2]
    assert literal_trigrams("\ud800", 10) != []


@needs_kernels
@given(text=st.text(st.characters(codec="utf-8"), max_size=300))
def test_python_finds_the_very_trigrams_that_c_does(text: str) -> None:
    expected = packed_trigrams(text.encode())

    with without_kernels():
        assert packed_trigrams(text.encode()) == expected


def test_a_text_is_folded_for_each_letter_whose_classes_folding_changes() -> None:
    letters = [chr(code) for code in range(0x80, sys.maxunicode + 1) if code not in SURROGATES]
    folding = [letter for letter in letters if letter.casefold() != letter]
    texts = [f"a{letter}b" for letter in folding]

    assert [text for text in texts if terms(text) != terms(text.casefold())] == []
