"""A memo of words: in C and in Python alike, each word is turned into its value once."""

import gc
import threading
import weakref
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.text.word_memo import PythonWordMemo, word_memo
from tests.native import in_c, needs_kernels

TEXTS = st.lists(st.binary(max_size=40).map(lambda text: text.replace(b"x", b" ")), max_size=6)


def doubled(word: bytes) -> bytes:
    """Nothing for a word of one letter, else the word twice."""
    return word + word if len(word) > 1 else b""


@needs_kernels
@given(
    texts=TEXTS,
    separator=st.sampled_from([b"", b" "]),
    most=st.integers(0, 9),
    keep=st.integers(1, 5),
)
def test_c_joins_what_python_joins(
    texts: list[bytes], separator: bytes, most: int, keep: int
) -> None:
    memos = [make(doubled, separator, keep) for make in (in_c().WordMemo, PythonWordMemo)]

    for text in texts:
        found = {memo.join(text, 1, len(text) - 1, most) for memo in memos}
        assert len(found) == 1


@needs_kernels
@given(word=st.text("abAB1_é. ", max_size=12).map(str.encode), most=st.integers(0, 5))
def test_c_takes_the_parts_that_python_takes(word: bytes, most: int) -> None:
    memos = [make(doubled, b" ", 9) for make in (in_c().WordMemo, PythonWordMemo)]

    assert len({memo.join_parts(word, most) for memo in memos}) == 1


def test_parts_are_those_of_an_identifier() -> None:
    memo = word_memo(lambda part: part, b" ")

    assert memo.join_parts(b"getHTTPResponse2_x", 4) == b"get http resp 2 x"


def test_values_stand_in_the_order_of_their_words() -> None:
    memo = word_memo(doubled, b" ")

    assert memo.join(b"  ab c   de ", 0, 100, 10) == b"abab  dede"
    assert memo.join(b"ab cd ef", 3, 8, 1) == b"cdcd"
    assert memo.join(b"ab", 5, 9, 10) == b""


def test_each_word_is_made_once() -> None:
    asked: list[bytes] = []

    def make(word: bytes) -> bytes:
        asked.append(word)
        return word

    memo = word_memo(make, b" ")
    for _ in range(2):
        memo.join(b"lamp tide lamp", 0, 14, 10)

    assert asked == [b"lamp", b"tide"]


def test_many_words_and_long_ones_are_kept_apart() -> None:
    memo = word_memo(doubled, b" ")
    words = [*(b"w%d" % number for number in range(5_000)), b"l" * 100_000, b"l" * 100_001]
    text = b" ".join(words)

    for _ in range(2):
        assert memo.join(text, 0, len(text), len(words)).split(b" ") == [*map(doubled, words)]


@pytest.mark.parametrize("make", [lambda _: 1 / 0, lambda _: "text"])
def test_what_goes_wrong_in_between_comes_out(make: Callable[[bytes], bytes]) -> None:
    with pytest.raises((ZeroDivisionError, TypeError)):
        word_memo(make, b" ").join(b"lamp tide", 0, 9, 9)


@needs_kernels
def test_threads_may_share_one_and_forget_under_each_other() -> None:
    memo = in_c().WordMemo(doubled, b" ", 50)
    wrong: list[bytes] = []

    def ask(start: int) -> None:
        for number in range(start, start + 3_000):
            word = b"w%d" % (number % 400)
            if (found := memo.join(word, 0, 9, 1)) != doubled(word):
                wrong.append(found)

    threads = [threading.Thread(target=ask, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []


class _Owner:
    def __init__(self) -> None:
        self.memo = word_memo(self.make, b" ")

    def make(self, word: bytes) -> bytes:
        return word


def test_a_memo_and_its_owner_end_together() -> None:
    owner = _Owner()
    owner.memo.join(b"lamp", 0, 4, 1)
    gone = weakref.ref(owner)
    del owner
    gc.collect()

    assert gone() is None
