"""The files that may hold a text, by its trigrams; the text itself decides."""

from typing import Final

from cruxe.model.identity import VersionKey
from cruxe.model.outcomes import TextSpec
from cruxe.model.stored import TextVersion
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.text.required_literals import required_literals
from cruxe.text.trigrams import literal_trigrams

# More tell no more: each file that holds these has nearly always the rest.
_MAX_TRIGRAMS: Final = 48


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
    """The versions of a ref that may hold a literal in any case; none if it is too short."""
    trigrams = _trigrams([literal])
    if not trigrams:
        return frozenset()
    return opened.snapshot.live_keys(opened.ref_id) & opened.snapshot.versions_with_trigrams(
        [trigrams]
    )


def _trigrams(literals: list[str]) -> list[int]:
    """Some trigrams of all the literals, in rising order."""
    codes = {code for each in literals for code in literal_trigrams(each, _MAX_TRIGRAMS)}
    return sorted(codes)[:_MAX_TRIGRAMS]
