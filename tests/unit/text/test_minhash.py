"""Sketches of texts: how well they estimate, and what they never miss."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxe.text.minhash import (
    BUCKETS,
    MOST_CHARACTERS,
    LikenessIndex,
    estimate_likeness,
    fingerprint_of,
    likeness,
    shingles_of,
    sketch_of,
)
from tests.support.native import without_kernels

WORDS = st.lists(st.sampled_from(["if", "x", "=", "(", "return", "cart", "total"]), max_size=60)
# Five deviations of an estimate from 64 buckets, and what filling empty ones adds.
FARTHEST = 0.35


def test_white_space_does_not_count_and_every_token_does() -> None:
    assert shingles_of("a = b + c") == shingles_of("a=b\n  + c")
    assert len(shingles_of("a b c d e f g")) == 3
    assert len(shingles_of("a b")) == 1
    assert shingles_of(" \n") == frozenset()
    assert likeness(shingles_of("a b c d e f"), shingles_of("a b c d e g")) == 1 / 3


def test_a_long_text_is_known_by_how_it_starts() -> None:
    start = "".join(f"name{number} = {number}\n" for number in range(2_000))

    assert len(start) > MOST_CHARACTERS
    assert shingles_of(f"{start}one") == shingles_of(f"{start}other")


@given(text=st.text())
def test_any_text_has_a_fingerprint_that_finds_it_again(text: str) -> None:
    fingerprint = fingerprint_of(text)
    index = LikenessIndex(0.85)
    number = index.add(fingerprint)

    assert [*index.find(fingerprint_of(text))] == ([number] if fingerprint.shingles else [])
    assert len(set(fingerprint.bands)) == (BUCKETS // 4 if fingerprint.shingles else 0)


@given(text=st.text(st.characters(codec="ascii")) | WORDS.map(" ".join) | WORDS.map("\x1c\t(".join))
def test_c_and_python_know_a_text_by_the_same(text: str) -> None:
    found = fingerprint_of(text)

    with without_kernels():
        assert fingerprint_of(text) == found
    assert found.shingles == shingles_of(text)


def test_c_and_python_know_a_long_text_by_the_same() -> None:
    text = "".join(f"def name_{number}(self):\n    return {number}\n" for number in range(900))
    found = fingerprint_of(text)

    with without_kernels():
        assert fingerprint_of(text) == found


@given(first=WORDS, second=WORDS)
def test_whatever_is_found_is_as_much_alike_as_was_asked(
    first: list[str], second: list[str]
) -> None:
    one, other = fingerprint_of(" ".join(first)), fingerprint_of(" ".join(second))
    index = LikenessIndex(0.6)
    index.add(one)

    assert not [*index.find(other)] or likeness(one.shingles, other.shingles) >= 0.6


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0.0, 1.0), size=st.integers(150, 600))
def test_a_sketch_estimates_likeness_within_its_error(seed: int, share: float, size: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    common = [chance.getrandbits(32) for _ in range(int(size * share))]
    first = frozenset(common + [chance.getrandbits(32) for _ in range(size - len(common))])
    second = frozenset(common + [chance.getrandbits(32) for _ in range(size - len(common))])

    estimate = estimate_likeness(sketch_of(first), sketch_of(second))

    assert abs(estimate - likeness(first, second)) <= FARTHEST


def test_estimates_are_right_on_average() -> None:
    chance = random.Random(7)  # noqa: S311 - nothing secret
    errors: list[float] = []
    for _ in range(200):
        common = [chance.getrandbits(32) for _ in range(200)]
        first, second = (
            frozenset(common + [chance.getrandbits(32) for _ in range(100)]) for _ in range(2)
        )
        estimate = estimate_likeness(sketch_of(first), sketch_of(second))
        errors.append(estimate - likeness(first, second))

    assert abs(sum(errors) / len(errors)) < 0.02


def test_texts_that_differ_in_few_tokens_share_a_band() -> None:
    chance = random.Random(3)  # noqa: S311 - nothing secret
    missed = 0
    for _ in range(300):
        words = [f"w{chance.randrange(400)}" for _ in range(200)]
        changed = [*words]
        changed[chance.randrange(200)] = "other"
        changed[chance.randrange(200)] = "another"
        bands = set(fingerprint_of(" ".join(words)).bands)
        missed += bands.isdisjoint(fingerprint_of(" ".join(changed)).bands)

    assert missed == 0


def test_what_is_alike_is_found_in_the_order_in_which_it_was_added() -> None:
    index = LikenessIndex(0.5)
    texts = ["a b c d e f g h", "z y x w v u t s", "a b c d e f g i"]
    assert [index.add(fingerprint_of(text)) for text in texts] == [0, 1, 2]

    assert [*index.find(fingerprint_of("a b c d e f g h"))] == [0, 2]


def test_sketches_of_nothing_are_alike_only_to_each_other() -> None:
    nothing, something = sketch_of(frozenset()), sketch_of(frozenset({1}))

    assert estimate_likeness(nothing, nothing) == 1.0
    assert estimate_likeness(nothing, something) == 0.0
    assert likeness(frozenset(), frozenset()) == 1.0


@pytest.mark.parametrize("space", ["\t", "\x0b", "\x1c", "\x1f", "\x85", "\u2003"])
def test_white_space_of_any_kind_parts_tokens_and_counts_for_nothing(space: str) -> None:
    assert shingles_of(f"one{space}(two){space}") == shingles_of("one ( two )")
