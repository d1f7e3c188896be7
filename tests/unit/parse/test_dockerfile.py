"""Dockerfiles instruction by instruction: lines that go on, texts below, and what is broken."""

import pytest

from cruxe.model.symbols import SiteKind
from tests.requirements import requirement
from tests.unit.parse.outlines import broken_lines, comments_in, parse, symbols_of


def test_an_instruction_goes_on_over_comments_and_blank_lines() -> None:
    text = 'ENV A=1 \\\n  # about b\n\n  B="2 3" \\\n  C=4\nENV D five six\n'

    assert symbols_of("Dockerfile", text) == [
        "1-1 A | ENV A=1",
        '4-4 B | ENV B="2 3"',
        "5-5 C | ENV C=4",
        "6-6 D | ENV D five six",
    ]
    assert comments_in("Dockerfile", text) == ["# about b\n"]
    assert broken_lines("Dockerfile", text) == []


def test_a_directive_says_what_continues_a_line() -> None:
    text = "# escape=`\nFROM a AS b\nENV PATH=C:\\a\nENV X=1 `\n  Y=2\n"

    assert symbols_of("Dockerfile", text)[1:] == [
        "3-3 b > PATH | ENV PATH=C:\\a",
        "4-4 b > X | ENV X=1",
        "5-5 b > Y | ENV Y=2",
    ]


def test_the_text_below_an_instruction_says_nothing() -> None:
    text = "FROM a AS b\nRUN <<ONE cat <<-'TWO'\nFROM x AS y\nONE\n# no\n\tTWO\nENV C=1\nRUN <<E\n"

    assert symbols_of("Dockerfile", text) == ["1-8 b | FROM a AS b", "7-7 b > C | ENV C=1"]
    assert comments_in("Dockerfile", text) == []
    assert broken_lines("Dockerfile", text) == []


def test_images_are_imports_and_stages_are_not() -> None:
    text = (
        "FROM --platform=$P img:1@sha256:ab AS base\nFROM base\nFROM ${X}\nFROM scratch\n"
        "COPY --from=base a b\nCOPY --from=tool:2 a b\nRUN --mount=type=bind,from=other,a=b ls\n"
    )
    parsed = parse("Dockerfile", text)

    found = [(each.module, each.line) for each in parsed.imports]
    assert found == [("img:1@sha256:ab", 1), ("tool:2", 6), ("other", 7)]
    extended = [site[1] for site in parsed.sites if site[0] is SiteKind.EXTENDS]
    assert extended == ["img", "base"]


@requirement("PARSE-ROBUST")
@pytest.mark.parametrize(
    "line", ["WHAT is this", "ARG", "FROM", "ENV", "ARG a b,c", "FROM a b", "!"]
)
def test_a_line_that_is_no_instruction_is_a_problem(line: str) -> None:
    text = f"FROM a AS b\n{line}\nENV C=1\n"

    assert [each.name for each in parse("Dockerfile", text).symbols][-1] == "C"
    assert broken_lines("Dockerfile", text) == [2]
