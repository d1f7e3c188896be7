"""Definitions to symbols: nesting, names, kinds, signatures, docs and identities."""

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.identity import MAX_ORDINAL, symbol_stable_id_of
from cruxe.model.symbols import NO_SYMBOL, ParseProblem, ProblemKind, Symbol, SymbolKind
from cruxe.parse.comments import Comments
from cruxe.parse.language import TYPE_KINDS, Definition, Language

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source import SourceText

# Deeper nesting is machine-made; qualified names would grow with the square of the depth.
MAX_DEPTH: Final = 32


class FileSymbols(NamedTuple):
    """The symbols of a file with what cutting and placing need to know of them."""

    symbols: tuple[Symbol, ...]
    definitions: list[Definition]  # those of `symbols`, same order
    owners: list[tuple[int, int, int]]  # spans by start with the symbol that owns what is inside
    regions: list[int]  # first line of each symbol with the comments that belong to it
    doc_spans: list[tuple[int, int]]  # offsets of doc comments and docstrings
    problems: tuple[ParseProblem, ...]


def build_symbols(
    found: list[Definition],
    comments: Comments,
    source: "SourceText",
    language: Language,
    root: "Node",
) -> FileSymbols:
    """Turn matched definitions into symbols, in file order, parents before children."""
    definitions, problems = _without_depths(_best_matches(found))
    _widen_all(definitions, language)
    language.rules.settle(definitions, source)
    _nest(definitions)
    kept = _name(definitions, source, language)
    if len(kept) > MAX_ORDINAL:
        problems.append(ParseProblem(ProblemKind.TOO_MANY_SYMBOLS, kept[MAX_ORDINAL].line_start))
        del kept[MAX_ORDINAL:]
    naming = _Naming(source, language, language.rules.module_path(source, root))
    for definition in definitions:
        naming.settle(definition)
    builder = _Builder(comments, source, language, naming)
    return FileSymbols(
        symbols=builder.build_all(kept),
        definitions=kept,
        owners=[(each.start_byte, each.end_byte, naming.owner_of(each)) for each in definitions],
        regions=builder.regions,
        doc_spans=builder.doc_spans,
        problems=tuple(problems),
    )


def _best_matches(found: list[Definition]) -> list[Definition]:
    """Drop second matches of the same definition; the outermost come first."""
    best: dict[tuple[int, int, bool], Definition] = {}
    for definition in found:
        names = definition.captures.get("name")
        # Several definitions may share a node: `const a = 1, b = 2`, `int x, y;`.
        start = names[0].start_byte if names else definition.start_byte
        place = (start, definition.end_byte, definition.kind is None)
        rival = best.get(place)
        if rival is None or len(definition.captures) > len(rival.captures):
            best[place] = definition
    return _in_order(list(best.values()))


def _without_depths(
    definitions: list[Definition],
) -> tuple[list[Definition], list[ParseProblem]]:
    """Drop what is nested too deep, by offsets alone: a node finds its parent from the root."""
    kept: list[Definition] = []
    problems: list[ParseProblem] = []
    ends: list[int] = []
    for definition in definitions:
        while ends and ends[-1] <= definition.start_byte:
            ends.pop()
        if len(ends) < MAX_DEPTH:
            kept.append(definition)
        elif not problems:
            problems.append(ParseProblem(ProblemKind.NESTED_TOO_DEEP, definition.line_start))
        ends.append(definition.end_byte)
    return kept, problems


def _widen_all(definitions: list[Definition], language: Language) -> None:
    """Widen definitions by their wrappers and what stands before them."""
    if language.wrappers or language.leading:
        for definition in definitions:
            _widen(definition, language.wrappers, language.leading)
        definitions[:] = _in_order(definitions)


def _in_order(definitions: list[Definition]) -> list[Definition]:
    return sorted(definitions, key=lambda each: (each.start_byte, -each.end_byte))


def _widen(definition: Definition, wrappers: frozenset[str], leading: frozenset[str]) -> None:
    node = definition.node
    while wrappers and (parent := node.parent) and parent.type in wrappers:
        node = parent
    while leading and (before := node.prev_sibling) and before.type in leading:
        node = before
    if node is not definition.node:
        definition.start_node = node
        definition.start_byte = node.start_byte
        definition.line_start = node.start_point[0] + 1


def _nest(definitions: list[Definition]) -> None:
    """Give each definition the innermost one around it."""
    stack: list[Definition] = []
    for definition in definitions:
        while stack and not _may_enclose(stack[-1], definition):
            stack.pop()
        if stack and definition.start_byte < stack[-1].end_byte:
            definition.parent = stack[-1]
        stack.append(definition)


def _may_enclose(outer: Definition, inner: Definition) -> bool:
    """Definitions that share a node, as in `int x, y;`, stand side by side."""
    return outer.end_byte >= inner.end_byte and outer.node != inner.node


def _name(
    definitions: list[Definition], source: "SourceText", language: Language
) -> list[Definition]:
    """Name the definitions, number those that become symbols, and return these."""
    kept: list[Definition] = []
    name_of = language.rules.name
    for definition in definitions:
        definition.name = name_of(definition, source).strip()
        captures = definition.captures
        if containers := captures.get("container"):
            definition.container = source.text_of(containers[0])
        if definition.kind is None or not definition.name:
            continue
        if names := captures.get("name"):
            definition.name_line = names[0].start_point[0] + 1
        definition.ordinal = len(kept)
        kept.append(definition)
    return kept


class _Naming:
    """Kinds, qualified names and parents: what needs the definitions around a definition."""

    def __init__(self, source: "SourceText", language: Language, module: str) -> None:
        self._source = source
        self._rules = language.rules
        self._separator = language.separator
        self._prefix = f"{module}{language.separator}" if module else ""
        self._types: dict[str, int] = {}  # types of the file by name, for attached members
        self._occurrences: dict[tuple[SymbolKind, str], int] = {}
        self._variants: Counter[tuple[SymbolKind, str, str]] = Counter()

    def settle(self, definition: Definition) -> None:
        """Name one definition or scope; those around it must have been settled before."""
        parent = definition.parent
        prefix = self._prefix if parent is None else parent.inner_prefix
        if definition.container:
            prefix = f"{prefix}{definition.container}{self._separator}"
        name = definition.name
        definition.qualified_name = qualified_name = f"{prefix}{name}"
        definition.inner_prefix = f"{qualified_name}{self._separator}" if name else prefix
        if definition.ordinal == NO_SYMBOL:
            return
        definition.kind = kind = self._rules.kind(definition, self._source)
        if kind in _ATTACHABLE:
            self._types.setdefault(name, definition.ordinal)
        identity = (kind, qualified_name)
        self._occurrences[identity] = self._occurrences.get(identity, 0) + 1

    def parent_of(self, definition: Definition) -> int:
        """The enclosing symbol, or the earlier type of this file that a member is attached to."""
        if definition.container:
            attached = self._attached(definition.container, definition)
            if attached != NO_SYMBOL:
                return attached
        parent = definition.parent
        return NO_SYMBOL if parent is None else self._attached_owner(parent, definition)

    def owner_of(self, definition: Definition) -> int:
        """The symbol of a definition; of a scope, the type it is for; else what is around it."""
        ordinal = definition.ordinal
        return self._attached_owner(definition, definition) if ordinal == NO_SYMBOL else ordinal

    def stable_id(self, definition: Definition, signature: str) -> str:
        """An id that lasts; same-named symbols differ by signature, then by order."""
        kind, qualified_name = definition.kind, definition.qualified_name
        assert kind is not None
        variant = ""
        if self._occurrences[kind, qualified_name] > 1:
            occurrence = self._variants[kind, qualified_name, signature]
            self._variants[kind, qualified_name, signature] += 1
            variant = f"{signature}\0{occurrence}" if occurrence else signature
        return symbol_stable_id_of(self._source.path, kind, qualified_name, variant)

    def _attached_owner(self, around: Definition | None, inner: Definition) -> int:
        while around is not None:
            if around.ordinal != NO_SYMBOL:
                return around.ordinal
            if around.kind is None:
                attached = self._attached(around.name, inner)
                if attached != NO_SYMBOL:
                    return attached
            around = around.parent
        return NO_SYMBOL

    def _attached(self, type_name: str, inner: Definition) -> int:
        """A type of this file; one that comes later than its member cannot be its parent."""
        ordinal = self._types.get(type_name, NO_SYMBOL)
        is_later = inner.ordinal != NO_SYMBOL and ordinal >= inner.ordinal
        return NO_SYMBOL if is_later else ordinal


class _Builder:
    """Builds the symbols of one file; collects regions and doc spans on the way."""

    def __init__(
        self, comments: Comments, source: "SourceText", language: Language, naming: _Naming
    ) -> None:
        self._comments = comments
        self._source = source
        self._rules = language.rules
        self._naming = naming
        self._line_count = source.line_count
        self._symbols: list[Symbol] = []
        self.regions: list[int] = []
        self.doc_spans: list[tuple[int, int]] = []

    def build_all(self, definitions: list[Definition]) -> tuple[Symbol, ...]:
        """Make the symbols, in order."""
        for definition in definitions:
            self._symbols.append(self._build(definition))
        return tuple(self._symbols)

    def _build(self, definition: Definition) -> Symbol:
        rules, source, naming = self._rules, self._source, self._naming
        kind = definition.kind
        assert kind is not None
        signature = rules.signature(definition, source)
        # Rules may stretch a definition over broken source; nothing may point outside of it.
        line_end = min(definition.line_end, self._line_count)
        line_start = min(definition.line_start, line_end)
        return Symbol(
            definition.name,
            definition.qualified_name,
            kind,
            rules.visibility(definition, source),
            self._holder(naming.parent_of(definition), line_start, line_end),
            line_start,
            line_end,
            min(max(definition.name_line, line_start), line_end),
            signature,
            self._doc(definition),
            naming.stable_id(definition, signature),
        )

    def _holder(self, parent: int, line_start: int, line_end: int) -> int:
        """The nearest parent that has the lines inside, or has members attached from elsewhere."""
        while parent != NO_SYMBOL:
            held = self._symbols[parent]
            is_inside = held.line_start <= line_start and line_end <= held.line_end
            if is_inside or held.kind in _ATTACHABLE:
                break
            parent = held.parent
        return parent

    def _doc(self, definition: Definition) -> str:
        rules, source = self._rules, self._source
        definition.inner_doc = inside = rules.doc_node(definition)
        if inside is not None:
            self.doc_spans.append((inside.start_byte, inside.end_byte))
        above = self._comments.above(definition.line_start, rules)
        if not above or _starts_with_parent(definition):
            self.regions.append(definition.line_start)
            return rules.doc(definition, source, [])
        self.regions.append(above[0].line)
        self.doc_spans.extend([(comment.start, comment.end) for comment in above])
        return rules.doc(definition, source, [comment.text for comment in above])


def _starts_with_parent(definition: Definition) -> bool:
    """Whether the comment above belongs to the definition around, as in `struct { int x; }`."""
    parent = definition.parent
    return parent is not None and parent.line_start == definition.line_start


_ATTACHABLE: Final = TYPE_KINDS | {SymbolKind.TYPE_ALIAS}
