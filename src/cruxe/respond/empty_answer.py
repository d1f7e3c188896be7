"""The fields and texts of an empty answer: why nothing was found, and what to try."""

from typing import TYPE_CHECKING, Final

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
from cruxe.respond.size_limits import shorten

if TYPE_CHECKING:
    from cruxe.contract.result_parts import (
        EmptinessFields,
        SearchedFiles,
        SuggestedAction,
        TextRemarks,
    )

# Suggested actions omit a longer query: the caller has it already.
REPEATED_CHARACTERS: Final = 200
_NAME_CHARACTERS: Final = 40


def emptiness_answer(emptiness: Emptiness) -> "EmptinessFields":
    """Return the additional fields of an empty `search_code` answer."""
    answer: EmptinessFields = {"empty_reason": emptiness.reason}
    if emptiness.filtered_out:
        answer["filtered_out"] = dict(emptiness.filtered_out)
    if emptiness.languages:
        answer["languages"] = [_sendable(each) for each in emptiness.languages]
    if emptiness.absence is not None:
        answer["case"] = CaseRule.INSENSITIVE
        answer["searched"] = searched_block(emptiness.absence.searched)
    return answer


def _sendable(name: str) -> str:
    """Shorten a name from the request and make it valid UTF-8."""
    return shorten(name, _NAME_CHARACTERS).encode("utf-8", "replace").decode()


def empty_text_answer(outcome: TextOutcome, spec: TextSpec) -> "TextRemarks":
    """Return the additional fields of an empty `search_text` answer."""
    if outcome.filtered_out:
        return {"empty_reason": EmptyReason.FILTERED_OUT, "filtered_out": outcome.filtered_out}
    if not outcome.is_complete:
        return {"empty_reason": EmptyReason.NOT_PROVEN}
    return {"empty_reason": EmptyReason.NO_MATCH if spec.is_regex else EmptyReason.CONFIRMED_ABSENT}


def searched_block(searched: Searched) -> "SearchedFiles":
    """Return what a search covered."""
    if not searched.changed_files:
        return {"files": searched.files, "skipped": searched.skipped}
    return {
        "files": searched.files,
        "changed_files": searched.changed_files,
        "skipped": searched.skipped,
    }


def suggested_action_if_empty(query: str, intent: QueryIntent) -> str:
    """Return the `suggested_action` of `search_code` for an empty answer."""
    if intent is QueryIntent.SYMBOL:
        return f"Try search_code with broader query: '{query}'"
    if intent is QueryIntent.PATH:
        return "Check file path spelling or try search_code with filename"
    return "No results found. Try broader search terms or check index status."


def next_actions_if_empty(
    emptiness: Emptiness, spec: SearchSpec, name: str
) -> "list[SuggestedAction]":
    """Return what to try next; `name` is one in the query that has a definition, or empty."""
    locate: list[SuggestedAction] = [{"tool": "locate_symbol", "name": name}] if name else []
    if name == spec.query.strip():  # its definition would have been found
        locate = []
    match emptiness.reason:
        case EmptyReason.INDEXING | EmptyReason.NOT_INDEXED:
            return [{"tool": "index_status"}]
        case EmptyReason.STALE:
            return [{"tool": "sync_repo"}]
        case EmptyReason.FILTERED_OUT | EmptyReason.LANGUAGE_NOT_PARSED:
            return [search_code_action(spec.query)]
        case EmptyReason.NOT_PROVEN:
            return [search_text_action(emptiness.literal)]
        case EmptyReason.CONFIRMED_ABSENT:
            return []
        case EmptyReason.NO_MATCH:
            absence = emptiness.absence
            is_present = absence is not None and absence.verdict is AbsenceVerdict.PRESENT
            return [search_text_action(emptiness.literal)] if is_present else locate


def search_code_action(query: str) -> "SuggestedAction":
    """Suggest a search without filters."""
    if len(query) > REPEATED_CHARACTERS:
        return {"tool": "search_code"}
    return {"tool": "search_code", "query": query}


def search_text_action(literal: str) -> "SuggestedAction":
    """Suggest to look for a text in any case."""
    if len(literal) > REPEATED_CHARACTERS:
        return {"tool": "search_text"}
    action: SuggestedAction = {"tool": "search_text", "pattern": literal}
    if literal != literal.lower():  # by itself a capital means that case counts
        action["case"] = CaseRule.INSENSITIVE
    return action
