"""What a regular expression requires; a wrong claim would hide files that match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.deadlines import Deadline
from cruxe.model.errors import InvalidInputError
from cruxe.model.outcomes import CaseRule
from cruxe.text.patterns import regex_pattern
from cruxe.text.required_literals import NOTHING, required_literals

PIECES = st.sampled_from(
    [
        *("a", "b", "ab", "c", "\u017f", "s", "K", "k", ".", "^", "$", "|", "(", ")", "(?:"),
        *("(?i)", "(?P<n>", "(?s:", "*", "+", "?", "*?", "{0}", "{2}", "{0,1}", "{1,}", "{,2}"),
        *(
            "[ab]",
            "[^a]",
            "[]a]",
            "[[:alpha:]]",
            "[\\]b]",
            "\\d",
            "\\w",
            "\\b",
            "\\.",
            "\\Q",
            "\\E",
        ),
        *("\\x61", "\\x{62}", "\\pL", "\\141", "\\A", "\\z", "{", "}", "]", "-", ",", " "),
    ]
)
EXPRESSIONS = st.lists(PIECES, max_size=10).map("".join)
TEXTS = st.text("abcABCsSkK\u017f\u212a12 .{},-]Q", max_size=12)


@pytest.mark.parametrize(
    ("expression", "required"),
    [
        ("foo", [["foo"]]),
        ("foo.bar", [["foo", "bar"]]),
        ("foo|bar", [["foo"], ["bar"]]),
        ("x(foo|bar)y", [["x", "foo", "y"], ["x", "bar", "y"]]),
        ("fooo*d", [["foo", "d"]]),
        ("fo{2}d", [["fo", "d"]]),
        ("(foo)?bar", [["bar"]]),
        (r"def \w+\(self\)", [["def ", "(self)"]]),
        ("[foo]bar[[:alpha:]]", [["bar"]]),
        ("(?i)foo", [["foo"]]),
        ("foo|", [["foo"], []]),
        (r"foo\x41bar", NOTHING),
        ("foo(?i)*", NOTHING),
        (r"\Qfoo|bar\E", NOTHING),
        ("(" * 80 + "foo" + ")" * 80, NOTHING),
    ],
)
def test_texts_that_every_match_holds(expression: str, required: list[list[str]]) -> None:
    assert required_literals(expression) == required


@given(expression=EXPRESSIONS, text=TEXTS)
def test_what_matches_holds_all_that_is_required(expression: str, text: str) -> None:
    try:
        pattern = regex_pattern(expression, CaseRule.INSENSITIVE)
    except InvalidInputError:
        return
    if pattern.line_places(text.encode(), Deadline(10_000)):
        folded = text.casefold()
        alternatives = required_literals(expression)
        assert any(all(each.casefold() in folded for each in some) for some in alternatives)
