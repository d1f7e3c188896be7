"""Outlines as answers: trees, cut in pre-order where they are over the hard limit."""

from collections.abc import Callable
from typing import Final, NamedTuple, cast

from cruxe.model.hits import OutlineNode, OutlineOutcome, OutlineRow
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import is_over, size_of
from cruxe.safety.safe_symbols import flags_of_symbol

Answer = dict[str, object]
Safe = Callable[[OutlineRow], OutlineRow]

# What a symbol costs beside its own fields, if others are in it.
_CHILDREN_BYTES: Final = len(',"children":[]')
# What a symbol says of what was left out in it, and what the answer says of it, beside the path.
_OMITTED_BYTES: Final = len(',"omitted":1000000')
_REMARK_BYTES: Final = 300


class _Owner(NamedTuple):
    """A symbol that was written, and the one around it."""

    written: Answer
    owner: "_Owner | None"


class _Waiting(NamedTuple):
    """A symbol that is to be written, with all that is in it."""

    node: OutlineNode
    owner: _Owner | None
    depth: int


def outline_answer(
    outcome: OutlineOutcome, metadata: Metadata, safe: Safe, max_bytes: int
) -> Answer:
    """The answer of `get_file_outline`; `safe` takes secrets out of a symbol."""
    writer = _Writer(outcome.roots, safe)
    answer = _framed(outcome, metadata, writer.symbols)
    writer.write_all()
    return _cut(outcome, metadata, safe, max_bytes) if is_over(answer, max_bytes) else answer


def _framed(outcome: OutlineOutcome, metadata: Metadata, symbols: list[Answer]) -> Answer:
    answer: Answer = {
        "file_path": outcome.path,
        "language": outcome.language,
        "symbols": symbols,
    }
    if outcome.skip_reason is not None:
        answer["skip_reason"] = outcome.skip_reason
    answer["metadata"] = {**metadata.to_mapping(), "symbol_count": outcome.symbol_count}
    return answer


def _cut(outcome: OutlineOutcome, metadata: Metadata, safe: Safe, max_bytes: int) -> Answer:
    """The first symbols in pre-order; what is left out is counted, in each around it and in all."""
    writer = _Writer(outcome.roots, safe)
    answer = _framed(outcome, metadata.cut(), writer.symbols)
    writer.write_up_to(max_bytes - size_of(answer) - 2 * size_of(outcome.path) - _REMARK_BYTES)
    # Nothing is left where the only symbol had to go without its signature.
    first = writer.waiting[-1].node if writer.waiting else outcome.roots[0]
    block = cast("Answer", answer.pop("metadata"))
    answer |= {
        "omitted": writer.count_omitted(),
        "suggested_next_actions": _narrower(outcome, first),
        "metadata": {**block, "safety_limit_applied": True},
    }
    return answer


def _narrower(outcome: OutlineOutcome, first: OutlineNode) -> list[Answer]:
    """What to do about an outline that was cut; `first` is where it ends."""
    place = f"{outcome.path}:{first.row.line_start}"
    reading: list[Answer] = [{"tool": "read_symbol", "symbol": place}]
    if not any(root.children for root in outcome.roots):
        return reading
    return [{"tool": "get_file_outline", "path": outcome.path, "depth": "top"}, *reading]


class _Writer:
    """Writes trees in pre-order; without recursion, since files nest as deep as they like."""

    def __init__(self, roots: list[OutlineNode], safe: Safe) -> None:
        self.symbols: list[Answer] = []
        self.waiting = [_Waiting(root, None, 0) for root in reversed(roots)]
        self._safe = safe

    def write_all(self) -> None:
        while self.waiting:
            each = self.waiting.pop()
            self._write(each, self._fields(each.node))

    def write_up_to(self, room: int) -> None:
        """As many as fit; the first survives, without its signature where it is too long."""
        while self.waiting:
            each = self.waiting[-1]
            fields = self._fields(each.node)
            room -= size_of(fields) + len(",") + bool(each.node.children) * _CHILDREN_BYTES
            # Every symbol around the next may have to say that something was left out in it.
            if room < (each.depth + 1) * _OMITTED_BYTES:
                if self.symbols:
                    return
                fields.pop("signature", None)
            self._write(self.waiting.pop(), fields)

    def count_omitted(self) -> int:
        """Count what was not written, and tell each symbol around it."""
        total = 0
        for each in self.waiting:
            count, owner = _count(each.node), each.owner
            total += count
            while owner is not None:
                owner.written["omitted"] = cast("int", owner.written.get("omitted", 0)) + count
                owner = owner.owner
        return total

    def _fields(self, node: OutlineNode) -> Answer:
        row = self._safe(node.row)
        fields: Answer = {**row._asdict(), "flags": flags_of_symbol(row.name, row.signature)}
        return {key: value for key, value in fields.items() if value not in ("", None, [])}

    def _write(self, each: _Waiting, fields: Answer) -> None:
        siblings = self.symbols
        if each.owner is not None:
            siblings = cast("list[Answer]", each.owner.written.setdefault("children", []))
        siblings.append(fields)
        owner, depth = _Owner(fields, each.owner), each.depth + 1
        inside = reversed(each.node.children)
        self.waiting.extend(_Waiting(child, owner, depth) for child in inside)


def _count(root: OutlineNode) -> int:
    """How many symbols a tree has."""
    waiting, count = [root], 0
    while waiting:
        count += 1
        waiting.extend(waiting.pop().children)
    return count
