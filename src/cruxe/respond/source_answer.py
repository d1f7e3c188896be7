"""The answer of `read_symbol`: as many whole lines of source as the budget allows."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.outcomes import Budget, Reading
from cruxe.respond.metadata import Metadata
from cruxe.respond.search_answer import location_of
from cruxe.respond.size_limits import omit_empty, size_of
from cruxe.safety.injection_flags import flag_addressed
from cruxe.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from cruxe.contract.result_parts import SourceRemarks, SymbolSource
    from cruxe.contract.results import ReadSymbolResult

_ELLIPSIS: Final = "…"
# Reserved for the remarks on a cut, flags and the next action, apart from the path.
_REMARK_BYTES: Final = 400
_NO_PARENT_BYTES: Final = len(',"parent":null')
_MAX_DOC_CHARACTERS: Final = 2_000
_MAX_PASSED_OVER: Final = 5
_MAX_SIGNATURE_CHARACTERS: Final = 1_000


class _Cut(NamedTuple):
    source: str
    omitted_lines: int
    is_cut: bool


def source_answer(reading: Reading, budget: Budget, metadata: Metadata) -> "ReadSymbolResult":
    """Return the answer; omitted lines are counted and the next action reads them."""
    source = _described(reading)
    cut = _cut(reading.lines, budget, budget.max_answer_bytes - _frame_bytes(source, metadata))
    source["flags"] = _flags(reading, cut.source)
    return {
        **omit_empty(source),
        "source": cut.source,
        **_remarks(reading, cut),
        "metadata": (metadata.cut() if cut.is_cut else metadata).to_mapping(),
    }


def _frame_bytes(source: "SymbolSource", metadata: Metadata) -> int:
    """Return the bytes of an answer without its source, with a reserve for remarks."""
    has_no_parent = "kind" in source and "parent" not in source
    frame_bytes = size_of({**source, "metadata": metadata.to_mapping()})
    return frame_bytes + has_no_parent * _NO_PARENT_BYTES + _REMARK_BYTES


def _remarks(reading: Reading, cut: _Cut) -> "SourceRemarks":
    """Return the remarks on omitted lines."""
    if not cut.is_cut:
        return {}
    remarks: SourceRemarks = {"truncated": True, "omitted_lines": cut.omitted_lines}
    if cut.omitted_lines:
        first = reading.line_end - cut.omitted_lines + 1
        rest = f"{reading.path}:{first}-{reading.line_end}"
        remarks["suggested_next_actions"] = [{"tool": "read_symbol", "symbol": rest}]
    return remarks


def _flags(reading: Reading, source: str) -> list[str]:
    """Flag text in the answer that addresses the reading agent."""
    symbol = reading.symbol
    said = () if symbol is None else (symbol.qualified_name, symbol.signature, symbol.doc)
    others = reading.passed_over[:_MAX_PASSED_OVER]
    return sorted({each.flag.value for each in flag_addressed("\n".join((*said, *others, source)))})


def _described(reading: Reading) -> "SymbolSource":
    source: SymbolSource = {
        "path": reading.path,
        "line_start": reading.line_start,
        "line_end": reading.line_end,
        "language": reading.language,
    }
    symbol = reading.symbol
    if symbol is None:
        if reading.parent is not None:
            source["parent"] = location_of(reading.parent)
        return source
    source["kind"] = symbol.kind
    source["name"] = symbol.name
    source["qualified_name"] = symbol.qualified_name
    source["symbol_id"] = reading.symbol_id
    source["symbol_stable_id"] = symbol.stable_id
    source["signature"] = symbol.signature[:_MAX_SIGNATURE_CHARACTERS]
    source["visibility"] = symbol.visibility
    source["doc"] = symbol.doc[:_MAX_DOC_CHARACTERS]
    if reading.parent is not None:
        source["parent"] = location_of(reading.parent)
    source["match"] = reading.match
    source["passed_over"] = [*reading.passed_over[:_MAX_PASSED_OVER]]
    if len(reading.passed_over) > _MAX_PASSED_OVER:
        source["total_passed_over"] = len(reading.passed_over)
    return source


def _cut(lines: list[str], budget: Budget, room: int) -> _Cut:
    """Return the first lines that fit; a first line that is too long is cut."""
    tokens, left, sent = budget.max_tokens, budget.max_bytes, room
    for number, line in enumerate(lines):
        tokens -= estimate_tokens(f"{line}\n")
        left -= len(line.encode()) + 1
        sent -= size_of(line)
        if min(tokens, left, sent) >= 0:
            continue
        if number:
            return _Cut("\n".join(lines[:number]), len(lines) - number, is_cut=True)
        # A token has at least one character. A character takes at most six bytes in JSON.
        characters = min(budget.max_tokens, budget.max_bytes // 4, room // 6)
        return _Cut(line[: max(1, characters)] + _ELLIPSIS, len(lines) - 1, is_cut=True)
    return _Cut("\n".join(lines), 0, is_cut=False)
