"""Redaction: true secrets go, what only looks like one stays, and lines stay where they are.

The syntax around a secret stays too, so that the text can still be parsed.
"""

import pytest

from cruxe.config.settings import SecuritySettings
from cruxe.safety.injection_flags import flag_addressed
from cruxe.safety.redaction import (
    RedactionRule,
    blank,
    flags_of_symbol,
    redact,
    redaction_key,
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


def redacted(text: str, rules: SecuritySettings) -> tuple[str, tuple[str, ...]]:
    """The text without secrets, and their kinds."""
    found = redact(text.encode(), rules)
    return found.data.decode(), found.kinds


def _name(case: Case) -> str:
    return f"{case.label}: {case.title}"


@pytest.mark.parametrize("case", SECRETS, ids=_name)
def test_a_secret_is_replaced_by_its_kind_and_nothing_else_is(case: Case) -> None:
    assert redacted(case.text, DEFAULT) == (case.redacted, (case.label,))


@pytest.mark.parametrize("case", LOOKALIKES, ids=_name)
def test_what_only_looks_like_a_secret_stays(case: Case) -> None:
    assert redacted(case.text, DEFAULT) == (case.text, ())


def test_all_secrets_of_a_text_go_and_every_line_stays_where_it_is() -> None:
    whole = [case for case in SECRETS if "snippet" not in case.title]

    text, kinds = redacted("".join(f"{case.text}\nline\n" for case in whole), DEFAULT)

    assert sorted(kinds) == sorted(case.label for case in whole)
    assert text == "".join(f"{case.redacted}\nline\n" for case in whole)


@pytest.mark.parametrize("case", SECRETS, ids=_name)
def test_blanking_moves_no_byte_and_leaves_nothing(case: Case) -> None:
    data = case.text.encode()
    left = blank(data, DEFAULT).data

    assert [len(line) for line in left.split(b"\n")] == [len(line) for line in data.split(b"\n")]
    assert left.replace(b"\0", b"").decode() == case.redacted.replace(
        f"[REDACTED:{case.label}]", ""
    )


def test_a_file_with_windows_line_ends_keeps_them() -> None:
    key = next(case for case in SECRETS if case.title == "in a Go literal")
    text = key.text.replace("\n", "\r\n")

    assert redacted(text, DEFAULT)[0] == key.redacted.replace("\n", "\r\n")


def test_redaction_that_is_turned_off_changes_nothing() -> None:
    text = SECRETS[0].text

    assert redacted(text, SecuritySettings(redaction_enabled=False)) == (text, ())


def test_a_rule_of_the_user_is_applied_with_its_category_and_placeholder() -> None:
    settings = _with_rule("staff", r"EMP-\d{4}", category="personal", placeholder="(employee)")

    found = redacted("by EMP-1234 and EMP-99\nfür EMP-5678", settings)

    assert found == ("by (employee) and EMP-99\nfür (employee)", ("personal",) * 2)


def test_a_rule_that_spans_lines_keeps_their_ends() -> None:
    settings = _with_rule("block", r"(?s)<<.*?>>")

    assert redacted("a <<1\r\n2\n3>> b", settings) == ("a [REDACTED]\r\n\n b", ("custom",))


def test_two_line_ends_of_different_kinds_do_not_become_one() -> None:
    settings = _with_rule("block", r"(?s)<<.*?>>")

    assert redacted("<<\rx\n>>", settings)[0].splitlines() == ["[REDACTED]", " ", " "]
    assert redacted("<<\rx>>\n", settings)[0].splitlines() == ["[REDACTED]", " "]


def test_a_rule_that_matches_nothing_or_its_own_placeholder_adds_nothing() -> None:
    settings = _with_rule("loose", r"x*|hidden", placeholder="[hidden]")

    assert redacted("a hidden b", settings) == ("a [hidden] b", ("custom",))
    assert redacted("a [hidden] b", settings) == ("a [hidden] b", ())


@pytest.mark.parametrize("part", HOSTILE)
def test_a_line_of_a_million_characters_is_read_to_its_end(part: str) -> None:
    text, _ = redacted(part * (LONG // len(part)), DEFAULT)

    assert text.replace("[REDACTED:assigned_secret]", "k3J9xQ2mZ7wB5nT1") == part * (
        LONG // len(part)
    )


def _with_rule(
    name: str, pattern: str, *, category: str = "custom", placeholder: str = "[REDACTED]"
) -> SecuritySettings:
    return SecuritySettings(
        custom_redaction_rules=(RedactionRule(name, pattern, category, placeholder),)
    )


@pytest.mark.parametrize("value", ["78312_fALnUxKv_4783_AzvKWKyY", "xXXJmCCN-nxpXvmJQ-TNoKu-61-Wb"])
def test_a_value_goes_whose_parts_have_letters_or_digits_alone(value: str) -> None:
    assert redacted(f"db_secret: {value}", DEFAULT) == (
        "db_secret: [REDACTED:assigned_secret]",
        ("assigned_secret",),
    )


def test_all_that_decides_what_is_redacted_tells_rules_apart() -> None:
    own = _with_rule("own", "x")
    different = [
        redaction_key(each) for each in (DEFAULT, own, own.replace(redaction_enabled=False))
    ]

    assert len({*different}) == len(different)
    assert redaction_key(own.replace(redaction_enabled=False)) == redaction_key(
        DEFAULT.replace(redaction_enabled=False)
    )


@pytest.mark.parametrize("case", read_cases("addressed.txt"), ids=lambda case: case.title)
def test_what_is_flagged_in_a_text_is_flagged_in_a_name(case: Case) -> None:
    flags = sorted({each.flag.value for each in flag_addressed(case.text)})

    assert flags_of_symbol(case.text, "") == flags_of_symbol("", case.text) == flags != []
