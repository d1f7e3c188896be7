"""The answer of `get_file_outline`: symbol trees, cut in pre-order at the size limit."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from cruxe.model.hits import OutlineNode, OutlineOutcome
from cruxe.model.levels import AnswerFormat
from cruxe.respond.metadata import Metadata
from cruxe.respond.size_limits import is_over, mark_cut, omit_empty, omit_field, size_of
from cruxe.safety.redaction import flags_of_symbol
from cruxe.text.tokens import rough_weight

if TYPE_CHECKING:
    from cruxe.contract.result_parts import (
        OutlineMetadata,
        OutlineRemarks,
        OutlineSymbol,
        SuggestedAction,
    )
    from cruxe.contract.results import GetFileOutlineResult

_Node = TypeVar("_Node")

# The cost of a symbol's `children` field.
_CHILDREN_BYTES: Final = len(',"children":[]')
# The cost of a symbol's `omitted` field, and of the answer's remarks apart from the path.
_OMITTED_BYTES: Final = len(',"omitted":1000000')
_REMARK_BYTES: Final = 400
# Reading a file of so many tokens is cheap anyway.
_SMALL_FILE: Final = 300
# Of characters, an answer of at most this share of its file is cheaper: JSON has at least 3.0 to a
# token of o200k, source at most 5.0. The weights of 630 files and outlines err by at most 9 %,
# as text form of a list of keys. Both by the suite `tokens` and all files of four repositories.
_SURELY_CHEAPER: Final = 0.5
_CERTAINTY: Final = 0.9
_PUBLIC: Final = "public"
_SEPARATOR: Final = re.compile(r"\W{0,3}")


class OutlineLimits(NamedTuple):
    """How large an outline may be: in bytes, and beside its file."""

    max_bytes: int
    cost: "FileCost | None" = None  # None: it may cost more than its file
    format: AnswerFormat = AnswerFormat.JSON


class _Owner(NamedTuple):
    """A written symbol with its qualified name, and its parent."""

    written: "OutlineSymbol"
    qualified_name: str
    owner: "_Owner | None"


class _Waiting(NamedTuple):
    """A symbol to be written, with its descendants."""

    node: OutlineNode
    owner: _Owner | None
    depth: int


def outline_answer(
    outcome: OutlineOutcome, metadata: Metadata, limits: OutlineLimits
) -> "GetFileOutlineResult":
    """Return the answer.

    An outline that costs more than its file loses its signatures, then its last symbols.
    """
    outline = _Outline(outcome, metadata, limits)
    answer = outline.within(limits.max_bytes)
    if limits.cost is None or limits.cost.covers(answer):
        return answer
    plain = _Outline(outcome, metadata, limits, has_signatures=False)
    return _largest_covered(plain, limits.cost, _count_written(answer["symbols"]))


def _largest_covered(outline: "_Outline", cost: "FileCost", count: int) -> "GetFileOutlineResult":
    """Return the most symbols, of the first `count`, that cost no more than the file; at least one.

    They are found by bisection, since cost grows with the count.
    """
    answer = outline.first(count)
    if cost.covers(answer):
        return answer
    fitting, too_many = 1, count
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if cost.covers(outline.first(middle)):
            fitting = middle
        else:
            too_many = middle
    return outline.first(fitting)


class FileCost:
    """What it costs to read a file, to compare its outline with."""

    def __init__(self, text: str, written: Callable[["GetFileOutlineResult"], str]) -> None:
        """Take the text of the file; `written` gives an answer as it will be sent."""
        self._text = text
        self._written = written
        self._weight = -1  # computed if needed

    def covers(self, answer: "GetFileOutlineResult") -> bool:
        """Return whether an answer costs at most as much as the file, or the file is small."""
        written = self._written(answer)
        if len(written) <= len(self._text) * _SURELY_CHEAPER:
            return True
        if self._weight < 0:
            self._weight = rough_weight(self._text)
        if self._weight <= _SMALL_FILE:
            return True
        return rough_weight(written) <= self._weight * _CERTAINTY


class _Outline:
    """Writes the answer of one file as often as its size limits need."""

    def __init__(
        self,
        outcome: OutlineOutcome,
        metadata: Metadata,
        limits: OutlineLimits,
        *,
        has_signatures: bool = True,
    ) -> None:
        self._outcome = outcome
        self._metadata = metadata
        self._format = limits.format
        self._has_signatures = has_signatures
        self._module = _module_of(outcome.roots)

    def within(self, max_bytes: int) -> "GetFileOutlineResult":
        """Return the answer with as many symbols as fit."""
        writer = self._writer()
        writer.write_all()
        answer = self._framed(writer.symbols, self._remarks(), self._block(self._metadata))
        return self._cut(max_bytes) if is_over(answer, max_bytes) else answer

    def first(self, count: int) -> "GetFileOutlineResult":
        """Return the answer with the first symbols in pre-order, marked as cut."""
        writer = self._writer()
        writer.write_first(count)
        remarks: OutlineRemarks = self._remarks()
        if writer.waiting:
            remarks["omitted"] = writer.count_omitted()
        remarks["suggested_next_actions"] = [self._as_text or self._rest(writer)]
        return self._framed(writer.symbols, remarks, self._marked_block())

    @property
    def _as_text(self) -> "SuggestedAction | None":
        """What gives the outline in a form that costs less, if there is one."""
        if self._format is AnswerFormat.TEXT:
            return None
        path, form = self._outcome.path, AnswerFormat.TEXT
        return {"tool": "get_file_outline", "path": path, "format": form}

    def _rest(self, writer: "_Writer") -> "SuggestedAction":
        """What reads the file from the first omitted symbol."""
        # Nothing is waiting if the only symbol was written without its signature.
        first = writer.waiting[-1].node if writer.waiting else self._outcome.roots[0]
        return {"tool": "read_symbol", "symbol": f"{self._outcome.path}:{first.row.line_start}"}

    def _narrower(self, writer: "_Writer") -> "list[SuggestedAction]":
        """What gives the omitted symbols, or fewer."""
        actions = [] if self._as_text is None else [self._as_text]
        if any(root.children for root in self._outcome.roots):
            path = self._outcome.path
            actions.append({"tool": "get_file_outline", "path": path, "depth": "top"})
        return [*actions, self._rest(writer)]

    def _writer(self) -> "_Writer":
        return _Writer(self._outcome.roots, self._module, has_signatures=self._has_signatures)

    def _cut(self, max_bytes: int) -> "GetFileOutlineResult":
        """Keep the first symbols in pre-order; count the rest, in total and in each ancestor."""
        writer, remarks, block = self._writer(), self._remarks(), self._marked_block()
        frame_bytes = size_of(self._framed([], remarks, block))
        path_bytes = 3 * size_of(self._outcome.path)  # in the suggested actions
        writer.write_up_to(max_bytes - frame_bytes - path_bytes - _REMARK_BYTES)
        remarks["omitted"] = writer.count_omitted()
        remarks["suggested_next_actions"] = self._narrower(writer)
        return self._framed(writer.symbols, remarks, block)

    def _marked_block(self) -> "OutlineMetadata":
        block = self._block(self._metadata)
        mark_cut(block)
        return block

    def _framed(
        self, symbols: "list[OutlineSymbol]", remarks: "OutlineRemarks", block: "OutlineMetadata"
    ) -> "GetFileOutlineResult":
        answer: GetFileOutlineResult = {
            "file_path": self._outcome.path,
            "language": self._outcome.language,
            "module": self._module,
            "symbols": symbols,
            **remarks,
            "metadata": block,
        }
        return answer if self._module else omit_field(answer, "module")

    def _remarks(self) -> "OutlineRemarks":
        reason = self._outcome.skip_reason
        return {} if reason is None else {"skip_reason": reason}

    def _block(self, metadata: Metadata) -> "OutlineMetadata":
        return {**metadata.to_mapping(), "symbol_count": self._outcome.symbol_count}


class _Writer:
    """Writes trees in pre-order; not recursive, because nesting depth is unbounded."""

    def __init__(self, roots: list[OutlineNode], module: str, *, has_signatures: bool) -> None:
        self.symbols: list[OutlineSymbol] = []
        self.waiting = [_Waiting(root, None, 0) for root in reversed(roots)]
        self._module = module
        self._has_signatures = has_signatures

    def write_all(self) -> None:
        while self.waiting:
            each = self.waiting.pop()
            self._write(each, self._fields(each))

    def write_up_to(self, room: int) -> None:
        """Write as many as fit. The first is always written, without its signature if too long."""
        while self.waiting:
            each = self.waiting[-1]
            fields = self._fields(each)
            room -= size_of(fields) + len(",") + bool(each.node.children) * _CHILDREN_BYTES
            # Every ancestor of the next symbol may need an `omitted` field.
            if room < (each.depth + 1) * _OMITTED_BYTES:
                if self.symbols:
                    return
                fields = omit_field(fields, "signature")
            self._write(self.waiting.pop(), fields)

    def write_first(self, count: int) -> None:
        """Write so many."""
        while self.waiting and count > 0:
            each = self.waiting.pop()
            self._write(each, self._fields(each))
            count -= 1

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

    def _fields(self, each: _Waiting) -> "OutlineSymbol":
        """Return the fields of a symbol without what its parent, its file or the usual says."""
        row = each.node.row
        around = self._module if each.owner is None else each.owner.qualified_name
        is_derivable = _follows(row.qualified_name, around, row.name)
        fields: OutlineSymbol = {
            "symbol_id": row.symbol_id,
            "name": row.name,
            "qualified_name": "" if is_derivable else row.qualified_name,
            "kind": row.kind,
            "line_start": row.line_start,
            "line_end": row.line_end,
            "signature": row.signature if self._has_signatures else "",
            "visibility": "" if row.visibility == _PUBLIC else row.visibility,
            "flags": flags_of_symbol(row.name, row.signature),
        }
        return omit_empty(fields)

    def _write(self, each: _Waiting, fields: "OutlineSymbol") -> None:
        siblings = self.symbols
        if each.owner is not None:
            siblings = each.owner.written.setdefault("children", [])
        siblings.append(fields)
        qualified_name = each.node.row.qualified_name
        owner, depth = _Owner(fields, qualified_name, each.owner), each.depth + 1
        inside = reversed(each.node.children)
        self.waiting.extend(_Waiting(child, owner, depth) for child in inside)


def _module_of(roots: list[OutlineNode]) -> str:
    """Return what the qualified names of the outermost symbols begin with, as far as all do."""
    rows = [root.row for root in roots]
    before = [
        re.sub(r"\W+$", "", row.qualified_name.removesuffix(row.name))
        for row in rows
        if row.qualified_name.endswith(row.name)
    ]
    return min(before, key=len, default="")


def _follows(qualified_name: str, around: str, name: str) -> bool:
    """Return whether a qualified name is that of what is around it, a separator and the name."""
    if not qualified_name.startswith(around) or not qualified_name.endswith(name):
        return False
    between = qualified_name[len(around) : len(qualified_name) - len(name)]
    return _SEPARATOR.fullmatch(between) is not None and bool(between) == bool(around)


def _count(root: OutlineNode) -> int:
    """Return the number of symbols in a tree."""
    return sum(1 for _ in _below([root], lambda node: node.children))


def _count_written(symbols: "list[OutlineSymbol]") -> int:
    return sum(1 for _ in _below(symbols, lambda symbol: symbol.get("children", [])))


def _below(roots: list[_Node], children: Callable[[_Node], list[_Node]]) -> Iterator[_Node]:
    """Yield the nodes of trees; not recursive, because nesting depth is unbounded."""
    waiting = [*roots]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(children(node))
