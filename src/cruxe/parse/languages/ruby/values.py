"""What an assignment defines: a constant, a variable, or a type that a call makes."""

from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import Definition, fold_value
from cruxe.parse.languages.ruby.macros import end_of_call_head

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_MAKERS: Final = {
    b"Class.new": SymbolKind.CLASS,
    b"Data.define": SymbolKind.STRUCT,
    b"Module.new": SymbolKind.MODULE,
    b"Struct.new": SymbolKind.STRUCT,
}
# Built-in globals; an assignment does not define them.
_OWN_GLOBALS: Final = frozenset(
    (
        *("$DEBUG", "$LOADED_FEATURES", "$LOAD_PATH", "$PROGRAM_NAME", "$VERBOSE"),
        *("$stderr", "$stdin", "$stdout"),
    )
)
_LONGEST_MAKER: Final = max(map(len, _MAKERS))
_MADE: Final = frozenset(_MAKERS.values())


def kind_of(definition: Definition, source: "SourceText") -> SymbolKind:
    """Return the kind by name, then by the assigned value."""
    if definition.name.startswith(("@", "$")):
        return SymbolKind.VARIABLE
    value = definition.node.child_by_field_name("right")
    if value is None:
        return SymbolKind.CONSTANT
    text = source.data[value.start_byte : value.start_byte + _LONGEST_MAKER]
    if not text.startswith((b"Class", b"Data", b"Module", b"Struct")) or value.type != "call":
        return SymbolKind.CONSTANT
    found = [kind for maker, kind in _MAKERS.items() if text.startswith(maker)]
    return found[0] if found else SymbolKind.CONSTANT


def is_own_global(name: str) -> bool:
    """Return whether a global is built into Ruby: `$stdout`, `$0`, `$;`."""
    return name.startswith("$") and (name in _OWN_GLOBALS or not name[1:].isidentifier())


def signature(definition: Definition, source: "SourceText") -> str:
    """Return the assignment; for a type made by a call, without its block."""
    node = definition.node
    if node.type == "constant":
        node = _assignment_around(node)
    end = node.end_byte
    if definition.kind in _MADE:
        end = end_of_call_head(node.child_by_field_name("right"), end)
    text = source.text_between(node.start_byte, min(end, node.start_byte + 2000))
    return fold_value(text)


def _assignment_around(node: "Node") -> "Node":
    """Return the assignment of several constants: `A, B = 1, 2`."""
    names = node.parent
    return (names.parent or names) if names is not None else node
