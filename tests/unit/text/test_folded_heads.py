"""Heads of definitions on one line."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cruxe.text.lines import fold_head, fold_start


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("def f(self,\n      error: X) -> str", "def f(self, error: X) -> str"),
        ("def f(\n    self,\n    error: X,\n) -> str", "def f(self, error: X) -> str"),
        ("def f(\n    self,\n) -> None", "def f(self) -> None"),
        ("fn f<T>(\n    each: T,\n) -> T", "fn f<T>(each: T) -> T"),
        ("f(\n)", "f()"),
        ("PAIR = (\n    1,\n    2,\n)", "PAIR = (1, 2)"),
        ("NAMES = [\n    'a',\n]", "NAMES = ['a']"),
        ("void f( int a )\n  throws B", "void f( int a ) throws B"),
    ],
)
def test_a_line_broken_at_a_bracket_leaves_nothing_there(text: str, head: str) -> None:
    assert fold_head(text) == head


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("ONE = (\n    1,\n)", "ONE = (1,)"),
        ("a: tuple[\n    int,\n]", "a: tuple[int,]"),
        ("fn f(a: (\n    Map<K, V>,\n))", "fn f(a: (Map<K, V>,))"),
        ("[\n    ,\n]", "[,]"),
        ("f(a,)", "f(a,)"),
        ("type A = {\n    b: C,\n}", "type A = { b: C, }"),
    ],
)
def test_a_comma_that_may_say_something_stays(text: str, head: str) -> None:
    assert fold_head(text) == head


@given(text=st.text("ab,([{)]} \n<", max_size=60), most=st.integers(1, 20))
@example(text="NAMES = [" + "\n" * 90 + "    'a',\n]", most=12)
def test_the_start_of_a_long_head_is_folded_like_all_of_it(text: str, most: int) -> None:
    assert fold_start(text, most) == fold_head(text)[:most]


def test_brackets_that_are_too_deep_keep_their_commas() -> None:
    assert fold_head("f(" * 32 + "\na,\n" + ")" * 32) == "f(" * 32 + "a" + ")" * 32
    assert fold_head("f(" * 33 + "\na,\n" + ")" * 33) == "f(" * 33 + "a," + ")" * 33
