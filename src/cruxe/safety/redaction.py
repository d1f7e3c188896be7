"""Replace the secrets in a text by placeholders; every tool that returns source calls `redact`.

Only what is certain to be a secret is replaced: vendors' token formats, private keys, passwords in
URLs, random literals assigned to a secret name. Line numbers do not change. Redact a whole text and
cut it afterwards: a part of a key is not recognised.
"""

import re
from functools import cache
from typing import NamedTuple

from cruxe.safety.rules import RedactionRule, RedactionRules
from cruxe.safety.secret_spans import PLACEHOLDER_START, SecretSpan, find_secrets


class Redacted(NamedTuple):
    """A text without its secrets."""

    text: str
    kinds: tuple[str, ...] = ()  # one per replaced secret


def redact(text: str, rules: RedactionRules) -> Redacted:
    """Replace the secrets in a text, the user's rules first; the number of lines stays the same.

    Never raises and is deterministic. Redacting twice changes nothing more, unless a user's pattern
    matches across a placeholder.
    """
    if not rules.redaction_enabled:
        return Redacted(text)
    kinds: list[str] = []
    for rule in rules.custom_redaction_rules:
        text = _applied(text, rule, kinds)
    # A secret that overlapped another is found in the next round; each round leaves fewer.
    while spans := find_secrets(text):
        text = _without(text, [(each, f"{PLACEHOLDER_START}:{each.kind}]") for each in spans])
        kinds.extend(each.kind for each in spans)
    return Redacted(text, tuple(kinds))


def _applied(text: str, rule: RedactionRule, kinds: list[str]) -> str:
    kept = [match.span() for match in _placeholder(rule.placeholder).finditer(text)]
    spans = [
        (SecretSpan(*match.span(), rule.category), rule.placeholder)
        for match in re.compile(rule.pattern).finditer(text)
        if match.group() and not _is_inside(match.span(), kept)
    ]
    kinds.extend(span.kind for span, _ in spans)
    return _without(text, spans) if spans else text


def _is_inside(span: tuple[int, int], kept: list[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in kept)


def _without(text: str, spans: list[tuple[SecretSpan, str]]) -> str:
    parts: list[str] = []
    position = 0
    for span, placeholder in spans:
        parts += (text[position : span.start], placeholder)
        parts.append(_line_breaks(text[span.start : span.end], text[span.end : span.end + 1]))
        position = span.end
    return "".join(parts) + text[position:]


def _line_breaks(text: str, following: str) -> str:
    """Return the line ends of a text; a space keeps CR and LF apart, and the last line present."""
    breaks = ""
    for each in _line_break().findall(text):
        breaks += f" {each}" if each == "\n" and breaks.endswith("\r") else each
    if breaks and text[-1] != breaks[-1] and following in {"", "\n"}:
        return f"{breaks} " if breaks.endswith("\r") or not following else breaks
    return breaks


@cache
def _placeholder(own: str) -> re.Pattern[str]:
    return re.compile(rf"\[REDACTED(?::\w+)?\]|{re.escape(own)}")


@cache
def _line_break() -> re.Pattern[str]:
    return re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
