"""The text form of answers, for agents: dense, stable, made from the results of the contract.

`docs/TEXT.md` describes it. A result is a line, code stands as it is in the file, and one
closing line says how far to trust the answer and how to go on.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Final

from cruxe.respond.text_form.closing_line import closing_line, warnings_line
from cruxe.respond.text_form.report_lines import report_lines
from cruxe.respond.text_form.result_lines import (
    explained_lines,
    located_lines,
    match_lines,
    outline_lines,
    search_lines,
    source_lines,
)
from cruxe.respond.text_form.wording import Wording

if TYPE_CHECKING:
    from cruxe.contract.results import ErrorEnvelope

# By tool. A tool that is not here reports on the index.
_LINES: Final[Mapping[str, Callable[..., Iterator[str]]]] = {
    "search_code": search_lines,
    "locate_symbol": located_lines,
    "read_symbol": source_lines,
    "get_file_outline": outline_lines,
    "search_text": match_lines,
    "explain_ranking": explained_lines,
}


def text_form(tool: str, answer: Mapping[str, object], wording: Wording) -> str:
    """Return the answer of a tool as text, without a final line feed."""
    is_provisional = "workspace" in answer and "message" in answer  # an `IndexingResult`
    lines = iter(()) if is_provisional else _writer_of(tool)(answer)
    closing = closing_line(answer, wording, is_report=tool not in _LINES)
    return _joined(chain(lines, closing))


def _writer_of(tool: str) -> Callable[..., Iterator[str]]:
    return _LINES.get(tool, report_lines)


def error_text(envelope: "ErrorEnvelope") -> str:
    """Return an error as text: its code, what happened, what to do."""
    error = envelope["error"]
    remedy = error["data"].get("remediation")
    lines = [f"error {error['code']}: {error['message']}"]
    if remedy:
        lines.append(str(remedy))
    return _joined(chain(lines, warnings_line({**envelope["metadata"]})))


def _joined(lines: Iterator[str]) -> str:
    r"""Join lines; lone surrogates are escaped as in JSON, such as `\udcff`."""
    return "\n".join(lines).encode("utf-8", "backslashreplace").decode()
