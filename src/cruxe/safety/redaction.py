"""Secrets taken out of text before it is returned; every tool that sends source comes by here.

Only what is certain to be a secret goes: vendors' token formats, private keys, passwords in
addresses, random literals assigned to a name that says so. Lines stay where they are. A text is
best redacted whole and cut afterwards: the middle of a key alone does not look like one.
"""

import re
from functools import cache
from typing import NamedTuple

from cruxe.config.settings import SecuritySettings
from cruxe.config.values import RedactionRule
from cruxe.safety.secret_spans import PLACEHOLDER_START, Place, secret_places


class Redacted(NamedTuple):
    """A text without its secrets."""

    text: str
    kinds: tuple[str, ...] = ()  # one entry for each that was taken out


def redact(text: str, settings: SecuritySettings) -> Redacted:
    """Take the secrets out of a text, the user's own rules first; the number of lines stays.

    Total and deterministic. Redacting twice changes nothing more, unless a rule's own pattern
    matches across what was put there.
    """
    if not settings.redaction_enabled:
        return Redacted(text)
    kinds: list[str] = []
    for rule in settings.custom_redaction_rules:
        text = _applied(text, rule, kinds)
    # A secret that overlapped another is seen once that is gone; each round leaves less to find.
    while places := secret_places(text):
        text = _without(text, [(each, f"{PLACEHOLDER_START}:{each.kind}]") for each in places])
        kinds.extend(each.kind for each in places)
    return Redacted(text, tuple(kinds))


def _applied(text: str, rule: RedactionRule, kinds: list[str]) -> str:
    kept = [match.span() for match in _placeholder(rule.placeholder).finditer(text)]
    places = [
        (Place(*match.span(), rule.category), rule.placeholder)
        for match in re.compile(rule.pattern).finditer(text)
        if match.group() and not _is_inside(match.span(), kept)
    ]
    kinds.extend(place.kind for place, _ in places)
    return _without(text, places) if places else text


def _is_inside(span: tuple[int, int], kept: list[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in kept)


def _without(text: str, places: list[tuple[Place, str]]) -> str:
    parts: list[str] = []
    position = 0
    for place, placeholder in places:
        parts += (text[position : place.start], placeholder)
        parts.append(_line_breaks(text[place.start : place.end], text[place.end : place.end + 1]))
        position = place.end
    return "".join(parts) + text[position:]


def _line_breaks(text: str, following: str) -> str:
    """The ends of lines in a text; a space keeps two from becoming one, and the last from going."""
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
