"""Redaction: true secrets go, what only looks like one stays, and lines stay where they are.

In names and signatures, what has the look of a plain name is searched too.
"""

import pytest

from cruxe.config.settings import SecuritySettings
from cruxe.safety.injection_flags import flag_addressed
from cruxe.safety.redaction import (
    Redacted,
    RedactionRule,
    flags_of_symbol,
    redact,
    redacted_name,
    redacted_signature,
)
from tests.support.safety_texts import Case, read_cases

DEFAULT = SecuritySettings()
SECRETS = read_cases("secrets.txt")
LOOKALIKES = read_cases("lookalikes.txt")
LONG = 1_000_000

# Each repeats what an expression starts with, so that a search that backtracks would not end.
HOSTILE = (
    *(
        "a",
        "_",
        "-",
        "=",
        ":",
        "A",
        "S",
        "J",
        "eyJ-",
        "eyJa.eyJ",
        "sk-",
        "sk-ant-",
        "ghp_a1",
        "SG.",
    ),
    *("AKIA", "://a:", '="', "=a1", "password=", "password='", "xoxb-123456789-", "AccountKey="),
    *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "[REDACTED:", "value ", "\\"),
    *("hooks.slack.com/services/", "A1b2C3d4E5f6G7h8", 'secret = "k3J9xQ2mZ7wB5nT1" '),
)


def _name(case: Case) -> str:
    return f"{case.label}: {case.title}"


@pytest.mark.parametrize("case", SECRETS, ids=_name)
def test_a_secret_is_replaced_by_its_kind_and_nothing_else_is(case: Case) -> None:
    assert redact(case.text, DEFAULT) == Redacted(case.redacted, (case.label,))


@pytest.mark.parametrize("case", LOOKALIKES, ids=_name)
def test_what_only_looks_like_a_secret_stays(case: Case) -> None:
    assert redact(case.text, DEFAULT) == Redacted(case.text)


def test_all_secrets_of_a_text_go_and_every_line_stays_where_it_is() -> None:
    whole = [case for case in SECRETS if "snippet" not in case.title]

    redacted = redact("".join(f"{case.text}\nline\n" for case in whole), DEFAULT)

    assert sorted(redacted.kinds) == sorted(case.label for case in whole)
    assert redacted.text == "".join(f"{case.redacted}\nline\n" for case in whole)


def test_a_file_with_windows_line_ends_keeps_them() -> None:
    key = next(case for case in SECRETS if case.title == "in a Go literal")
    text = key.text.replace("\n", "\r\n")

    assert redact(text, DEFAULT).text == key.redacted.replace("\n", "\r\n")


def test_redaction_that_is_turned_off_changes_nothing() -> None:
    text = SECRETS[0].text

    assert redact(text, SecuritySettings(redaction_enabled=False)) == Redacted(text)


def test_a_rule_of_the_user_is_applied_with_its_category_and_placeholder() -> None:
    settings = _with_rule("staff", r"EMP-\d{4}", category="personal", placeholder="(employee)")

    redacted = redact("by EMP-1234 and EMP-99\nfor EMP-5678", settings)

    assert redacted == Redacted("by (employee) and EMP-99\nfor (employee)", ("personal",) * 2)


def test_a_rule_that_spans_lines_keeps_their_ends() -> None:
    settings = _with_rule("block", r"(?s)<<.*?>>")

    assert redact("a <<1\r\n2\n3>> b", settings) == Redacted("a [REDACTED]\r\n\n b", ("custom",))


def test_two_line_ends_of_different_kinds_do_not_become_one() -> None:
    settings = _with_rule("block", r"(?s)<<.*?>>")

    assert redact("<<\rx\n>>", settings).text.splitlines() == ["[REDACTED]", " ", " "]
    assert redact("<<\rx>>\n", settings).text.splitlines() == ["[REDACTED]", " "]


def test_a_rule_that_matches_nothing_or_its_own_placeholder_adds_nothing() -> None:
    settings = _with_rule("loose", r"x*|hidden", placeholder="[hidden]")

    assert redact("a hidden b", settings) == Redacted("a [hidden] b", ("custom",))
    assert redact("a [hidden] b", settings) == Redacted("a [hidden] b")


@pytest.mark.parametrize("part", HOSTILE)
def test_a_line_of_a_million_characters_is_read_to_its_end(part: str) -> None:
    redacted = redact(part * (LONG // len(part)), DEFAULT)

    assert redacted.text.replace("[REDACTED:assigned_secret]", "k3J9xQ2mZ7wB5nT1") == part * (
        LONG // len(part)
    )


def _with_rule(
    name: str, pattern: str, *, category: str = "custom", placeholder: str = "[REDACTED]"
) -> SecuritySettings:
    return SecuritySettings(
        custom_redaction_rules=(RedactionRule(name, pattern, category, placeholder),)
    )


SINGLE_LINES = [case for case in read_cases("secrets.txt") if "\n" not in case.text.strip()]


@pytest.mark.parametrize("value", ["78312_fALnUxKv_4783_AzvKWKyY", "xXXJmCCN-nxpXvmJQ-TNoKu-61-Wb"])
def test_a_value_goes_whose_parts_have_letters_or_digits_alone(value: str) -> None:
    redacted = redacted_signature(f"db_secret: {value}", SecuritySettings())

    assert redacted.startswith("db_secret: [REDACTED")
    assert value not in redacted


def test_a_name_that_ends_in_a_number_stays() -> None:
    signature = "def test_read_0042(self) -> None"

    assert redacted_signature(signature, SecuritySettings()) == signature


@pytest.mark.parametrize("case", SINGLE_LINES, ids=lambda case: f"{case.label}: {case.title}")
def test_what_is_a_secret_in_a_text_is_one_in_a_name(case: Case) -> None:
    assert redacted_name(case.text.strip(), SecuritySettings()) == case.redacted.strip()


@pytest.mark.parametrize("case", read_cases("addressed.txt"), ids=lambda case: case.title)
def test_what_is_flagged_in_a_text_is_flagged_in_a_name(case: Case) -> None:
    flags = sorted({each.flag.value for each in flag_addressed(case.text)})

    assert flags_of_symbol(case.text, "") == flags_of_symbol("", case.text) == flags != []
