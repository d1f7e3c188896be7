"""The closing line of the text form: how far to trust the answer, what was cut, how to go on.

It is built from the answer's metadata and remarks by name, so a field that a tool adds to a table
here is told for every tool. An answer that is fresh, complete and sure has no closing line.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from cruxe.respond.text_form.notation import flat, has_fields, has_parts
from cruxe.respond.text_form.wording import Wording

_MARK: Final = "-- "
# The states of an answer that need no word.
_USUAL: Final = {
    "freshness_status": "fresh",
    "indexing_status": "ready",
    "schema_status": "compatible",
    "result_completeness": "complete",
}
# This says nothing more if a result names the copies that it stands for.
_COPIES: Final = "suppressed_duplicate_count"
# Fields that are told by name and value wherever they say something, in this order. They may be in
# the metadata or beside it.
_TOLD: Final = (
    "unknown_terms",
    "relaxed_demands",
    "semantic_fallback",
    "rerank_fallback",
    "pending_changes",
    "dropped_stale",
    _COPIES,
    "answered_from",
    "scanned",
    "match",
    "passed_over",
    "total_passed_over",
    "flags",
    "omitted",
    "omitted_lines",
    "message",
    "empty_reason",
    "skip_reason",
    "filtered_out",
    "languages",
    "case",
    "searched",
    "warnings",
)
# These say something of an empty answer only.
_OF_EMPTY: Final = frozenset({"case", "searched"})
# A name that was found as it was asked for.
_AS_ASKED: Final = frozenset({"exact", "qualified"})
_TOTALS: Final = ("total_matches", "total_candidates")


def closing_line(
    answer: Mapping[str, object], wording: Wording, *, is_report: bool
) -> Iterator[str]:
    """Yield the closing line, or nothing if there is nothing to say.

    The lines of a report have all its fields, so that only its metadata is told.
    """
    block = answer.get("metadata")
    metadata: Mapping[str, object] = block if has_fields(block) else {}
    parts = [
        *_states(metadata),
        *_confidence(metadata, wording),
        *_remarks(metadata if is_report else {**answer, **metadata}),
        *_rest(answer, wording),
        *_next_steps(answer, metadata, wording),
    ]
    if parts:
        yield _MARK + "; ".join(parts)


def warnings_line(metadata: Mapping[str, object]) -> Iterator[str]:
    """Yield the closing line of an error: only the warnings about the configuration."""
    if "warnings" in metadata:
        yield f"{_MARK}warnings: {flat(metadata['warnings'])}"


def _states(metadata: Mapping[str, object]) -> Iterator[str]:
    found = (str(metadata.get(name, usual)) for name, usual in _USUAL.items())
    unusual = (state for state, usual in zip(found, _USUAL.values(), strict=True) if state != usual)
    return iter(dict.fromkeys(unusual))


def _confidence(metadata: Mapping[str, object], wording: Wording) -> Iterator[str]:
    if metadata.get("low_confidence"):
        action = str(metadata.get("suggested_action") or "")
        is_vain = action.startswith("Try ") and _names_unknown(action, metadata)
        is_told = action and not is_vain
        yield f"low_confidence: {wording.sentence(action)}" if is_told else "low_confidence"


def _names_unknown(action: str, metadata: Mapping[str, object]) -> bool:
    """Return whether it would be to ask for a name that occurs nowhere, which is told anyway."""
    unknown = metadata.get("unknown_terms")
    return has_parts(unknown) and any(str(each) in action for each in unknown)


def _remarks(fields: Mapping[str, object]) -> Iterator[str]:
    needless = {_COPIES} if _names_copies(fields.get("results")) else set[str]()
    if "empty_reason" not in fields:
        needless |= _OF_EMPTY
    for name in _TOLD:
        value = fields.get(name)
        is_usual = isinstance(value, str) and value in _AS_ASKED
        if not value or is_usual or name in needless:
            continue
        yield name if value is True else f"{name}: {flat(value)}"


def _names_copies(results: object) -> bool:
    return has_parts(results) and any("also_at" in each for each in filter(has_fields, results))


def _rest(answer: Mapping[str, object], wording: Wording) -> Iterator[str]:
    """Yield how many results there are beside those shown, and how to get them."""
    results, cursor = answer.get("results"), answer.get("next_cursor")
    total = next((answer[name] for name in _TOTALS if name in answer), None)
    if not has_parts(results) or not isinstance(total, int):
        return
    if cursor is not None or 0 < len(results) < total:
        yield f"{len(results)} of {total}"
    if cursor is not None:
        yield f"more: {wording.argument('cursor', cursor)}"


def _next_steps(
    answer: Mapping[str, object], metadata: Mapping[str, object], wording: Wording
) -> Iterator[str]:
    """Yield what to try next, unless the answer is whole: then it is up to the reader."""
    actions = answer.get("suggested_next_actions")
    if not has_parts(actions):
        return
    has_all = bool(answer.get("results")) and not metadata.get("safety_limit_applied")
    told = [] if has_all else list(filter(has_fields, actions))
    calls = [wording.call(each) for each in told if not _is_next_page(each, answer)]
    if calls:
        yield f"next: {' | '.join(calls)}"


def _is_next_page(action: Mapping[str, object], answer: Mapping[str, object]) -> bool:
    return "cursor" in action and action["cursor"] == answer.get("next_cursor")
