"""Source as the answer of `read_symbol`: whole lines, as many as the budget holds."""

from typing import Final, NamedTuple

from cruxe.model.outcomes import Budget, Reading
from cruxe.respond.metadata import Metadata
from cruxe.respond.search_results import place_of
from cruxe.respond.size_limits import size_of
from cruxe.safety.injection_flags import flag_addressed
from cruxe.text.tokens import estimate_tokens

Answer = dict[str, object]

_ELLIPSIS: Final = "…"
# What is said of a cut, of flags and of where to read on, beside the path.
_REMARK_BYTES: Final = 400
_MAX_DOC_CHARACTERS: Final = 2_000
_MAX_SIGNATURE_CHARACTERS: Final = 1_000


class _Cut(NamedTuple):
    source: str
    omitted_lines: int
    is_cut: bool


def source_answer(reading: Reading, budget: Budget, metadata: Metadata) -> Answer:
    """The answer; what does not fit is counted, and the place to read on is given."""
    answer: Answer = {
        "path": reading.path,
        "line_start": reading.line_start,
        "line_end": reading.line_end,
        "language": reading.language,
        **_described(reading),
    }
    frame_bytes = size_of({**answer, "metadata": metadata.to_mapping()}) + _REMARK_BYTES
    cut = _cut(reading.lines, budget, budget.max_answer_bytes - frame_bytes)
    answer["flags"] = _flags(reading, cut.source)
    answer = {key: value for key, value in answer.items() if value not in ("", None, [])}
    answer["source"] = cut.source
    if cut.is_cut:
        metadata = metadata.cut()
        answer |= {"truncated": True, "omitted_lines": cut.omitted_lines}
        if cut.omitted_lines:
            first = reading.line_end - cut.omitted_lines + 1
            rest = f"{reading.path}:{first}-{reading.line_end}"
            answer["suggested_next_actions"] = [{"tool": "read_symbol", "symbol": rest}]
    answer["metadata"] = metadata.to_mapping()
    return answer


def _flags(reading: Reading, source: str) -> list[str]:
    """What in all that is sent speaks to the agent that reads it."""
    symbol = reading.symbol
    said = () if symbol is None else (symbol.qualified_name, symbol.signature, symbol.doc)
    return sorted({each.flag.value for each in flag_addressed("\n".join((*said, source)))})


def _described(reading: Reading) -> Answer:
    symbol = reading.symbol
    if symbol is None:
        return {}
    return {
        "kind": symbol.kind,
        "name": symbol.name,
        "qualified_name": symbol.qualified_name,
        "symbol_id": reading.symbol_id,
        "symbol_stable_id": symbol.stable_id,
        "signature": symbol.signature[:_MAX_SIGNATURE_CHARACTERS],
        "visibility": symbol.visibility,
        "doc": symbol.doc[:_MAX_DOC_CHARACTERS],
        "parent": None if reading.parent is None else place_of(reading.parent),
        "match": reading.match,
    }


def _cut(lines: list[str], budget: Budget, room: int) -> _Cut:
    """The first lines that fit; a first line that does not is cut itself."""
    tokens, left, sent = budget.max_tokens, budget.max_bytes, room
    for number, line in enumerate(lines):
        tokens -= estimate_tokens(f"{line}\n")
        left -= len(line.encode()) + 1
        sent -= size_of(line)
        if min(tokens, left, sent) >= 0:
            continue
        if number:
            return _Cut("\n".join(lines[:number]), len(lines) - number, is_cut=True)
        # A token has a character at least, and a character six bytes at most when it is sent.
        characters = min(budget.max_tokens, budget.max_bytes // 4, room // 6)
        return _Cut(line[: max(1, characters)] + _ELLIPSIS, len(lines) - 1, is_cut=True)
    return _Cut("\n".join(lines), 0, is_cut=False)
