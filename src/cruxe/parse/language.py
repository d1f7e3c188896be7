"""The parser's description of a language: a grammar, a query file and rules.

A language is a folder under `languages/` whose package defines `LANGUAGE` and holds `queries.scm`.
It may also use query files of other folders if the grammars share node types.
A query may use these capture names:

- `definition.<kind>` on the whole definition and `name` on its name; `body` if the grammar's
  `body` field does not end the signature; `container` on the name of a type that the definition
  belongs to but is not nested in (Go receivers, C++ out-of-line members);
- `scope` with `name`: a block that qualifies the names inside it but is no symbol itself;
- `call`, `reference`, `extends`, `implements` on the mentioned name, with `qualifier` on the
  receiver or path before it;
- `type_parameter` on its name: inside the declaring definition the name is no reference;
- `import` on an import statement; `comment` on a comment.

A format that is a list of keys or instructions needs no grammar: its rules return an `Outline`.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.text.lines import fold_head, fold_start

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.native.parsing import DefinitionNumbers
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match, Outline

MAX_SIGNATURE_CHARACTERS = 800
MAX_VALUE_CHARACTERS = 160
# Longer heads are cut, because a value may be a whole class.
MAX_HEAD_BYTES: Final = 2000
MAX_HEADING_CHARACTERS: Final = 200  # of a prose heading that names a symbol
_FEW_CHILDREN: Final = 8
# Used for every definition: a module constant is six times as fast as an enum member lookup.
_FUNCTION: Final = SymbolKind.FUNCTION
_METHOD: Final = SymbolKind.METHOD
_VALUES: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
_PUBLIC: Final = Visibility.PUBLIC


class Definition:
    """A definition that a query matched, before it becomes a symbol."""

    __slots__ = (
        "captures",
        "container",
        "end_byte",
        "inner_doc",
        "inner_prefix",
        "is_doc_known",
        "kind",
        "line_end",
        "line_start",
        "name",
        "name_end",
        "name_line",
        "name_node",
        "name_start",
        "node",
        "node_start",
        "node_type",
        "ordinal",
        "parent",
        "qualified_name",
        "scope",
        "start_byte",
        "start_node",
    )

    def __init__(
        self,
        node: "Node",
        kind: SymbolKind | None,
        captures: "dict[str, list[Node]]",
        numbers: "DefinitionNumbers | None" = None,
    ) -> None:
        """Take a match. `kind` is None for a scope; `numbers` are computed if None."""
        self.node = node
        self.node_type = node.type  # cached, because rules use it often
        self.kind = kind
        self.captures = captures
        self.start_node = node  # the outermost wrapper: decorators, `export`, `template`
        (
            self.start_byte,
            self.end_byte,
            self.line_start,
            self.line_end,
            self.name_start,
            self.name_end,
            self.name_line,
        ) = numbers or definition_numbers(node, captures)
        self.node_start = self.start_byte  # unlike start_byte, never moved to a wrapper
        names = captures.get("name")
        self.name_node = names[0] if names else None  # the node that the name offsets are of
        self.name = ""
        self.scope = ""  # prefix of the name in the qualified name
        self.qualified_name = ""
        self.inner_prefix = ""  # prefix of the qualified names inside this definition
        self.container = ""
        self.inner_doc: Node | None = None  # result of `Rules.doc_node`
        self.is_doc_known = False  # whether reading the head already settled `inner_doc`
        self.parent: Definition | None = None
        self.ordinal = -1

    def capture(self, name: str) -> "Node | None":
        """Return the first node captured under a name, or None."""
        nodes = self.captures.get(name)
        return nodes[0] if nodes else None

    @property
    def enclosing_type(self) -> "Definition | None":
        """The parent, if it is a type or a scope, else None."""
        parent = self.parent
        if parent is not None and (parent.kind is None or parent.kind in TYPE_KINDS):
            return parent
        return None


TYPE_KINDS = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.ENUM,
        SymbolKind.TRAIT,
        SymbolKind.INTERFACE,
    }
)


class Rules:
    """What queries cannot express. Each method has a default that suits most languages."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text for the grammar, with constructs that it cannot parse rewritten.

        Offsets and lines must not change. Names and signatures are read from the original text.
        """
        return source.data

    def searchable(self, source: "SourceText") -> bytes:
        """Return the text for full-text search, with irrelevant parts blanked.

        Offsets and lines must not change.
        """
        return source.data

    def read(self, source: "SourceText") -> "list[Match]":
        """Return matches found without the grammar: see `text_places`."""
        del source
        return []

    def outline(self, source: "SourceText") -> "Outline | None":
        """Return the whole outline if the rules can read it without the grammar, else None."""
        del source
        return None

    def outline_of(self, matches: "list[Match]", source: "SourceText") -> "Outline | None":
        """Return the whole outline if the rules build symbols from matches, else None."""
        del matches, source
        return None

    def visibility_of(self, name: str) -> Visibility:
        """Return the visibility of a symbol of an outline."""
        del name
        return _PUBLIC

    def doc_of(self, above: str) -> str:
        """Return the doc of a symbol of an outline, from the text of the comments above it."""
        return above

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the module, package or namespace of the file's top level."""
        del source, root
        return ""

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the definition's name; an empty name drops the definition."""
        names = definition.captures.get("name")
        if not names:
            return ""
        if names[0] is definition.name_node:
            return source.text_between(definition.name_start, definition.name_end)
        return source.text_of(names[0])

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Return the refined kind; a function inside a type or attached to one is a method."""
        del source
        kind = definition.kind
        assert kind is not None
        if kind is _FUNCTION and (definition.container or definition.enclosing_type is not None):
            return _METHOD
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the definition's visibility."""
        del definition, source
        return _PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head of the definition, all its lines, with white space folded."""
        node = definition.node
        body = definition.capture("body") or node.child_by_field_name("body")
        start = definition.node_start
        if body is not None:
            return head_between(source, start, body.start_byte)
        end = min(node.end_byte, start + MAX_HEAD_BYTES)
        if definition.kind in _VALUES:
            return value_between(source, start, end)
        return head_between(source, start, end)

    def is_doc_comment(self, comment: str) -> bool:
        """Return whether a comment directly above a definition documents it."""
        return bool(comment)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Correct the list and the spans of definitions, in file order, before they are nested."""
        del definitions, source

    def doc_node(self, definition: Definition) -> "Node | None":
        """Return the node inside the definition that documents it, such as a docstring."""
        del definition
        return None

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the definition's doc; `above` holds the doc comments directly above it."""
        del definition, source
        return strip_comment_markers(above)

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the names that an import statement binds."""
        del node, source
        return ()


class Language(NamedTuple):
    """One folder entry under `languages/`."""

    name: str
    extensions: tuple[str, ...] = ()  # lower case, with the dot
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()  # as named in a `#!` line
    aliases: tuple[str, ...] = ()  # other names in lower case, beside extensions
    grammar: str = ""  # "module:function"; if empty, `Rules.read` or `Rules.outline` finds all
    queries: tuple[str, ...] = ("queries.scm",)  # concatenated; relative to the language's folder
    mode: str = "code"  # code or prose
    separator: str = "."
    # Node types of parents that belong to the definition inside them.
    wrappers: frozenset[str] = frozenset()
    # Node types of earlier siblings that belong to the definition after them.
    leading: frozenset[str] = frozenset()
    rules: Rules = Rules()
    # Built-in names: unqualified mentions of them are no sites.
    predeclared: frozenset[str] = frozenset()
    # Whether a file defines or imports every name it uses. If so, an unqualified reference to any
    # other name is a local variable and no site.
    binds_its_names: bool = False
    # For an extension that several languages claim: whether the content is in this language.
    recognises: Callable[[bytes], bool] | None = None


def first_of_type(root: "Node", kind: str) -> "Node | None":
    """Return the first named child of a type; tries the first few before listing all children."""
    few = min(root.named_child_count, _FEW_CHILDREN)
    for place in range(few):
        child = root.named_child(place)
        if child is not None and child.type == kind:
            return child
    if few < _FEW_CHILDREN:
        return None
    return next((child for child in root.named_children if child.type == kind), None)


def definition_numbers(node: "Node", captures: "dict[str, list[Node]]") -> "DefinitionNumbers":
    """Return offsets and lines of a definition and its name; -1 for the offsets of no name."""
    line, last = node.start_point[0] + 1, last_line(node)
    names = captures.get("name")
    if not names:
        return *node.byte_range, line, last, -1, -1, line
    return *node.byte_range, line, last, *names[0].byte_range, names[0].start_point[0] + 1


def last_line(node: "Node") -> int:
    """Return the last line (1-based) that holds a character of the node."""
    row, column = node.end_point
    # Some grammars end a node after its newline, at column 0 of the next line.
    return row if column == 0 and row > node.start_point[0] else row + 1


def head_between(source: "SourceText", start: int, end: int) -> str:
    """Return the text between two offsets as a signature: see `trim_signature`."""
    return trim_signature(source.text_between(start, end))


def value_between(source: "SourceText", start: int, end: int) -> str:
    """Return the text between two offsets folded to one line, as the signature of a value."""
    return fold_value(source.text_between(start, end))


def fold_value(text: str) -> str:
    """Fold a text to one line, as the signature of a value."""
    return fold_start(text, MAX_VALUE_CHARACTERS)


def trim_signature(text: str) -> str:
    """Fold the head of a definition and drop the token that opens its body."""
    folded = fold_head(text)
    if folded.endswith(("{", ":", "=", "=>")):
        for ending in ("=>", "{", ":", "="):
            folded = folded.removesuffix(ending).rstrip()
    return folded[:MAX_SIGNATURE_CHARACTERS]
