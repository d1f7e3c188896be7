"""Why a search found nothing: the first reason that holds, proven if possible."""

from collections.abc import Callable
from typing import Final

from cruxe.model.outcomes import Absence, AbsenceVerdict, Emptiness, EmptyReason
from cruxe.model.specs import NO_FILTERS, Filters, SearchSpec
from cruxe.query.select.gather import Gathered
from cruxe.query.select.question import Question
from cruxe.query.understand.analysis import MAX_QUERY_CHARACTERS
from cruxe.query.understand.operators import Phrase

Prover = Callable[[str], Absence]

_REASONS: Final = {
    AbsenceVerdict.CONFIRMED_ABSENT: EmptyReason.CONFIRMED_ABSENT,
    AbsenceVerdict.NOT_PROVEN: EmptyReason.NOT_PROVEN,
    AbsenceVerdict.PRESENT: EmptyReason.NO_MATCH,
}


def find_reason(
    question: Question, gathered: Gathered, prove: Prover, *, is_fresh: bool
) -> Emptiness:
    """Find out why there is nothing; `prove` searches every file of the ref for a text.

    A text that a stale index does not know may be in a changed file, and then that is the reason.
    The proof reads changed files, so that it holds for a stale index too.
    """
    if gathered.dropped:
        return Emptiness(EmptyReason.STALE)
    if languages := _not_parsed(question):
        return Emptiness(EmptyReason.LANGUAGE_NOT_PARSED, languages=languages)
    if filtered_out := _filtered_out(question):
        return Emptiness(EmptyReason.FILTERED_OUT, filtered_out=filtered_out)
    literal = one_literal(question)
    if literal is not None:
        return _proven(question, literal, prove, is_fresh=is_fresh)
    return Emptiness(EmptyReason.NO_MATCH if is_fresh else EmptyReason.STALE)


def one_literal(question: Question) -> str | None:
    """Return the one word or quoted phrase that a query consists of, or None."""
    query = question.spec.query.strip()
    expression = question.analysis.expression
    if len(query) > MAX_QUERY_CHARACTERS:
        return None
    if expression is None:
        return query if len(query.split()) == 1 else None
    demand = expression.demand
    return demand.text if isinstance(demand, Phrase) and not expression.optional else None


def _proven(question: Question, literal: str, prove: Prover, *, is_fresh: bool) -> Emptiness:
    absence = prove(literal)
    if absence.verdict is AbsenceVerdict.PRESENT and not is_fresh:
        return Emptiness(EmptyReason.STALE, literal=literal)
    if _is_in_a_path(question, literal):
        return Emptiness(EmptyReason.NO_MATCH, literal=literal)
    return Emptiness(_REASONS[absence.verdict], literal=literal, absence=absence)


def _not_parsed(question: Question) -> tuple[str, ...]:
    """The languages that are parsed less than the request needs; empty if it is not that."""
    spec = question.spec
    if not spec.filters.on_symbols:
        return ()
    of_any_symbol = question.rank_unchecked(spec._replace(filters=spec.filters.on_files)).regions
    languages = sorted({region.language for region in of_any_symbol})
    return () if any(map(has_symbols, languages)) else tuple(languages)


def has_symbols(language: str) -> bool:
    """Whether definitions are parsed in a language."""
    from cruxe.parse.capabilities import list_capabilities

    return any(each.symbols for each in list_capabilities() if each.language == language)


def _filtered_out(question: Question) -> dict[str, int]:
    """How many candidates each filter alone removes; without those that remove none."""
    spec = question.spec

    def count(filters: Filters) -> int:
        asked = SearchSpec(query=spec.query, filters=filters)
        return len(question.rank_unchecked(asked).regions)

    total = count(NO_FILTERS) if spec.filters else 0
    left = {name: count(each) for name, each in spec.filters.alone.items()}
    return {name: total - count for name, count in left.items() if count < total}


def _is_in_a_path(question: Question, literal: str) -> bool:
    opened, folded = question.opened, literal.casefold()
    paths = opened.snapshot.paths_by_key(opened.ref_id).values()
    return any(folded in path.casefold() for path in paths)
