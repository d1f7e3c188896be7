"""Replace the secrets of a text by placeholders, before anything is made of the text.

The worker redacts a file's whole text and parses what is left, so that names, signatures, docs,
search terms, trigrams and vectors cannot hold a secret; whoever reads a file for an answer redacts
it likewise. Only what is certain to be a secret is replaced: vendors' token formats, private keys,
passwords in URLs, random literals assigned to a secret name. Lines stay where they are, and so does
the syntax around a secret. A part of a text must not be redacted alone: a part of a key is not
recognised.

Names and signatures are flagged here too, if they speak to agents: a cheap check tells that most do
not, and the module that searches a text is imported only for the rest.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from cruxe.safety.secret_spans import SecretSpan

_LINE_ENDS: Final = frozenset({b"\n", b"\r"})
# A change of what counts as a secret raises it; then every file is extracted anew.
RULES_VERSION: Final = 1


class RedactionRule(NamedTuple):
    """A user's pattern for text that must not appear in an answer."""

    name: str
    pattern: str
    category: str = "custom"
    placeholder: str = "[REDACTED]"


class RedactionRules(Protocol):
    """Whether secrets are replaced, and the user's rules; `SecuritySettings` implements it."""

    @property
    def redaction_enabled(self) -> bool:
        """If False, every text is returned unchanged."""
        ...

    @property
    def custom_redaction_rules(self) -> tuple[RedactionRule, ...]:
        """The user's rules, applied in this order before the built-in ones."""
        ...


class Redaction(NamedTuple):
    """These rules alone, as a message to another process."""

    redaction_enabled: bool = True
    custom_redaction_rules: tuple[RedactionRule, ...] = ()


class Redacted(NamedTuple):
    """A text in UTF-8 without its secrets."""

    data: bytes
    kinds: tuple[str, ...] = ()  # one per replaced secret


def redaction_of(rules: RedactionRules) -> Redaction:
    """Return the rules without what does not belong to them."""
    return Redaction(rules.redaction_enabled, rules.custom_redaction_rules)


def redaction_key(rules: RedactionRules) -> tuple[object, ...]:
    """Return all that decides what is redacted, for a digest."""
    if not rules.redaction_enabled:
        return ()
    return RULES_VERSION, rules.custom_redaction_rules


def redact(data: bytes, rules: RedactionRules) -> Redacted:
    """Replace the secrets in a text, the user's rules first; the number of lines stays the same.

    Never raises and is deterministic. Redacting twice changes nothing more, unless a user's pattern
    matches across a placeholder.
    """
    found = _replaced(data, rules, _placeholder_for)
    # A last line of which nothing is left stays a line.
    if found.data[-1:] in _LINE_ENDS and data[-1:] not in _LINE_ENDS:
        return found._replace(data=found.data + b" ")
    return found


def blank(data: bytes, rules: RedactionRules) -> Redacted:
    """Replace each byte of a secret by a zero, so that every offset stays the same."""
    return _replaced(data, rules, _zeros_for)


# What replaces the text of a span, given its placeholder and what follows it.
_Replacement = Callable[[bytes, bytes, bytes], bytes]


def _replaced(data: bytes, rules: RedactionRules, replacement: _Replacement) -> Redacted:
    if not rules.redaction_enabled:
        return Redacted(data)
    from cruxe.safety.secret_spans import PLACEHOLDER_START, find_secrets

    kinds: list[str] = []
    for rule in rules.custom_redaction_rules:
        data = _applied(data, rule, kinds, replacement)
    # A secret that overlapped another is found in the next round; each round leaves fewer.
    while spans := find_secrets(data):
        placed = [
            (each, f"{PLACEHOLDER_START}:{each.kind}]".encode() if each.is_first else b"")
            for each in spans
        ]
        data = _without(data, placed, replacement)
        kinds.extend(each.kind for each in spans if each.is_first)
    return Redacted(data, tuple(kinds))


def _applied(
    data: bytes, rule: RedactionRule, kinds: list[str], replacement: _Replacement
) -> bytes:
    from cruxe.safety.secret_spans import SecretSpan

    text = data.decode("utf-8", "replace")
    kept = [match.span() for match in _placeholder(rule.placeholder).finditer(text)]
    spans = [
        match.span()
        for match in re.compile(rule.pattern).finditer(text)
        if match.group() and not _is_inside(match.span(), kept)
    ]
    if not spans:
        return data
    kinds.extend(rule.category for _ in spans)
    places = _byte_places(text, spans)
    placeholder = rule.placeholder.encode()
    placed = [
        (SecretSpan(start=start, end=end, kind=rule.category), placeholder) for start, end in places
    ]
    return _without(text.encode(), placed, replacement)


def _byte_places(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the offsets in UTF-8 of spans of characters."""
    places: list[tuple[int, int]] = []
    place = position = 0
    for start, end in spans:
        first = place + len(text[position:start].encode())
        place, position = first + len(text[start:end].encode()), end
        places.append((first, place))
    return places


def _is_inside(span: tuple[int, int], kept: list[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in kept)


def _without(
    data: bytes, spans: "list[tuple[SecretSpan, bytes]]", replacement: _Replacement
) -> bytes:
    parts: list[bytes] = []
    position = 0
    for span, placeholder in spans:
        parts.append(data[position : span.start])
        following = data[span.end : span.end + 1]
        parts.append(replacement(data[span.start : span.end], placeholder, following))
        position = span.end
    return b"".join(parts) + data[position:]


def _zeros_for(secret: bytes, _placeholder: bytes, _following: bytes) -> bytes:
    return b"\n".join(bytes(len(line)) for line in secret.split(b"\n"))


def _placeholder_for(secret: bytes, placeholder: bytes, following: bytes) -> bytes:
    return placeholder + _line_breaks(secret.decode("utf-8", "replace"), following).encode()


def _line_breaks(text: str, following: bytes) -> str:
    """Return the line ends of a text; a space keeps CR and LF apart, and the last line present."""
    breaks = ""
    for each in _line_break().findall(text):
        breaks += f" {each}" if each == "\n" and breaks.endswith("\r") else each
    if breaks and text[-1] != breaks[-1] and following in {b"", b"\n"}:
        return f"{breaks} " if breaks.endswith("\r") or not following else breaks
    return breaks


@cache
def _placeholder(own: str) -> re.Pattern[str]:
    return re.compile(rf"\[REDACTED(?::\w+)?\]|{re.escape(own)}")


@cache
def _line_break() -> re.Pattern[str]:
    return re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


# Every ASCII text that is flagged for wording or markup contains one of these.
SPEAKING_WORDS: Final = (
    *("instructions", "guidelines", "system prompt", " ai", "ai ", "llm", "language model"),
    *("assistant", "agent", "claude", "gpt", "copilot", "the user", "the human", " to http"),
    *("<", "[inst]", "anweisung", "instruc", "istruzion", "instrukcj"),
)


def flags_of_symbol(qualified_name: str, signature: str) -> list[str]:
    """Return the injection flags of a symbol's name and signature, sorted."""
    said = f"{qualified_name}\n{signature}"
    lowered = said.lower()
    if said.isascii() and not any(word in lowered for word in SPEAKING_WORDS):
        return []
    from cruxe.safety.injection_flags import flag_addressed

    return sorted({each.flag.value for each in flag_addressed(said)})
