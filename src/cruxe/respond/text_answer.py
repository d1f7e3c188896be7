"""The answer of `search_text`: the matching lines."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from cruxe.model.levels import ResultCompleteness
from cruxe.model.outcomes import LineMatch, TextOutcome, TextSpec
from cruxe.respond.empty_answer import empty_text_answer, searched_block
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import fit_results, size_of
from cruxe.safety.injection_flags import flag_addressed, flagged_lines

if TYPE_CHECKING:
    from cruxe.contract.result_parts import SuggestedAction, TextMatch, TextRemarks
    from cruxe.contract.results import SearchTextResult

_MAX_LINE_CHARACTERS: Final = 300
_BEFORE_MATCH_CHARACTERS: Final = 60
_ELLIPSIS: Final = "…"


def fitted_answer(
    outcome: TextOutcome,
    spec: TextSpec,
    metadata: Metadata,
    cursor_at: Callable[[int], str],
    max_bytes: int | None,
) -> "SearchTextResult":
    """Return the answer within its size limit, with a cursor to the first line not in it."""
    results = list(_results(outcome.matches))
    whole = _answer(outcome, spec, metadata, cursor_at, results)
    if max_bytes is None or size_of(whole) <= max_bytes:
        return whole
    # The cursor of a larger offset is never shorter.
    frame = _marked_as_cut(
        _answer(outcome, spec, metadata, cursor_at, []), cursor_at(outcome.total)
    )
    kept = fit_results(results, max_bytes - size_of(frame)).results
    following = cursor_at(spec.offset + len(kept))
    return _marked_as_cut(_answer(outcome, spec, metadata, cursor_at, kept), following)


def _marked_as_cut(answer: "SearchTextResult", following: str) -> "SearchTextResult":
    answer["metadata"]["safety_limit_applied"] = True
    answer["suggested_next_actions"] = [{"tool": "search_text", "cursor": following}]
    return answer


def _answer(
    outcome: TextOutcome,
    spec: TextSpec,
    metadata: Metadata,
    cursor_at: Callable[[int], str],
    results: "list[TextMatch]",
) -> "SearchTextResult":
    following = spec.offset + len(results)
    remarks: TextRemarks = {} if outcome.total else empty_text_answer(outcome, spec)
    if following < outcome.total:
        remarks["next_cursor"] = cursor_at(following)
        metadata = metadata.cut()
    if not outcome.is_complete:
        metadata = metadata._replace(result_completeness=ResultCompleteness.PARTIAL)
    if outcome.filtered_out:
        remarks["suggested_next_actions"] = [_without_filters(spec)]
    return {
        "results": results,
        "total_matches": outcome.total,
        "total_files": outcome.file_count,
        "case": outcome.case,
        "searched": searched_block(outcome.searched),
        **remarks,
        "metadata": metadata.to_mapping(),
    }


def _without_filters(spec: TextSpec) -> "SuggestedAction":
    action: SuggestedAction = {"tool": "search_text", "regex": spec.is_regex}
    if len(spec.pattern) <= _MAX_LINE_CHARACTERS:
        action["pattern"] = spec.pattern
    return action


def _results(matches: list[LineMatch]) -> "Iterator[TextMatch]":
    most = _MAX_LINE_CHARACTERS
    texts = [
        each.text if len(each.text) <= most else _around(each.text, each.column - 1)
        for each in matches
    ]
    has_context = any(match.before or match.after for match in matches)
    flags = {} if has_context else flagged_lines(texts)
    for index, (match, text) in enumerate(zip(matches, texts, strict=True)):
        result: TextMatch = {
            "path": match.path,
            "line": match.line,
            "column": match.column,
            "text": text,
        }
        if has_context:
            _add_context(result, match)
        elif index in flags:
            result["flags"] = sorted({each.value for each in flags[index]})
        yield result


def _add_context(result: "TextMatch", match: LineMatch) -> None:
    shown = "\n".join((*match.before, result["text"], *match.after))
    if flags := flag_addressed(shown):
        result["flags"] = sorted({each.flag.value for each in flags})
    if match.before:
        result["before"] = [_around(line, 0) for line in match.before]
    if match.after:
        result["after"] = [_around(line, 0) for line in match.after]


def _around(line: str, place: int) -> str:
    """Return a line cut to the maximum length, around the match."""
    if len(line) <= _MAX_LINE_CHARACTERS:
        return line
    start = max(0, min(place - _BEFORE_MATCH_CHARACTERS, len(line) - _MAX_LINE_CHARACTERS))
    end = start + _MAX_LINE_CHARACTERS
    return (_ELLIPSIS if start else "") + line[start:end] + (_ELLIPSIS if end < len(line) else "")
