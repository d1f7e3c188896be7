"""Whatever the text: redaction is total, keeps lines, and has nothing left to do a second time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxe.config.settings import SecuritySettings
from cruxe.safety.injection_flags import flag_addressed
from cruxe.safety.redaction import redact
from cruxe.safety.secret_formats import FORMATS, TokenFormat, find_tokens
from cruxe.safety.secret_values import is_filler
from tests.support.safety_texts import read_cases

DEFAULT = SecuritySettings()
PARTS = [case.text for name in ("secrets", "lookalikes") for case in read_cases(f"{name}.txt")]
SIGNS = ["\n", "\r\n", "\r", " ", '"', "'", "=", ": ", "password = ", "://a:", "@h", "[REDACTED:x]"]

# Secrets whole and in pieces, side by side, so that they overlap and cut each other short.
pieces = st.builds(
    lambda text, start, size: text[start : start + size],
    st.sampled_from(PARTS),
    st.integers(0, 200),
    st.integers(1, 400),
)
texts = st.lists(st.one_of(pieces, st.sampled_from(SIGNS + PARTS), st.text(max_size=8))).map(
    "".join
)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text.encode(), DEFAULT)

    assert redact(once.data, DEFAULT) == (once.data, ())


@settings(max_examples=300, deadline=None)
@given(texts)
def test_redaction_moves_no_line(text: str) -> None:
    redacted = redact(text.encode(), DEFAULT).data.decode()

    assert len(redacted.splitlines()) == len(text.splitlines())
    assert redacted.count("\n") == text.count("\n")


@settings(max_examples=200, deadline=None)
@given(texts | st.text())
def test_flags_name_lines_that_exist(text: str) -> None:
    flags = flag_addressed(text)

    assert all(0 <= each.line_offset <= text.count("\n") for each in flags)
    assert list(flags) == sorted(flags, key=lambda each: (each.line_offset, each.flag))


@pytest.mark.parametrize("prefix", ["xoxe-", "glpat-", "sk-ant-", "sk-proj-"])
def test_a_token_may_begin_with_dashes(prefix: str) -> None:
    """One in thousands does: they are signs of base64 like others."""
    text = f"x {prefix}----a1B2x9Kq7Wm3Rt5Zp8Lv4Nc6Hd2Js0Fg y"

    assert [(each.start, each.end) for each in find_tokens(text.encode())] == [(2, len(text) - 2)]


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: f"{each.kind} {each.prefixes}")
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_whatever_a_format_allows_is_found(each: TokenFormat, data: st.DataObject) -> None:
    prefix = data.draw(st.sampled_from(each.prefixes.split()))
    rest = data.draw(
        st.from_regex(each.rest, fullmatch=True, alphabet=st.characters(codec="ascii"))
    )

    start = 2 + len(prefix) * each.kind.startswith("azure")
    found = [(token.start, token.end) for token in find_tokens(f"x {prefix}{rest} y".encode())]

    assert (start, 2 + len(prefix) + len(rest)) in found or is_filler(rest)
