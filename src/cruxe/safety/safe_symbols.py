"""Redact names and signatures, and flag those that address an agent.

A signature may contain a default value or the value of a key. A name may be a heading or a data
key. Most contain neither secret nor instruction: cheap checks decide that here, and the modules
that search a text are imported only for the rest.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.hits import OutlineRow, SearchHit, StoredSymbol
from cruxe.safety.rules import RedactionRules

if TYPE_CHECKING:
    from typing import TypeVar

    _Symbol = TypeVar("_Symbol", StoredSymbol, OutlineRow)

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
    from cruxe.safety.redaction import redact

    return redact(signature, rules).text


def redacted_name(name: str, rules: RedactionRules) -> str:
    """Return the name, qualified or not, without its secrets."""
    if not rules.custom_redaction_rules and not _may_hold_a_token(name):
        return name
    from cruxe.safety.redaction import redact

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
