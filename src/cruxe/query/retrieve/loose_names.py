"""Definitions with similar names: they hold all the words, or differ by a typing error.

Used only if no definition has the name in any spelling. `cruxe locate` seldom needs it, so it is a
module of its own, which is imported on demand.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.symbols import fold_name, split_name
from cruxe.query.rank.policy import FUZZY_NAMES, SUB_WORD_CHUNKS
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.store.conditions import Every, Holds
from cruxe.text.edits import allowed_edits, edit_distance
from cruxe.text.identifiers import part_terms_of_word, words_of

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot


class SimilarSymbol(NamedTuple):
    """A symbol and how similar its name is to the one asked for, 0 to 1."""

    symbol: StoredSymbol
    closeness: float


def with_all_words(
    parts: list[str], opened: OpenedRef, is_live: Callable[[VersionKey], bool]
) -> Iterator[SimilarSymbol]:
    """Symbols whose names hold all words asked for: `parse_header` finds `HTTPHeaderParser`.

    Words are stems. Those of a qualifier may be anywhere in the qualified name.
    """
    asked = _stems(parts[-1]) if parts else set[str]()
    around = {stem for part in parts[:-1] for stem in _stems(part)}
    if not asked:
        return
    condition = Every(tuple(Holds("name", stem) for stem in sorted(asked)))
    terms = [(stem, 1.0) for stem in sorted(asked)]
    hits = opened.lexical.search("name", terms, SUB_WORD_CHUNKS, is_live, condition)
    spans = [(hit.version_key, hit.line_start, hit.line_end) for hit in hits]
    for symbol in opened.snapshot.symbols_named_within(spans):
        own = _stems(symbol.name)
        if asked <= own and around <= _stems(symbol.qualified_name):
            yield SimilarSymbol(symbol, len(asked) / len(own))


def with_typing_error(
    parts: list[str], snapshot: "Snapshot", is_live: Callable[[VersionKey], bool]
) -> Iterator[SimilarSymbol]:
    """Symbols whose names are a typing error or two away: `Respnse` finds `Response`.

    Case and underscores do not count. Of a qualified name every part may have its errors.
    """
    asked = [fold_name(part) for part in parts]
    letters = sum(map(len, asked))
    near = _near_names(asked[-1], snapshot) if asked else []
    for symbols in snapshot.symbols_named(near).values():
        for symbol in symbols:
            edits = _edits_between(asked, symbol)
            if edits is not None and is_live(symbol.version_key):
                yield SimilarSymbol(symbol, 1 - edits / letters)


def _stems(name: str) -> set[str]:
    """The stems of a name's words, without that of the whole."""
    words = words_of(name.encode("utf-8", "replace"))
    return {stem for word in words for stem in part_terms_of_word(word)}


def _near_names(asked: str, snapshot: "Snapshot") -> list[str]:
    """The names of the store within the allowed edits, fewest edits first."""
    most = allowed_edits(asked)
    letters = set(asked)
    near: list[tuple[int, str]] = []
    for name in snapshot.folded_names(len(asked) - most, len(asked) + most):
        # An edit brings one new letter at most; this alone rules out nearly all.
        if len(letters.difference(name)) <= most:
            edits = edit_distance(asked, name, most)
            if edits is not None:
                near.append((edits, name))
    return [name for _, name in sorted(near)[:FUZZY_NAMES]]


def _edits_between(asked: list[str], symbol: StoredSymbol) -> int | None:
    own = [fold_name(part) for part in split_name(symbol.qualified_name)][-len(asked) :]
    if len(own) < len(asked):
        return None
    total = 0
    for part, other in zip(asked[:-1], own[:-1], strict=True):
        edits = edit_distance(part, other, allowed_edits(part))
        if edits is None:
            return None
        total += edits
    last = edit_distance(asked[-1], fold_name(symbol.name), allowed_edits(asked[-1]))
    return None if last is None else total + last
