"""Kinds and visibilities as a store has them: by number. Its views say what each is called."""

from collections.abc import Mapping
from typing import Final

from cruxe.model.symbols import ROLE_OF_KIND, SymbolKind, Visibility

# Stores have the names in their views: whoever adds or changes one raises `SCHEMA_VERSION`.
KIND_CODES: Final = {kind: code for code, kind in enumerate(SymbolKind)}
VISIBILITY_CODES: Final = {visibility: code for code, visibility in enumerate(Visibility)}


def kind_sql(code: str) -> str:
    """A kind's name as an SQL expression."""
    return _case(code, {number: kind.value for kind, number in KIND_CODES.items()})


def role_sql(code: str) -> str:
    """The role of a kind as an SQL expression."""
    return _case(code, {number: ROLE_OF_KIND[kind].value for kind, number in KIND_CODES.items()})


def visibility_sql(code: str) -> str:
    """A visibility's name as an SQL expression."""
    return _case(code, {number: each.value for each, number in VISIBILITY_CODES.items()})


def _case(code: str, names: Mapping[int, str]) -> str:
    whens = (f"WHEN {number} THEN '{name}'" for number, name in names.items())
    return f"CASE {code} {' '.join(whens)} END"
