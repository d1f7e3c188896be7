"""Heads of definitions on one line."""

import pytest

from cruxe.text.heads import fold_head


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
