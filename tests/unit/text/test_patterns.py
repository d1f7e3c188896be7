"""Literals and regular expressions, line by line."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.deadlines import Deadline
from cruxe.model.errors import InvalidInputError
from cruxe.model.outcomes import CaseRule
from cruxe.text.patterns import Pattern, applied_case, literal_pattern, regex_pattern

LETTERS = st.text("abAB\nsSkK\u017f\u212a\xe9\xc9 ", max_size=30)


def lines_of(pattern: Pattern, text: str) -> list[int]:
    """The numbers of the lines that match."""
    data = text.encode()
    places = pattern.line_places(data, Deadline(10_000))
    return [data.count(b"\n", 0, place) + 1 for place in places]


def regex_lines(expression: str, text: str, case: CaseRule = CaseRule.SENSITIVE) -> list[int]:
    return lines_of(regex_pattern(expression, case), text)


@given(literal=LETTERS.filter(bool), text=LETTERS)
def test_a_literal_is_found_where_the_text_has_it(literal: str, text: str) -> None:
    expected = {text.count("\n", 0, place) + 1 for place in _places(literal, text)}

    found = lines_of(literal_pattern(literal, CaseRule.SENSITIVE), text)

    assert found == sorted(expected)


@given(literal=LETTERS.filter(bool), text=LETTERS)
def test_without_case_a_literal_is_found_as_unicode_folds_it(literal: str, text: str) -> None:
    # A look-ahead finds overlapping places as well.
    expression = re.compile(f"(?={re.escape(literal)})", re.IGNORECASE)
    expected = {text.count("\n", 0, each.start()) + 1 for each in expression.finditer(text)}

    found = lines_of(literal_pattern(literal, CaseRule.INSENSITIVE), text)

    assert found == sorted(expected)


@pytest.mark.parametrize(
    ("expression", "text", "lines"),
    [
        ("^b", "ab\nba\nb", [2, 3]),
        ("b$", "ab\nba\nb\n", [1, 3]),
        ("^$", "a\n\nb\n", [2]),
        ("x*", "a\n\nb\n", [1, 2, 3]),
        ("$", "a\nb", [1, 2]),
        (r"\Ab\z", "a\nb\nbb", [2]),
        ("(?-m)^b", "a\nb", [2]),
        ("a[^x]b", "a\nb", []),
        (r"a\sb", "a\nb\na b", [3]),
        ("x", "", []),
        ("\ud800|b", "a\nb", [2]),
    ],
)
def test_an_expression_sees_one_line_at_a_time(
    expression: str, text: str, lines: list[int]
) -> None:
    assert regex_lines(expression, text) == lines


@given(text=st.text("ab\n", max_size=60))
def test_large_expressions_are_matched_piece_by_piece_to_the_same_end(text: str) -> None:
    large = "|".join(["(?:a?b){3}$", "^ab?$", *(f"z{number}" for number in range(700))])

    assert regex_lines(large, text) == regex_lines("(?:a?b){3}$|^ab?$", text)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("a(b", "missing ): a(b"),
        ("(?=a)", "invalid perl operator: (?="),
        (r"(a)\1", "invalid escape sequence: \\1"),
        ("a**", "bad repetition operator: **"),
        (r"foo\nbar", "it asks for a line break, and lines are looked at one by one"),
        (r"(?:\pL{90}){11}", "pattern too large - compile failed"),
        ("a{900}" * 20, "it is too large"),
        ("a" * 10_001, "it has more than 10,000 characters"),
    ],
)
def test_an_expression_that_cannot_be_used_says_why(expression: str, reason: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        regex_pattern(expression, CaseRule.SENSITIVE)

    assert caught.value.message == f"the regular expression cannot be used: {reason}"
    assert caught.value.data == {"field": "pattern"}


def test_a_line_break_in_a_class_is_allowed() -> None:
    assert regex_lines(r"a[^\n]c\\n", "abc\\n\nac") == [1]


def test_expressions_that_blow_up_elsewhere_end_here() -> None:
    text = "\n".join(["a" * 60] * 20)

    assert regex_lines("(a+a+)+b", text) == []
    assert regex_lines("(a*)*$", text) == list(range(1, 21))
    assert regex_lines("(x+x+)+y|(.*)(.*)(.*)(.*)[^a]", text) == []


def test_when_the_time_is_up_the_search_ends() -> None:
    places = regex_pattern("a", CaseRule.SENSITIVE).line_places(b"a\na\n", Deadline(0))

    assert list(places) == []


@pytest.mark.parametrize(
    ("pattern", "is_regex", "case"),
    [
        ("user", False, CaseRule.INSENSITIVE),
        ("User", False, CaseRule.SENSITIVE),
        ("\xc9tat", False, CaseRule.SENSITIVE),
        (r"\Wuser\S", True, CaseRule.INSENSITIVE),
        (r"\pL\p{Greek}(?P<Name>x)[[:alpha:]]\x{4A}", True, CaseRule.INSENSITIVE),
        (r"\WUser", True, CaseRule.SENSITIVE),
    ],
)
def test_a_capital_in_the_pattern_makes_case_count(
    pattern: str,
    is_regex: bool,  # noqa: FBT001 - a parameter of the case
    case: CaseRule,
) -> None:
    assert applied_case(pattern, CaseRule.SMART, is_regex=is_regex) is case
    assert applied_case(pattern, CaseRule.SENSITIVE, is_regex=is_regex) is CaseRule.SENSITIVE


def _places(literal: str, text: str) -> list[int]:
    return [place for place in range(len(text)) if text.startswith(literal, place)]
