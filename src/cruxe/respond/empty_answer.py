"""Why an answer of `search_code` is empty, and what to do about it."""

from typing import TYPE_CHECKING, Final

from cruxe.model.emptiness import Emptiness, EmptyReason
from cruxe.model.specs import SearchSpec
from cruxe.model.text_matches import AbsenceVerdict, CaseRule
from cruxe.respond.snippets import shorten
from cruxe.respond.text_answer import searched_block

if TYPE_CHECKING:
    from cruxe.contract.result_parts import EmptinessFields, SuggestedAction

# A longer query is not repeated in what is suggested: whoever sent it has it.
REPEATED_CHARACTERS: Final = 200
_NAME_CHARACTERS: Final = 40


def emptiness_answer(emptiness: Emptiness) -> "EmptinessFields":
    """The fields that only an empty answer has."""
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
    """A name as the caller gave it, which may be any text."""
    return shorten(name, _NAME_CHARACTERS).encode("utf-8", "replace").decode()


def next_actions_if_empty(
    emptiness: Emptiness, spec: SearchSpec, name: str
) -> "list[SuggestedAction]":
    """What to try next; `name` is what in the query is most likely a name, or empty."""
    locate: list[SuggestedAction] = [{"tool": "locate_symbol", "name": name}] if name else []
    match emptiness.reason:
        case EmptyReason.INDEXING:
            return [{"tool": "index_status"}]
        case EmptyReason.STALE:
            return [{"tool": "sync_repo"}]
        case EmptyReason.FILTERED_OUT | EmptyReason.LANGUAGE_NOT_PARSED:
            return [_search_code(spec.query)]
        case EmptyReason.NOT_PROVEN:
            return [_search_text(emptiness.literal)]
        case EmptyReason.CONFIRMED_ABSENT:
            return locate
        case EmptyReason.NO_MATCH:
            absence = emptiness.absence
            is_present = absence is not None and absence.verdict is AbsenceVerdict.PRESENT
            return [_search_text(emptiness.literal)] if is_present else locate


def _search_code(query: str) -> "SuggestedAction":
    if len(query) > REPEATED_CHARACTERS:
        return {"tool": "search_code"}
    return {"tool": "search_code", "query": query}


def _search_text(literal: str) -> "SuggestedAction":
    if len(literal) > REPEATED_CHARACTERS:
        return {"tool": "search_text"}
    return {"tool": "search_text", "pattern": literal}
