"""A memo of words: in C and in Python alike, each word is turned into its value once."""

import gc
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.text.identifiers import NameRule, PythonWordMemo, part_table, word_memo
from tests.support.native import in_c, needs_kernels

if TYPE_CHECKING:
    from cruxe.native import WordMemo

TEXTS = st.lists(st.binary(max_size=40).map(lambda text: text.replace(b"x", b" ")), max_size=6)


def doubled(word: bytes) -> bytes:
    """Nothing for a word of one letter, else the word twice."""
    return word + word if len(word) > 1 else b""


def memos_with_names(**rule: int) -> list["WordMemo"]:
    """The same in C and in Python: a name's value is its own, in brackets, and its parts'."""
    memos: list[WordMemo] = []
    for kind in (in_c().WordMemo, PythonWordMemo):
        names = NameRule(
            parts=kind(doubled, b" ", 5, None),
            whole=bracketed if rule.get("has_whole", 1) else None,
            most_bytes=rule.get("most_bytes", 256),
            most_part_bytes=rule.get("most_part_bytes", 256),
            most_digits=rule.get("most_digits", 256),
            is_ascii=bool(rule.get("is_ascii", 1)),
            table=part_table(),
        )
        memos.append(kind(asked, b" ", 5, names))
    return memos


def bracketed(name: bytes) -> bytes:
    return b"<%b>" % name


def asked(word: bytes) -> bytes:
    return b"?%b" % word


@needs_kernels
@given(
    texts=TEXTS,
    separator=st.sampled_from([b"", b" "]),
    part=st.tuples(st.integers(-3, 9), st.integers(-3, 9), st.integers(-1, 9)),
    keep=st.integers(1, 5),
)
def test_c_joins_what_python_joins(
    texts: list[bytes], separator: bytes, part: tuple[int, int, int], keep: int
) -> None:
    memos = [make(doubled, separator, keep, None) for make in (in_c().WordMemo, PythonWordMemo)]

    for text in texts:
        for places in (part, (1, len(text) - 1, 9)):
            assert len({memo.join(text, *places) for memo in memos}) == 1
        assert memos[0].join_lines(text) == memos[1].join_lines(text)


@needs_kernels
@given(
    texts=st.lists(st.text("abAB1_\xe9. ", max_size=12).map(str.encode), max_size=4),
    rule=st.fixed_dictionaries(
        {
            "has_whole": st.integers(0, 1),
            "most_bytes": st.integers(1, 12),
            "most_part_bytes": st.integers(1, 5),
            "most_digits": st.integers(1, 3),
            "is_ascii": st.integers(0, 1),
        }
    ),
)
def test_c_takes_names_apart_as_python_does(texts: list[bytes], rule: dict[str, int]) -> None:
    memos = memos_with_names(**rule)

    for text in texts:
        assert len({memo.join(text, 0, len(text), 9) for memo in memos}) == 1


@needs_kernels
@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("getHTTPResponse2_x", "<getHTTPResponse2_x> getget httphttp responseresponse  "),
        ("lamp", "lamplamp"),
        ("_Lamp_", "lamplamp"),
        ("___", ""),
        ("na\xefve", "?na\xefve"),
    ],
)
def test_a_name_is_put_together_from_its_parts(word: str, value: str) -> None:
    data = word.encode()

    found = {memo.join(data, 0, len(data), 9).decode() for memo in memos_with_names()}

    assert found == {value}


@needs_kernels
@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ({"most_bytes": 9}, b"?tide12Pool"),
        ({"most_digits": 1}, b"<tide12Pool> tidetide 1212 poolpool"),
        ({"has_whole": 0}, b"tidetide 1212 poolpool"),
        ({"most_part_bytes": 2}, b"<tide12Pool> titi 1212 popo"),
    ],
)
def test_a_rule_says_what_a_name_is(rule: dict[str, int], value: bytes) -> None:
    assert {memo.join(b"tide12Pool", 0, 10, 9) for memo in memos_with_names(**rule)} == {value}


@needs_kernels
def test_digits_behind_a_letter_are_no_number_to_be_cut() -> None:
    word = b"123_ab456C\xc3\xa9789"
    memos = memos_with_names(most_digits=2, has_whole=0, is_ascii=0)

    assert {memo.join(word, 0, 20, 9) for memo in memos} == {b"1212 abab 456456  7878"}


@needs_kernels
@pytest.mark.parametrize("names", [(), 7, (1, None, 2, 3, 4, True, b"")])
def test_what_is_no_rule_is_refused(names: "NameRule") -> None:
    with pytest.raises((TypeError, SystemError)):
        in_c().WordMemo(doubled, b" ", 5, names)


@needs_kernels
@pytest.mark.parametrize(
    "table",
    [
        b"",
        part_table()[:-1],
        b"\4" + part_table()[1:],  # no such class
        part_table()[:-1] + b"\5",  # no such state
        part_table()[:256] + b"\x08" + part_table()[257:],  # a part ends before any began
    ],
)
def test_a_table_that_no_name_can_be_split_by_is_refused(table: bytes) -> None:
    rule = NameRule(
        parts=in_c().WordMemo(doubled, b" ", 5, None),
        whole=None,
        most_bytes=9,
        most_part_bytes=9,
        most_digits=9,
        is_ascii=True,
        table=table,
    )

    with pytest.raises(ValueError, match="no table"):
        in_c().WordMemo(doubled, b" ", 5, rule)


def test_words_of_all_lengths_are_told_apart() -> None:
    memo = word_memo(doubled, b" ")
    words = [letter * length for letter in (b"a", b"\0", b"\xe9") for length in range(1, 40)]
    words += [word[:-1] + b"b" for word in words]

    for _ in range(2):
        assert [memo.join(word, 0, 40, 1) for word in words] == [*map(doubled, words)]


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
    memo = in_c().WordMemo(doubled, b" ", 50, None)
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
