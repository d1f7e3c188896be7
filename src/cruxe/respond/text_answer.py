"""The answer of `search_text`: the matching lines, one by one or by file."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cruxe.model.levels import ResultCompleteness
from cruxe.model.outcomes import FileMatches, LineContext, TextOutcome, TextSpec
from cruxe.respond.empty_answer import empty_text_answer, searched_block
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import fit_results, size_of

if TYPE_CHECKING:
    from cruxe.contract.result_parts import SuggestedAction, TextMatch, TextRemarks
    from cruxe.contract.results import FoundText, SearchTextLines, SearchTextResult

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
    results = _results(outcome.matches)
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


def answer_by_file(
    outcome: TextOutcome, spec: TextSpec, metadata: Metadata, cursor_at: Callable[[int], str]
) -> "SearchTextLines":
    """Return the answer with all lines of the page by file, without flags."""
    shown = sum(len(file.numbers) for file in outcome.matches)
    return {
        "files": [file._replace(texts=_cut_texts(file)) for file in outcome.matches],
        **_found(outcome, spec, metadata, cursor_at, shown),
    }


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
    return {"results": results, **_found(outcome, spec, metadata, cursor_at, len(results))}


def _found(
    outcome: TextOutcome,
    spec: TextSpec,
    metadata: Metadata,
    cursor_at: Callable[[int], str],
    shown: int,
) -> "FoundText":
    following = spec.offset + shown
    remarks: TextRemarks = {} if outcome.total else empty_text_answer(outcome, spec)
    if following < outcome.total:
        remarks["next_cursor"] = cursor_at(following)
        metadata = metadata.cut()
    if not outcome.is_complete:
        metadata = metadata._replace(result_completeness=ResultCompleteness.PARTIAL)
    if outcome.filtered_out:
        remarks["suggested_next_actions"] = [_without_filters(spec)]
    return {
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


def _results(files: list[FileMatches]) -> "list[TextMatch]":
    results: list[TextMatch] = []
    for file in files:
        results += _bare_results(file)
    if any(file.context for file in files):
        contexts = [each for file in files for each in file.context or ()]
        for result, context in zip(results, contexts, strict=True):
            _add_context(result, context)
        return results
    from cruxe.safety.injection_flags import flagged_lines

    for index, flags in flagged_lines([each["text"] for each in results]).items():
        results[index]["flags"] = sorted({each.value for each in flags})
    return results


def _bare_results(file: FileMatches) -> "list[TextMatch]":
    path, lines = file.path, zip(file.numbers, file.columns, _cut_texts(file), strict=True)
    return [
        {"path": path, "line": number, "column": column, "text": text}
        for number, column, text in lines
    ]


def _cut_texts(file: FileMatches) -> list[str]:
    if max(map(len, file.texts), default=0) <= _MAX_LINE_CHARACTERS:
        return file.texts
    return [_around(*each) for each in zip(file.texts, file.columns, strict=True)]


def _add_context(result: "TextMatch", context: LineContext) -> None:
    from cruxe.safety.injection_flags import flag_addressed

    shown = "\n".join((*context.before, result["text"], *context.after))
    if flags := flag_addressed(shown):
        result["flags"] = sorted({each.flag.value for each in flags})
    if context.before:
        result["before"] = [_around(line, 1) for line in context.before]
    if context.after:
        result["after"] = [_around(line, 1) for line in context.after]


def _around(line: str, column: int) -> str:
    """Return a line cut to the maximum length, around the match."""
    if len(line) <= _MAX_LINE_CHARACTERS:
        return line
    most = len(line) - _MAX_LINE_CHARACTERS
    start = max(0, min(column - 1 - _BEFORE_MATCH_CHARACTERS, most))
    end = start + _MAX_LINE_CHARACTERS
    return (_ELLIPSIS if start else "") + line[start:end] + (_ELLIPSIS if end < len(line) else "")
