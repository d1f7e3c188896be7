"""The answer of `get_file_outline`: symbol trees, cut in pre-order at the size limit."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.hits import OutlineNode, OutlineOutcome, OutlineRow
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import is_over, omit_empty, omit_field, size_of
from cruxe.safety.redaction import flags_of_symbol

if TYPE_CHECKING:
    from cruxe.contract.result_parts import (
        OutlineMetadata,
        OutlineRemarks,
        OutlineSymbol,
        SuggestedAction,
    )
    from cruxe.contract.results import GetFileOutlineResult

Safe = Callable[[OutlineRow], OutlineRow]

# The cost of a symbol's `children` field.
_CHILDREN_BYTES: Final = len(',"children":[]')
# The cost of a symbol's `omitted` field, and of the answer's remarks apart from the path.
_OMITTED_BYTES: Final = len(',"omitted":1000000')
_REMARK_BYTES: Final = 300


class _Owner(NamedTuple):
    """A written symbol and its parent."""

    written: "OutlineSymbol"
    owner: "_Owner | None"


class _Waiting(NamedTuple):
    """A symbol to be written, with its descendants."""

    node: OutlineNode
    owner: _Owner | None
    depth: int


def outline_answer(
    outcome: OutlineOutcome, metadata: Metadata, safe: Safe, max_bytes: int
) -> "GetFileOutlineResult":
    """Return the answer; `safe` redacts the secrets of a symbol."""
    writer = _Writer(outcome.roots, safe)
    writer.write_all()
    answer = _framed(outcome, writer.symbols, _remarks(outcome), _block(outcome, metadata))
    return _cut(outcome, metadata, safe, max_bytes) if is_over(answer, max_bytes) else answer


def _framed(
    outcome: OutlineOutcome,
    symbols: "list[OutlineSymbol]",
    remarks: "OutlineRemarks",
    block: "OutlineMetadata",
) -> "GetFileOutlineResult":
    return {
        "file_path": outcome.path,
        "language": outcome.language,
        "symbols": symbols,
        **remarks,
        "metadata": block,
    }


def _remarks(outcome: OutlineOutcome) -> "OutlineRemarks":
    return {} if outcome.skip_reason is None else {"skip_reason": outcome.skip_reason}


def _block(outcome: OutlineOutcome, metadata: Metadata) -> "OutlineMetadata":
    return {**metadata.to_mapping(), "symbol_count": outcome.symbol_count}


def _cut(
    outcome: OutlineOutcome, metadata: Metadata, safe: Safe, max_bytes: int
) -> "GetFileOutlineResult":
    """Keep the first symbols in pre-order; count the rest, in total and in each ancestor."""
    writer = _Writer(outcome.roots, safe)
    remarks, block = _remarks(outcome), _block(outcome, metadata.cut())
    frame_bytes = size_of(_framed(outcome, [], remarks, block))
    writer.write_up_to(max_bytes - frame_bytes - 2 * size_of(outcome.path) - _REMARK_BYTES)
    # Nothing is waiting if the only symbol was written without its signature.
    first = writer.waiting[-1].node if writer.waiting else outcome.roots[0]
    remarks["omitted"] = writer.count_omitted()
    remarks["suggested_next_actions"] = _narrower(outcome, first)
    block["safety_limit_applied"] = True
    return _framed(outcome, writer.symbols, remarks, block)


def _narrower(outcome: OutlineOutcome, first: OutlineNode) -> "list[SuggestedAction]":
    """Suggest how to read on; `first` is the first omitted symbol."""
    place = f"{outcome.path}:{first.row.line_start}"
    reading: list[SuggestedAction] = [{"tool": "read_symbol", "symbol": place}]
    if not any(root.children for root in outcome.roots):
        return reading
    return [{"tool": "get_file_outline", "path": outcome.path, "depth": "top"}, *reading]


class _Writer:
    """Writes trees in pre-order; not recursive, because nesting depth is unbounded."""

    def __init__(self, roots: list[OutlineNode], safe: Safe) -> None:
        self.symbols: list[OutlineSymbol] = []
        self.waiting = [_Waiting(root, None, 0) for root in reversed(roots)]
        self._safe = safe

    def write_all(self) -> None:
        while self.waiting:
            each = self.waiting.pop()
            self._write(each, self._fields(each.node))

    def write_up_to(self, room: int) -> None:
        """Write as many as fit. The first is always written, without its signature if too long."""
        while self.waiting:
            each = self.waiting[-1]
            fields = self._fields(each.node)
            room -= size_of(fields) + len(",") + bool(each.node.children) * _CHILDREN_BYTES
            # Every ancestor of the next symbol may need an `omitted` field.
            if room < (each.depth + 1) * _OMITTED_BYTES:
                if self.symbols:
                    return
                fields = omit_field(fields, "signature")
            self._write(self.waiting.pop(), fields)

    def count_omitted(self) -> int:
        """Return the number of unwritten symbols and add it to each ancestor."""
        total = 0
        for each in self.waiting:
            count, owner = _count(each.node), each.owner
            total += count
            while owner is not None:
                owner.written["omitted"] = owner.written.get("omitted", 0) + count
                owner = owner.owner
        return total

    def _fields(self, node: OutlineNode) -> "OutlineSymbol":
        row = self._safe(node.row)
        fields: OutlineSymbol = {
            "symbol_id": row.symbol_id,
            "symbol_stable_id": row.symbol_stable_id,
            "parent_symbol_id": row.parent_symbol_id or "",
            "name": row.name,
            "qualified_name": row.qualified_name,
            "kind": row.kind,
            "language": row.language,
            "line_start": row.line_start,
            "line_end": row.line_end,
            "signature": row.signature,
            "visibility": row.visibility,
            "flags": flags_of_symbol(row.name, row.signature),
        }
        return omit_empty(fields)

    def _write(self, each: _Waiting, fields: "OutlineSymbol") -> None:
        siblings = self.symbols
        if each.owner is not None:
            siblings = each.owner.written.setdefault("children", [])
        siblings.append(fields)
        owner, depth = _Owner(fields, each.owner), each.depth + 1
        inside = reversed(each.node.children)
        self.waiting.extend(_Waiting(child, owner, depth) for child in inside)


def _count(root: OutlineNode) -> int:
    """Return the number of symbols in a tree."""
    waiting, count = [root], 0
    while waiting:
        count += 1
        waiting.extend(waiting.pop().children)
    return count
