"""Signatures as they may be sent: a default value, or the value of a key, can be a secret.

Nearly none can hold one, and what takes secrets out is not even imported for those.
"""

from typing import Final

from cruxe.config.settings import SecuritySettings
from cruxe.model.hits import SearchHit

_MARKS: Final = ('"', "'", "`", "=", "://")
# Of a value without quotes, such as YAML's: shorter ones are no secrets.
_LEAST_CHARACTERS: Final = 8


def redacted_signature(signature: str, settings: SecuritySettings) -> str:
    """The signature without its secrets."""
    if not settings.custom_redaction_rules and not _may_hold_a_secret(signature):
        return signature
    from cruxe.respond.redaction import redact

    return redact(signature, settings).text


def with_safe_signature(hit: SearchHit, settings: SecuritySettings) -> SearchHit:
    """The hit as it may be sent."""
    symbol = hit.symbol
    if symbol is None:
        return hit
    signature = redacted_signature(symbol.signature, settings)
    if signature == symbol.signature:
        return hit
    return hit._replace(symbol=symbol._replace(signature=signature))


def _may_hold_a_secret(signature: str) -> bool:
    if any(mark in signature for mark in _MARKS):
        return True
    words = signature.split()
    return any(len(word) >= _LEAST_CHARACTERS and any(map(str.isdigit, word)) for word in words)
