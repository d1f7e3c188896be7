"""Ranks for a pasted text: gathers what it says, and hands that to the ranking."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.intent import QueryReading
from cruxe.model.specs import SearchSpec
from cruxe.query.rank.pasted import PastedQuery, search_pasted
from cruxe.query.rank.policy import PASTED_KEY_TERMS
from cruxe.query.rank.scoring import Budgets
from cruxe.query.retrieve.dense import plan_semantics
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.retrieve.pasted_evidence import (
    PastedEvidence,
    defining_files,
    framed_files,
    literal_places,
    named_files,
    telling_terms,
)
from cruxe.query.understand.analysis import QueryAnalysis, analyse_part, zone_weights
from cruxe.query.understand.intent_classifier import classify_intent

if TYPE_CHECKING:
    from cruxe.config.settings import Settings
    from cruxe.query.rank.ranking import Ranking
    from cruxe.query.select.verify import TextSource
    from cruxe.query.understand.pasted_text import PastedText

_MOST_PART_CHARACTERS: Final = 1_500


class Asked(NamedTuple):
    """A query, understood, and what it is asked of."""

    spec: SearchSpec
    analysis: QueryAnalysis
    reading: QueryReading
    settings: "Settings"
    repository_name: str
    opened: OpenedRef


def rank_pasted(
    question: Asked, pasted: "PastedText", texts: "TextSource", budgets: Budgets
) -> "Ranking":
    """Search for a pasted text."""
    query = pasted_query(question, pasted, texts)
    return search_pasted(query, question.spec, question.opened, budgets)


def pasted_query(question: Asked, pasted: "PastedText", texts: "TextSource") -> PastedQuery:
    """Gather what a text says of the ref: telling terms, parts, evidence."""
    opened, name = question.opened, question.repository_name
    terms = telling_terms(zone_weights(pasted, name), opened)
    key_terms = analyse_part(pasted.title, name)._replace(terms=terms[:PASTED_KEY_TERMS])
    title = question.spec._replace(query=pasted.title)
    reading = classify_intent(pasted.title, question.settings.search.intent)
    return PastedQuery(
        whole=question.analysis._replace(terms=terms),
        parts={**_parts(pasted, name), "terms": key_terms},
        evidence=PastedEvidence(
            definitions=defining_files(pasted, opened),
            literals=literal_places(pasted, opened, texts),
            paths=named_files(pasted, opened),
            frames=framed_files(pasted, opened),
            recent=texts.recent_changes(),
        ),
        plan=plan_semantics(question.settings, title, reading, opened),
    )


def _parts(pasted: "PastedText", name: str) -> dict[str, QueryAnalysis]:
    """The parts that are asked like questions of their own; empty ones are left out."""
    texts = {
        "title": pasted.title,
        "names": " ".join(pasted.names),
        "code": pasted.code,
        "error": pasted.error,
    }
    parts = {part: analyse_part(text[:_MOST_PART_CHARACTERS], name) for part, text in texts.items()}
    return {part: each for part, each in parts.items() if each.terms}
