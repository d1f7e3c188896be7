"""Why an answer of `search_code` is empty, and what to do about it."""

from typing import Final

from cruxe.model.emptiness import Emptiness, EmptyReason
from cruxe.model.specs import SearchSpec
from cruxe.model.text_matches import AbsenceVerdict, CaseRule
from cruxe.respond.snippets import shorten
from cruxe.respond.text_answer import searched_block

Answer = dict[str, object]

# A longer query is not repeated in what is suggested: whoever sent it has it.
REPEATED_CHARACTERS: Final = 200
_NAME_CHARACTERS: Final = 40


def emptiness_answer(emptiness: Emptiness) -> Answer:
    """The fields that an empty answer has beside the usual ones."""
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
