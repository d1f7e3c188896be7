"""The texts and fields of an empty answer: why nothing was found, and what to try."""

from typing import Final

from cruxe.model.intent import QueryIntent
from cruxe.model.outcomes import (
    AbsenceVerdict,
    CaseRule,
    Emptiness,
    EmptyReason,
    Searched,
    TextOutcome,
    TextSpec,
)
from cruxe.model.specs import SearchSpec
from cruxe.respond.snippets import shorten

Answer = dict[str, object]

# A longer query is not repeated in what is suggested: whoever sent it has it.
REPEATED_CHARACTERS: Final = 200
_NAME_CHARACTERS: Final = 40


def emptiness_answer(emptiness: Emptiness) -> Answer:
    """Return the fields that an empty answer of `search_code` has beside the usual ones."""
    answer: Answer = {"empty_reason": emptiness.reason.value}
    if emptiness.filtered_out:
        answer["filtered_out"] = dict(emptiness.filtered_out)
    if emptiness.languages:
        answer["languages"] = [_sendable(each) for each in emptiness.languages]
    if emptiness.absence is not None:
        answer["case"] = CaseRule.INSENSITIVE.value
        answer["searched"] = searched_block(emptiness.absence.searched)
    return answer


def _sendable(name: str) -> str:
    """A name as the caller gave it, which may be any text."""
    return shorten(name, _NAME_CHARACTERS).encode("utf-8", "replace").decode()


def empty_text_answer(outcome: TextOutcome, spec: TextSpec) -> Answer:
    """Return the same fields for an empty answer of `search_text`."""
    if outcome.filtered_out:
        return {"empty_reason": "filtered_out", "filtered_out": outcome.filtered_out}
    if not outcome.is_complete:
        return {"empty_reason": "not_proven"}
    return {"empty_reason": "no_match" if spec.is_regex else "confirmed_absent"}


def searched_block(searched: Searched) -> Answer:
    """Return what a search covered."""
    said: Answer = {"files": searched.files}
    if searched.changed_files:
        said["changed_files"] = searched.changed_files
    said["skipped"] = searched.skipped
    return said


def suggested_action_if_empty(query: str, intent: QueryIntent) -> str:
    """Return what `search_code` suggests in words when nothing was found."""
    if intent is QueryIntent.SYMBOL:
        return f"Try search_code with broader query: '{query}'"
    if intent is QueryIntent.PATH:
        return "Check file path spelling or try search_code with filename"
    return "No results found. Try broader search terms or check index status."


def next_actions_if_empty(emptiness: Emptiness, spec: SearchSpec, name: str) -> list[Answer]:
    """What to try; `name` is what in the query is likeliest a name, empty where nothing is."""
    query: Answer = {"query": spec.query} if len(spec.query) <= REPEATED_CHARACTERS else {}
    locate: list[Answer] = [{"tool": "locate_symbol", "name": name}] if name else []
    match emptiness.reason:
        case EmptyReason.STALE:
            return [{"tool": "sync_repo"}]
        case EmptyReason.FILTERED_OUT | EmptyReason.LANGUAGE_NOT_PARSED:
            return [{"tool": "search_code", **query}]
        case EmptyReason.NOT_PROVEN:
            return [_search_text(emptiness.literal)]
        case EmptyReason.CONFIRMED_ABSENT:
            return locate
        case EmptyReason.NO_MATCH:
            absence = emptiness.absence
            is_present = absence is not None and absence.verdict is AbsenceVerdict.PRESENT
            return [_search_text(emptiness.literal)] if is_present else locate


def _search_text(literal: str) -> Answer:
    pattern: Answer = {"pattern": literal} if len(literal) <= REPEATED_CHARACTERS else {}
    return {"tool": "search_text", **pattern}
