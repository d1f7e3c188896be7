"""The quick test for secrets in lines: wider than the search for secrets, never narrower."""

from typing import Final

import pytest

from cruxe.config.settings import SecuritySettings
from cruxe.safety.redaction import RedactionRule, redact
from cruxe.safety.secret_cues import ShownLines, suspect_texts
from tests.support.safety_texts import Case, read_cases

DEFAULT: Final = SecuritySettings()
ORDINARY: Final = b"def token_of(key):\n    return self.tokens[key]\n"


def lines_changed(text: str) -> list[str]:
    """The lines of a text in which something is redacted."""
    before, after = text.split("\n"), redact(text, DEFAULT).text.split("\n")
    return [line for line, other in zip(before, after, strict=True) if line != other]


@pytest.mark.parametrize("case", read_cases("secrets.txt"), ids=lambda case: case.title)
def test_every_line_that_redaction_changes_is_suspect(case: Case) -> None:
    for before in ("", "\n\n", "x = 1\n" * 3):
        text = before + case.text
        for line in lines_changed(text):
            shown = ShownLines(text.encode(), f"{line}\n".encode())
            assert suspect_texts([shown], DEFAULT) == {0}, line


def test_suspects_are_told_among_many_texts() -> None:
    (first, *_) = [each for each in read_cases("secrets.txt") if "\n" not in each.text.strip()]
    secret = f"{first.text.strip()}\n".encode()
    shown = [ShownLines(each, each) for each in (ORDINARY, secret, ORDINARY, secret)]

    assert suspect_texts(shown, DEFAULT) == {1, 3}
    assert suspect_texts(shown[:1], DEFAULT) == set()


def test_rules_of_the_user_make_every_text_suspect_and_none_without_redaction() -> None:
    rule = RedactionRule(name="own", pattern="x", category="own", placeholder="[OWN]")
    shown = [ShownLines(ORDINARY, ORDINARY)] * 2

    assert suspect_texts(shown, DEFAULT.replace(custom_redaction_rules=(rule,))) == {0, 1}
    assert suspect_texts(shown, DEFAULT.replace(redaction_enabled=False)) == set()
