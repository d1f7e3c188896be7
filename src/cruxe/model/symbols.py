"""What parsing extracts from a file: symbols, sites, imports, chunks and problems.

Lines are 1-based and inclusive. Ordinals count from zero in file order. `NO_SYMBOL` means that
there is no parent or enclosing symbol.
"""

from enum import StrEnum
from typing import Final, NamedTuple

NO_SYMBOL: Final = -1
# Kind, name, the receiver or path before it as written (or empty), line, and the ordinal of the
# enclosing symbol or `NO_SYMBOL`.
Site = tuple["SiteKind", str, str, int, int]
NO_SITES: Final = b"{}"
_WrittenSites = dict[str, dict[str, dict[str, list[tuple[int, int]]]]]
Span = tuple[int, int]  # start and end offset in the file's UTF-8


class SymbolKind(StrEnum):
    """What a definition is."""

    FUNCTION = "function"
    METHOD = "method"
    STRUCT = "struct"
    CLASS = "class"
    ENUM = "enum"
    TRAIT = "trait"
    INTERFACE = "interface"
    CONSTANT = "constant"
    VARIABLE = "variable"
    TYPE_ALIAS = "type_alias"
    MODULE = "module"
    SECTION = "section"

    @classmethod
    def _missing_(cls, value: object) -> "SymbolKind | None":
        """Accept other names of a kind; only the canonical name is ever written."""
        name = OTHER_KIND_NAMES.get(value.lower()) if isinstance(value, str) else None
        return None if name is None else cls(name)


OTHER_KIND_NAMES: Final = {
    "fn": "function",
    "func": "function",
    "def": "function",
    "const": "constant",
    "var": "variable",
    "type": "type_alias",
    "mod": "module",
    "import": "module",
    "use": "module",
}


class SymbolRole(StrEnum):
    """What a definition is for, independent of the language."""

    TYPE = "type"
    CALLABLE = "callable"
    VALUE = "value"
    NAMESPACE = "namespace"
    ALIAS = "alias"


class Visibility(StrEnum):
    """Who may use a definition, by the language's rules."""

    PUBLIC = "public"
    PROTECTED = "protected"
    INTERNAL = "internal"  # to the package, module or file
    PRIVATE = "private"


class SiteKind(StrEnum):
    """How a site mentions a name."""

    CALL = "call"
    REFERENCE = "reference"
    EXTENDS = "extends"
    IMPLEMENTS = "implements"


class ProblemKind(StrEnum):
    """Why fewer symbols were extracted than the file has."""

    SYNTAX_ERROR = "syntax_error"
    TOO_MANY_NODES = "too_many_nodes"
    TOO_MANY_SYMBOLS = "too_many_symbols"
    NESTED_TOO_DEEP = "nested_too_deep"


ROLE_OF_KIND: Final = {
    SymbolKind.FUNCTION: SymbolRole.CALLABLE,
    SymbolKind.METHOD: SymbolRole.CALLABLE,
    SymbolKind.STRUCT: SymbolRole.TYPE,
    SymbolKind.CLASS: SymbolRole.TYPE,
    SymbolKind.ENUM: SymbolRole.TYPE,
    SymbolKind.TRAIT: SymbolRole.TYPE,
    SymbolKind.INTERFACE: SymbolRole.TYPE,
    SymbolKind.CONSTANT: SymbolRole.VALUE,
    SymbolKind.VARIABLE: SymbolRole.VALUE,
    SymbolKind.TYPE_ALIAS: SymbolRole.ALIAS,
    SymbolKind.MODULE: SymbolRole.NAMESPACE,
    SymbolKind.SECTION: SymbolRole.NAMESPACE,
}


class Symbol(NamedTuple):
    """A named definition."""

    name: str
    scope: str  # the qualified name before the name: "shop.cart.Cart."
    kind: SymbolKind
    visibility: Visibility
    parent: int  # ordinal, or NO_SYMBOL
    line_start: int  # of the first decorator or attribute, if any
    line_end: int
    name_line: int
    signature: str  # all its lines, whitespace collapsed
    doc: str
    stable_id: str

    @property
    def qualified_name(self) -> str:
        """The name prefixed with module or package path and enclosing names."""
        return self.scope + self.name


class Import(NamedTuple):
    """A name that a file imports."""

    module: str  # as written: "a.b", "./x", "crate::y", "<stdio.h>"
    name: str  # imported member; empty: the module itself; "*": all of it
    alias: str  # the name bound here; empty if none is bound
    line: int
    is_reexport: bool = False


class Chunk(NamedTuple):
    """A range of lines that is retrieved and ranked."""

    line_start: int
    line_end: int
    symbol: int  # ordinal of the definition that covers at least half of it, or NO_SYMBOL


class ParseProblem(NamedTuple):
    """Something that the parser could not read."""

    kind: ProblemKind
    line: int


class ParsedFile(NamedTuple):
    """Everything extracted from one file version. Symbols are in file order, parents first."""

    language: str
    line_count: int
    symbols: tuple[Symbol, ...]
    # JSON: {kind: {name: {qualifier: [[line, symbol], …]}}}. A file has thousands of sites that are
    # only stored, so no objects are created for them.
    written_sites: bytes
    imports: tuple[Import, ...]
    chunks: tuple[Chunk, ...]
    comment_spans: "tuple[Span, ...]"  # in order
    doc_spans: "tuple[Span, ...]"  # comments and docstrings that document symbols, in order
    problems: tuple[ParseProblem, ...]

    @property
    def sites(self) -> tuple[Site, ...]:
        """The sites, sorted by line, enclosing symbol, kind, name and qualifier."""
        from msgspec.json import decode

        written = decode(self.written_sites, type=_WrittenSites)
        found = [
            (SiteKind(kind), name, qualifier, line, symbol)
            for kind, names in written.items()
            for name, qualifiers in names.items()
            for qualifier, places in qualifiers.items()
            for line, symbol in places
        ]
        return tuple(sorted(found, key=lambda site: (*site[3:], *site[:3])))


# `a.b.C`, `a::b`, `pkg/Class#method`, `ptr->field`, `Outer$Inner`: all separate names.
# A dollar sign at the start of a name belongs to it.
_NAME_SEPARATORS: Final = str.maketrans(dict.fromkeys("#/:\\", "."))
_INNER_DOLLAR: Final = r"(?<=\w)\$(?=\w)"


def split_name(name: str) -> list[str]:
    """Split a qualified name of any language into its parts."""
    path = name.strip().removesuffix("()").replace("->", ".").translate(_NAME_SEPARATORS)
    if "$" in path:
        import re

        path = re.sub(_INNER_DOLLAR, ".", path)
    return [part for part in path.split(".") if part]


def fold_name(name: str) -> str:
    """Normalise the spelling of a name: `rate_limit`, `rateLimit` and `RATE_LIMIT` are equal."""
    folded = name.casefold()
    return folded.replace("_", "") or folded
