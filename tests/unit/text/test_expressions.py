"""Regular expressions follow Unicode: in any line they match where Python's own do."""

import random
import re
from typing import Final

import pytest

from cruxe.model.deadlines import Deadline
from cruxe.model.outcomes import CaseRule
from cruxe.text.patterns import regex_pattern

# Python agrees with Unicode on these: it counts no combining marks to words.
LETTERS: Final = "aAbé É_-. 3٣日,\u00a0\u2003K\tx"
ATOMS: Final = (
    *(
        r"\w",
        r"\W",
        r"\d",
        r"\D",
        r"\s",
        r"\S",
        "a",
        "é",
        "É",
        "_",
        "-",
        ".",
        r"\.",
        "3",
        "日",
        " ",
    ),
    *(r"[\w-]", r"[^\W\d_]", r"[\W_]", r"[^\s,]", r"[\dé]", r"[^\wé]", "[a-zé]", "[^a]", r"[\s\d]"),
    *(r"[\S]", r"[^\S]", r"[^\D]", "(?:ab|é)", "(a|é)", r"\xe9", r"[\xe9\w]", r"[]\w]"),
)
ZERO_WIDTH: Final = (r"\b", r"\B", "^", "$", "", "")
TIMES: Final = ("", "", "", "*", "+", "?", "{2}", "*?", "+?", "{1,2}")


def found_in(line: str, expression: str, case: CaseRule = CaseRule.SENSITIVE) -> list[int]:
    """The offset of the first match in a line, in characters."""
    text = line.encode()
    places = regex_pattern(expression, case).line_places(text, Deadline(60_000))
    return [len(text[:place].decode()) for place in places]


def test_random_expressions_match_where_those_of_python_do() -> None:
    chance = random.Random(5)  # noqa: S311 - the same expressions in every run
    for _ in range(1_500):
        expression = _expression(chance)
        is_folded = chance.random() < 0.3
        case = CaseRule.INSENSITIVE if is_folded else CaseRule.SENSITIVE
        expected = re.compile(expression, re.IGNORECASE if is_folded else 0)
        for _ in range(4):
            line = "".join(chance.choices(LETTERS, k=chance.randint(1, 12)))
            match = expected.search(line)
            assert found_in(line, expression, case) == ([match.start()] if match else []), (
                f"{expression!r} in {line!r}, {case}"
            )


def test_a_line_of_ascii_matches_alike_below_one_that_is_not() -> None:
    chance = random.Random(6)  # noqa: S311 - the same expressions in every run
    letters = [each for each in LETTERS if each.isascii()]
    for _ in range(1_500):
        expression = _expression(chance)
        line = "".join(chance.choices(letters, k=chance.randint(1, 12)))

        found = found_in(f"é\n{line}", expression)

        assert [place - 2 for place in found if place > 1] == found_in(line, expression), (
            f"{expression!r} in {line!r}"
        )


@pytest.mark.parametrize(
    ("expression", "line", "places"),
    [
        (r"class \w+\(", "class Héllo(", [0]),
        (r"\bfoo\b", "éfoo foo", [5]),
        (r"\Bé\B", "aéa", [1]),
        (r"\w", "-\u0301", [1]),  # a combining mark
        (r"\w", "-Ⓐ", [1]),  # a letter in a circle
        (r"\w", "-\u200d", [1]),  # a joiner
        (r"\w", "-²½", []),  # numbers, but no decimal digits
        (r"^\d+$", "٣3", [0]),
        (r"a\sb", "a\u2003b", [0]),
        (r"\s", "\x0b", [0]),
        (r"\S", "\u2003\x0b", []),
        (r"[[:word:]]", "é", []),  # ASCII, as in ripgrep
        (r"\Qé.\E\b", "é.x", [0]),
        (r"\pL\b", "é", [0]),
        (r"(?i)\bÉ", "x é", [2]),
        (r"\x{e9}\b", "é", [0]),
        (r"(?P<name>\w)\b", "é", [0]),
        (r"\w{30}", "é" * 30, [0]),
        (r"[\w-x]+", "+é-", [1]),
    ],
)
def test_classes_and_boundaries_are_those_of_unicode(
    expression: str, line: str, places: list[int]
) -> None:
    assert found_in(line, expression) == places


def test_lines_of_ascii_and_others_are_found_in_one_text() -> None:
    assert found_in("né\nfoo\né foo\nfoobar\n", r"\b\w+oo\b|^n\w$") == [0, 3, 9]


def test_a_line_that_is_too_long_for_a_large_expression_is_not_searched() -> None:
    large = regex_pattern(r"(?:\w{3,9}-){40}x", CaseRule.SENSITIVE)
    small = regex_pattern(r"x\w+", CaseRule.SENSITIVE)
    line = b"x" * 1_000_000

    assert not large.is_affordable(line)
    assert large.is_affordable(line.replace(b"xxxxxxxxxx", b"xxxxxxxxx\n"))
    assert small.is_affordable(line)


def _expression(chance: random.Random) -> str:
    parts = [
        chance.choice(ZERO_WIDTH) + chance.choice(ATOMS) + chance.choice(TIMES)
        for _ in range(chance.randint(1, 4))
    ]
    last = chance.choice(["", "", "|" + chance.choice(ZERO_WIDTH) + chance.choice(ATOMS)])
    return "".join(parts) + chance.choice(ZERO_WIDTH) + last
