"""Build symbols from matched definitions.

Definitions are put in file order, without duplicates, with full spans and their parents. Symbols
have names, kinds, signatures, docs and stable ids.
"""

from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.identity import MAX_ORDINAL, StableIds
from cruxe.model.symbols import NO_SYMBOL, ParseProblem, ProblemKind, Symbol, SymbolKind
from cruxe.parse.language import TYPE_KINDS, Definition, Language, Rules
from cruxe.parse.source_text import Comments

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText


class FileSymbols(NamedTuple):
    """The symbols of a file, with the spans and lines that chunks and sites need."""

    symbols: tuple[Symbol, ...]
    definitions: list[Definition]  # of `symbols`, in the same order
    owners: list[tuple[int, int, int]]  # (start, end, symbol that owns the span), sorted by start
    regions: list[int]  # first line of each symbol, its doc comments included
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
    naming.settle_all(definitions)
    builder = _Builder(comments, source, language, naming)
    return FileSymbols(
        symbols=builder.build_all(kept),
        definitions=kept,
        owners=naming.owners(definitions),
        regions=builder.regions,
        doc_spans=builder.doc_spans,
        problems=tuple(problems),
    )


def without_nul(name: str) -> str:
    """Replace NUL characters: some SQLite versions end a JSON string at a NUL."""
    return name.replace("\0", "\ufffd")


def _name(
    definitions: list[Definition], source: "SourceText", language: Language
) -> list[Definition]:
    """Set the names of definitions; number and return those that become symbols."""
    kept: list[Definition] = []
    name_of = language.rules.name
    for definition in definitions:
        definition.name = without_nul(name_of(definition, source).strip())
        captures = definition.captures
        if containers := captures.get("container"):
            definition.container = without_nul(source.text_of(containers[0]))
        if definition.kind is None or not definition.name:
            continue
        names = captures.get("name")
        if names and names[0] is not definition.name_node:  # the rules chose another name node
            definition.name_line = names[0].start_point[0] + 1
            definition.name_start = names[0].start_byte
        definition.ordinal = len(kept)
        kept.append(definition)
    return kept


class _Naming:
    """Sets kinds, qualified names and parents, which depend on the enclosing definitions."""

    def __init__(self, source: "SourceText", language: Language, module: str) -> None:
        self._source = source
        self._rules = language.rules
        self._separator = language.separator
        self._prefix = f"{module}{language.separator}" if module else ""
        self._types: dict[str, int] = {}  # types of the file by name, for attached members
        self._known: set[tuple[SymbolKind, str]] = set()
        self._repeated: set[tuple[SymbolKind, str]] = set()
        self._variants: dict[tuple[SymbolKind, str, str], int] = {}

    def settle_all(self, definitions: list[Definition]) -> None:
        """Set kind and qualified name of definitions and scopes; expects parents first."""
        source, kind_of, separator = self._source, self._rules.kind, self._separator
        types, known, file_prefix = self._types, self._known, self._prefix
        for definition in definitions:
            parent, name = definition.parent, definition.name
            prefix = file_prefix if parent is None else parent.inner_prefix
            if definition.container:
                prefix = f"{prefix}{definition.container}{separator}"
            definition.scope = prefix
            definition.qualified_name = qualified_name = prefix + name
            definition.inner_prefix = qualified_name + separator if name else prefix
            if definition.ordinal == NO_SYMBOL:
                continue
            definition.kind = kind = kind_of(definition, source)
            if kind in _ATTACHABLE:
                types.setdefault(name, definition.ordinal)
            identity = (kind, qualified_name)
            if identity in known:
                self._repeated.add(identity)
            known.add(identity)

    @property
    def is_any_repeated(self) -> bool:
        """Whether two symbols share kind and qualified name."""
        return bool(self._repeated)

    def parent_of(self, definition: Definition) -> int:
        """Return the enclosing symbol, or the earlier type in this file that it is attached to."""
        if definition.container:
            attached = self._attached(definition.container, definition)
            if attached != NO_SYMBOL:
                return attached
        parent = definition.parent
        if parent is None:
            return NO_SYMBOL
        ordinal = parent.ordinal
        return self._attached_owner(parent, definition) if ordinal == NO_SYMBOL else ordinal

    def owners(self, definitions: list[Definition]) -> list[tuple[int, int, int]]:
        """Return each span with its owner: the symbol itself, a scope's type, or the parent."""
        return [
            (
                each.start_byte,
                each.end_byte,
                self._attached_owner(each, each) if each.ordinal == NO_SYMBOL else each.ordinal,
            )
            for each in definitions
        ]

    def variant_of(self, definition: Definition, signature: str) -> str:
        """Return what distinguishes symbols of one kind and name: signature, then order."""
        kind, qualified_name = definition.kind, definition.qualified_name
        if kind is None or (kind, qualified_name) not in self._repeated:
            return ""
        occurrence = self._variants.get((kind, qualified_name, signature), 0)
        self._variants[kind, qualified_name, signature] = occurrence + 1
        return f"{signature}\0{occurrence}" if occurrence else signature

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
        """Return the type of that name in this file, unless it comes later than the member."""
        ordinal = self._types.get(type_name, NO_SYMBOL)
        is_later = inner.ordinal != NO_SYMBOL and ordinal >= inner.ordinal
        return NO_SYMBOL if is_later else ordinal


class _Builder:
    """Builds the symbols of one file and collects their regions and doc spans."""

    def __init__(
        self, comments: Comments, source: "SourceText", language: Language, naming: _Naming
    ) -> None:
        self._comments = comments
        self._source = source
        self._rules = language.rules
        self._naming = naming
        # Skips a call per definition if the rules keep the default.
        self._has_inner_docs = type(self._rules).doc_node is not Rules.doc_node
        self._has_own_docs = type(self._rules).doc is not Rules.doc
        self._symbols: list[Symbol] = []
        self.regions: list[int] = []
        self.doc_spans: list[tuple[int, int]] = []

    def build_all(self, definitions: list[Definition]) -> tuple[Symbol, ...]:
        """Build the symbols, in order."""
        source, naming, symbols = self._source, self._naming, self._symbols
        signature_of, visibility_of = self._rules.signature, self._rules.visibility
        stable_id_of, is_any_repeated = StableIds(source.path).of, naming.is_any_repeated
        line_count = source.line_count
        for definition in definitions:
            line_start, line_end = definition.line_start, definition.line_end
            name_line = definition.name_line
            if not line_start <= name_line <= line_end <= line_count:
                # Rules may extend a definition in broken source; clamp its lines to the file.
                line_end = min(line_end, line_count)
                line_start = min(line_start, line_end)
                name_line = min(max(name_line, line_start), line_end)
            parent = naming.parent_of(definition)
            if parent != NO_SYMBOL:
                parent = self._holder(parent, line_start, line_end)
            signature = signature_of(definition, source)
            kind, qualified_name = definition.kind, definition.qualified_name
            assert kind is not None
            variant = naming.variant_of(definition, signature) if is_any_repeated else ""
            symbol = (
                definition.name,
                definition.scope,
                kind,
                visibility_of(definition, source),
                parent,
                line_start,
                line_end,
                name_line,
                signature,
                self._doc(definition),
                stable_id_of(kind, qualified_name, variant),
            )
            symbols.append(NEW_TUPLE(Symbol, symbol))
        return tuple(symbols)

    def _holder(self, parent: int, line_start: int, line_end: int) -> int:
        """Return the nearest parent that contains the lines or may have attached members."""
        while parent != NO_SYMBOL:
            held = self._symbols[parent]
            is_inside = held.line_start <= line_start and line_end <= held.line_end
            if is_inside or held.kind in _ATTACHABLE:
                break
            parent = held.parent
        return parent

    def _doc(self, definition: Definition) -> str:
        rules, source, line = self._rules, self._source, definition.line_start
        if self._has_inner_docs:
            definition.inner_doc = inside = rules.doc_node(definition)
            if inside is not None:
                self.doc_spans.append(inside.byte_range)
        above = self._comments.above(line, rules.is_doc_comment)
        # If the parent starts on the same line, as in `struct { int x; }`, it has the comment.
        if above is None or ((parent := definition.parent) and parent.line_start == line):
            self.regions.append(line)
            return rules.doc(definition, source, []) if self._has_own_docs else ""
        self.regions.append(above.line)
        self.doc_spans.extend(above.spans)
        return rules.doc(definition, source, above.texts)


# Takes half the time of the named tuple's constructor.
NEW_TUPLE: Final = tuple[object, ...].__new__
_ATTACHABLE: Final = TYPE_KINDS | {SymbolKind.TYPE_ALIAS}


# Deeper nesting is generated code, and qualified names would grow quadratically with the depth.
MAX_DEPTH: Final = 32


def arrange_definitions(
    found: "list[Definition]", source: "SourceText", language: "Language"
) -> "tuple[list[Definition], list[ParseProblem]]":
    """Return definitions with spans and parents, outer ones first, and a problem if any is dropped.

    Definitions that are nested too deep are dropped.
    """
    definitions = _best_matches(found)
    _put_in_order(definitions)
    problems = _drop_depths(definitions)
    if _widen_all(definitions, language.wrappers, language.leading):
        _put_in_order(definitions)
    language.rules.settle(definitions, source)
    _nest(definitions)
    return definitions, problems


def _best_matches(found: "list[Definition]") -> "list[Definition]":
    """Keep one match of each definition, the one with most captures."""
    # The key is the name's offset: definitions may share a node, as in `const a = 1, b = 2`.
    places = [
        (
            each.name_start if each.name_start >= 0 else each.start_byte,
            each.end_byte,
            each.kind is None,
        )
        for each in found
    ]
    if len(set(places)) == len(found):  # the usual case
        return found
    best: dict[tuple[int, int, bool], Definition] = {}
    for place, definition in zip(places, found, strict=True):
        rival = best.setdefault(place, definition)
        if len(definition.captures) > len(rival.captures):
            best[place] = definition
    return list(best.values())


def _put_in_order(definitions: "list[Definition]") -> None:
    """Sort by start, the longest first where starts are equal."""
    # Two sorts by a number take half the time of one sort by a tuple key.
    definitions.sort(key=_END, reverse=True)
    definitions.sort(key=_START)


def _drop_depths(definitions: "list[Definition]") -> list[ParseProblem]:
    """Drop definitions that are nested too deep.

    Uses offsets only: `node.parent` walks from the root every time.
    """
    if len(definitions) <= MAX_DEPTH:
        return []
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
    definitions[:] = kept
    return problems


def _widen_all(
    definitions: "list[Definition]", wrappers: frozenset[str], leading: frozenset[str]
) -> bool:
    """Extend definitions over their wrappers and leading siblings; return whether any changed."""
    is_any_widened = False
    for definition in definitions if wrappers or leading else ():
        node = definition.node
        while wrappers and (parent := node.parent) and parent.type in wrappers:
            node = parent
        while leading and (before := node.prev_sibling) and before.type in leading:
            node = before
        if node is not definition.node:
            is_any_widened = True
            definition.start_node = node
            definition.start_byte = node.start_byte
            definition.line_start = node.start_point[0] + 1
    return is_any_widened


def _nest(definitions: "list[Definition]") -> None:
    """Set each definition's parent to the innermost definition around it."""
    around: list[Definition] = []
    for definition in definitions:
        end, node = definition.end_byte, definition.node
        # Definitions that share a node, as in `int x, y;`, are siblings.
        while around and (around[-1].end_byte < end or around[-1].node == node):
            around.pop()
        if around and definition.start_byte < around[-1].end_byte:
            definition.parent = around[-1]
        around.append(definition)


_START: Final = attrgetter("start_byte")
_END: Final = attrgetter("end_byte")
