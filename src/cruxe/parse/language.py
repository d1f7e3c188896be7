"""What a language is to the parser: a grammar, a query file and a few rules.

A language is a folder under `languages/` whose package defines `LANGUAGE` and holds `queries.scm`;
it may name query files of other folders too, where grammars share node types.
The capture names a query may use:

- `definition.<kind>` on the whole definition with `name` on its name; `body` where the grammar's
  `body` field does not end the signature; `container` on the name of a type that the definition
  belongs to without standing inside it (Go receivers, C++ out-of-line members);
- `scope` with `name`: a block that lends its name to what is inside without being a symbol;
- `call`, `reference`, `extends`, `implements` on the name mentioned, with `qualifier` on the
  receiver or path before it;
- `type_parameter` on the name of one: inside the definition that declares it, it is no reference;
- `import` on an import statement; `comment` on a comment.

A format that is a list of keys or instructions needs neither: its rules give an `Outline`.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.text.heads import fold_head, fold_start

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.native.parsing import DefinitionNumbers
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match, Outline

MAX_SIGNATURE_CHARACTERS = 800
MAX_VALUE_CHARACTERS = 160
# Longer heads are cut; a value may be a whole class.
MAX_HEAD_BYTES: Final = 2000
MAX_HEADING_CHARACTERS: Final = 200  # of a heading of prose, as a symbol's name
_FEW_CHILDREN: Final = 8
# Members that are asked for again and again: an enumeration takes six times as long to give one,
# since its type is asked first.
_FUNCTION: Final = SymbolKind.FUNCTION
_METHOD: Final = SymbolKind.METHOD
_VALUES: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
_PUBLIC: Final = Visibility.PUBLIC


class Definition:
    """A definition as a query found it, on its way to becoming a symbol."""

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
        """Start from a match; `kind` is absent for a scope, `numbers` where nobody knows them."""
        self.node = node
        self.node_type = node.type  # kept, since rules ask for it again and again
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
        self.node_start = self.start_byte  # which stays, whatever widens the definition
        names = captures.get("name")
        self.name_node = names[0] if names else None  # what the numbers are of
        self.name = ""
        self.scope = ""  # what stands before the name in the qualified one
        self.qualified_name = ""
        self.inner_prefix = ""  # of the qualified names of what is inside
        self.container = ""
        self.inner_doc: Node | None = None  # what `Rules.doc_node` gave
        self.is_doc_known = False  # whether it was found with the head, or that there is none
        self.parent: Definition | None = None
        self.ordinal = -1

    def capture(self, name: str) -> "Node | None":
        """The first node captured under a name."""
        nodes = self.captures.get(name)
        return nodes[0] if nodes else None

    @property
    def enclosing_type(self) -> "Definition | None":
        """The nearest definition or scope around this one, if it is a type or a scope."""
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
    """What queries cannot say. Each method has a default that suits most languages."""

    def legible(self, source: "SourceText") -> bytes:
        """What the grammar reads: the text, made easier for it where the language needs that.

        Offsets and lines must stay as they are; names and signatures come from the text itself.
        """
        return source.data

    def searchable(self, source: "SourceText") -> bytes:
        """What is found by its words: the text, with blanks for what nobody looks for.

        Offsets and lines must stay as they are.
        """
        return source.data

    def read(self, source: "SourceText") -> "list[Match]":
        """What is found without the grammar, or where there is none: see `places`."""
        del source
        return []

    def outline(self, source: "SourceText") -> "Outline | None":
        """All that there is to find, where the rules can tell it without the grammar."""
        del source
        return None

    def outline_of(self, matches: "list[Match]", source: "SourceText") -> "Outline | None":
        """All that there is to find, where the rules make symbols of matches by themselves."""
        del matches, source
        return None

    def visibility_of(self, name: str) -> Visibility:
        """Who may use a symbol of an outline."""
        del name
        return _PUBLIC

    def doc_of(self, above: str) -> str:
        """What the comments above a symbol of an outline say of it."""
        return above

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """The module, package or namespace that the file's top level belongs to."""
        del source, root
        return ""

    def name(self, definition: Definition, source: "SourceText") -> str:
        """The definition's name; an empty one drops the definition."""
        names = definition.captures.get("name")
        if not names:
            return ""
        if names[0] is definition.name_node:
            return source.text_between(definition.name_start, definition.name_end)
        return source.text_of(names[0])

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Refine the kind; a function inside a type or attached to one is a method."""
        del source
        kind = definition.kind
        assert kind is not None
        if kind is _FUNCTION and (definition.container or definition.enclosing_type is not None):
            return _METHOD
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Who may use the definition."""
        del definition, source
        return _PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """All lines of the head of the definition, white space folded."""
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
        """Whether a comment directly above a definition documents it."""
        return bool(comment)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Correct the spans of definitions before they are nested; they come in file order."""
        del definitions, source

    def doc_node(self, definition: Definition) -> "Node | None":
        """The node inside the definition that documents it, such as a docstring."""
        del definition
        return None

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """The definition's documentation; `above` holds the doc comments that touch it."""
        del definition, source
        return strip_comment_markers(above)

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """What an import statement binds."""
        del node, source
        return ()


class Language(NamedTuple):
    """One folder entry under `languages/`."""

    name: str
    extensions: tuple[str, ...] = ()  # lower case, with the dot
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()  # as a `#!` line names them
    grammar: str = ""  # "module:function"; empty: `Rules.read` finds all there is to find
    queries: tuple[str, ...] = ("queries.scm",)  # read as one, relative to the language's folder
    mode: str = "code"  # code or prose
    separator: str = "."
    # Node types of a parent that belongs to the definition inside it.
    wrappers: frozenset[str] = frozenset()
    # Node types of earlier siblings that belong to the definition after them.
    leading: frozenset[str] = frozenset()
    rules: Rules = Rules()
    # Names that every file knows: bare mentions of them are no sites.
    predeclared: frozenset[str] = frozenset()
    # Whether a file defines or imports every name it uses; then a bare reference to any other
    # name is to a local variable, and no site.
    binds_its_names: bool = False
    # For an extension that several languages claim: whether the content is of this one.
    recognises: Callable[[bytes], bool] | None = None


def first_of_type(root: "Node", kind: str) -> "Node | None":
    """The first child of a type; most that are looked for are among the first of all."""
    few = min(root.named_child_count, _FEW_CHILDREN)
    for place in range(few):
        child = root.named_child(place)
        if child is not None and child.type == kind:
            return child
    if few < _FEW_CHILDREN:
        return None
    return next((child for child in root.named_children if child.type == kind), None)


def definition_numbers(node: "Node", captures: "dict[str, list[Node]]") -> "DefinitionNumbers":
    """Where a definition and its name start and end, and on which lines; -1 without a name."""
    line, last = node.start_point[0] + 1, last_line(node)
    names = captures.get("name")
    if not names:
        return *node.byte_range, line, last, -1, -1, line
    return *node.byte_range, line, last, *names[0].byte_range, names[0].start_point[0] + 1


def last_line(node: "Node") -> int:
    """The last line (1-based) that holds a character of the node."""
    row, column = node.end_point
    # Some grammars end a node after its newline, at column 0 of the next line.
    return row if column == 0 and row > node.start_point[0] else row + 1


def head_between(source: "SourceText", start: int, end: int) -> str:
    """The text between two offsets as a signature: see `trim_signature`."""
    return trim_signature(source.text_between(start, end))


def value_between(source: "SourceText", start: int, end: int) -> str:
    """The text between two offsets on one line, as the signature of a value."""
    return fold_value(source.text_between(start, end))


def fold_value(text: str) -> str:
    """A text on one line, as the signature of a value."""
    return fold_start(text, MAX_VALUE_CHARACTERS)


def trim_signature(text: str) -> str:
    """Fold the head of a definition and drop what only opens its body."""
    folded = fold_head(text)
    if folded.endswith(("{", ":", "=", "=>")):
        for ending in ("=>", "{", ":", "="):
            folded = folded.removesuffix(ending).rstrip()
    return folded[:MAX_SIGNATURE_CHARACTERS]
