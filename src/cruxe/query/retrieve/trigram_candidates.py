"""The files that may hold a text, by its words or trigrams; the text itself decides."""

from typing import Final

from cruxe.model.identity import VersionKey
from cruxe.model.outcomes import TextSpec
from cruxe.model.stored import TextVersion
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.store.conditions import Every, Holds
from cruxe.text.identifiers import terms_of_text
from cruxe.text.required_literals import required_literals
from cruxe.text.trigrams import literal_trigrams

# More tell no more: each file that holds these has nearly always the rest.
_MAX_TRIGRAMS: Final = 48
# Chunks that have the words of a literal; if there are more, trigrams tell better.
_MOST_SAYING: Final = 200
# To read so many files costs less than to compare the trigrams of all.
_FEW_VERSIONS: Final = 12


def candidates(spec: TextSpec, opened: OpenedRef) -> list[TextVersion]:
    """The indexed files of a ref that may match, by path; no other matches."""
    live = opened.snapshot.live_keys(opened.ref_id)
    required = required_literals(spec.pattern) if spec.is_regex else [[spec.pattern]]
    trigrams = [_trigrams(literals) for literals in required]
    if not all(trigrams):
        return opened.snapshot.text_versions(live)
    found = opened.snapshot.versions_with_trigrams(trigrams)
    return opened.snapshot.text_versions(found & live)


def versions_holding(literal: str, opened: OpenedRef) -> frozenset[VersionKey]:
    """The versions of a ref that may hold a literal in any case; none if it is too short.

    Of several words each must stand in the text, in any form of it: few sentences stand anywhere,
    and trigrams, which tell that late, are compared only if many files have the words.
    """
    saying = _versions_saying(literal, opened)
    if saying is not None and len(saying) <= _FEW_VERSIONS:
        return saying
    trigrams = _trigrams([literal])
    if not trigrams:
        return frozenset()
    found = opened.snapshot.versions_with_trigrams([trigrams])
    return (opened.snapshot.live_keys(opened.ref_id) if saying is None else saying) & found


def _versions_saying(literal: str, opened: OpenedRef) -> frozenset[VersionKey] | None:
    """The versions with a chunk that has all words of a literal; None if that tells little."""
    terms = sorted({*terms_of_text(literal).split()})
    if len(literal.split()) == 1 or not terms or "\n" in literal:
        return None
    condition = Every(tuple(Holds("text", term) for term in terms))
    weighted = [(term, 1.0) for term in terms]
    hits = opened.lexical.search("text", weighted, _MOST_SAYING, opened.is_live, condition)
    return frozenset(hit.version_key for hit in hits) if len(hits) < _MOST_SAYING else None


def _trigrams(literals: list[str]) -> list[int]:
    """Some trigrams of all the literals, in rising order."""
    codes = {code for each in literals for code in literal_trigrams(each, _MAX_TRIGRAMS)}
    return sorted(codes)[:_MAX_TRIGRAMS]
