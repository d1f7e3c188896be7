"""Replace secrets by placeholders: in source, and in the names and signatures of symbols.

Only what is certain to be a secret is replaced: vendors' token formats, private keys, passwords in
URLs, random literals assigned to a secret name. Line numbers do not change. Redact a whole text and
cut it afterwards: a part of a key is not recognised.

A signature may contain a default value or the value of a key. A name may be a heading or a data
key. Most contain neither secret nor instruction: cheap checks decide that here, and the modules
that search a text are imported only for the rest.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from cruxe.model.hits import OutlineRow, SearchHit, StoredSymbol

if TYPE_CHECKING:
    from typing import TypeVar

    from cruxe.safety.secret_spans import SecretSpan

    _Symbol = TypeVar("_Symbol", StoredSymbol, OutlineRow)


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
    from cruxe.safety.secret_spans import PLACEHOLDER_START, find_secrets

    kinds: list[str] = []
    for rule in rules.custom_redaction_rules:
        text = _applied(text, rule, kinds)
    # A secret that overlapped another is found in the next round; each round leaves fewer.
    while spans := find_secrets(text):
        text = _without(text, [(each, f"{PLACEHOLDER_START}:{each.kind}]") for each in spans])
        kinds.extend(each.kind for each in spans)
    return Redacted(text, tuple(kinds))


def _applied(text: str, rule: RedactionRule, kinds: list[str]) -> str:
    from cruxe.safety.secret_spans import SecretSpan

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


def _without(text: str, spans: "list[tuple[SecretSpan, str]]") -> str:
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


_MARKS: Final = ('"', "'", "`", "=", "://")
# The least length of an unquoted secret, as in YAML.
_LEAST_CHARACTERS: Final = 8
_DIGITS: Final = frozenset("0123456789")
# The least length of an alphanumeric run in a token, with a digit and without.
_LEAST_RUN: Final = 10
_LEAST_LETTERS: Final = 30
# Every ASCII text that is flagged for wording or markup contains one of these.
SPEAKING_WORDS: Final = (
    *("instructions", "guidelines", "system prompt", " ai", "ai ", "llm", "language model"),
    *("assistant", "agent", "claude", "gpt", "copilot", "the user", "the human", " to http"),
    *("<", "[inst]"),
)


def redacted_signature(signature: str, rules: RedactionRules) -> str:
    """Return the signature without its secrets."""
    if not rules.custom_redaction_rules and not _may_hold_a_secret(signature):
        return signature
    return redact(signature, rules).text


def redacted_name(name: str, rules: RedactionRules) -> str:
    """Return the name, qualified or not, without its secrets."""
    if not rules.custom_redaction_rules and not _may_hold_a_token(name):
        return name
    return redact(name, rules).text


def safe_symbol(symbol: "_Symbol", rules: RedactionRules) -> "_Symbol":
    """Return the symbol, or the row of an outline, without secrets."""
    signature = redacted_signature(symbol.signature, rules)
    qualified_name = redacted_name(symbol.qualified_name, rules)
    if signature == symbol.signature and qualified_name == symbol.qualified_name:
        return symbol
    name = redacted_name(symbol.name, rules)
    return symbol._replace(signature=signature, qualified_name=qualified_name, name=name)


def safe_hits(hits: Iterable[SearchHit], rules: RedactionRules) -> list[SearchHit]:
    """Return the hits without secrets in their symbols."""
    return [safe_hit(hit, rules) for hit in hits]


def safe_hit(hit: SearchHit, rules: RedactionRules) -> SearchHit:
    """Return the hit without secrets in its symbol."""
    symbol = hit.symbol
    if symbol is None:
        return hit
    safe = safe_symbol(symbol, rules)
    return hit if safe is symbol else hit._replace(symbol=safe)


def flags_of_symbol(qualified_name: str, signature: str) -> list[str]:
    """Return the injection flags of a symbol's name and signature, sorted."""
    said = f"{qualified_name}\n{signature}"
    lowered = said.lower()
    if said.isascii() and not any(word in lowered for word in SPEAKING_WORDS):
        return []
    from cruxe.safety.injection_flags import flag_addressed

    return sorted({each.flag.value for each in flag_addressed(said)})


def _may_hold_a_secret(signature: str) -> bool:
    if any(mark in signature for mark in _MARKS):
        return True
    words = signature.split()
    return any(len(word) >= _LEAST_CHARACTERS and any(map(str.isdigit, word)) for word in words)


def _may_hold_a_token(name: str) -> bool:
    if len(name) < _LEAST_RUN:
        return False
    if any(mark in name for mark in _MARKS):
        return True
    if len(name) < _LEAST_LETTERS and _DIGITS.isdisjoint(name):  # the common case
        return False
    runs = "".join([each if each.isalnum() else " " for each in name]).split()
    return any(
        len(run) >= (_LEAST_LETTERS if _DIGITS.isdisjoint(run) else _LEAST_RUN) for run in runs
    )
