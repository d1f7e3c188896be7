"""Definitions to symbols: names, kinds, signatures, docs and identities."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.identity import MAX_ORDINAL, symbol_stable_id_of
from cruxe.model.symbols import NO_SYMBOL, ParseProblem, ProblemKind, Symbol, SymbolKind
from cruxe.parse.comments import Comments
from cruxe.parse.definitions import arrange_definitions
from cruxe.parse.language import TYPE_KINDS, Definition, Language

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source import SourceText


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
    definitions, problems = arrange_definitions(found, source, language)
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
            definition.name_start = names[0].start_byte
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
        self._known: set[tuple[SymbolKind, str]] = set()
        self._repeated: set[tuple[SymbolKind, str]] = set()
        self._variants: dict[tuple[SymbolKind, str, str], int] = {}

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
        if identity in self._known:
            self._repeated.add(identity)
        self._known.add(identity)

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
        if self._repeated and (kind, qualified_name) in self._repeated:
            occurrence = self._variants.get((kind, qualified_name, signature), 0)
            self._variants[kind, qualified_name, signature] = occurrence + 1
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
        line_start, line_end = definition.line_start, definition.line_end
        name_line = definition.name_line
        if not line_start <= name_line <= line_end <= self._line_count:
            # Rules may stretch a definition over broken source; nothing may point outside of it.
            line_end = min(line_end, self._line_count)
            line_start = min(line_start, line_end)
            name_line = min(max(name_line, line_start), line_end)
        signature = rules.signature(definition, source)
        symbol = (
            definition.name,
            definition.qualified_name,
            definition.kind,
            rules.visibility(definition, source),
            self._holder(naming.parent_of(definition), line_start, line_end),
            line_start,
            line_end,
            name_line,
            signature,
            self._doc(definition),
            naming.stable_id(definition, signature),
        )
        return _NEW(Symbol, symbol)

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
        rules, source, line = self._rules, self._source, definition.line_start
        definition.inner_doc = inside = rules.doc_node(definition)
        if inside is not None:
            self.doc_spans.append(inside.byte_range)
        above, parent = self._comments.above(line, rules), definition.parent
        # The comment above may belong to the definition around, as in `struct { int x; }`.
        if above is None or (parent is not None and parent.line_start == line):
            self.regions.append(line)
            return rules.doc(definition, source, [])
        self.regions.append(above.line)
        self.doc_spans.extend(above.spans)
        return rules.doc(definition, source, above.texts)


# Half the time that the type's own constructor takes.
_NEW: Final = tuple[object, ...].__new__
_ATTACHABLE: Final = TYPE_KINDS | {SymbolKind.TYPE_ALIAS}
