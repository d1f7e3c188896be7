"""Module attributes: constants, types, callbacks, and attributes of the next definition."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import Definition
from cruxe.parse.languages.elixir.docs import is_metadata

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

# Attributes about the next definition, and those that are about the module or its compilation.
LEADING: Final = frozenset(
    ("deprecated", "describetag", "dialyzer", "doc", "impl", "since", "spec", "tag", "typedoc")
)
OF_MODULE: Final = frozenset(
    (
        *("after_compile", "after_verify", "before_compile", "behaviour", "compile", "derive"),
        *("enforce_keys", "external_resource", "fallback_to_any", "file", "moduledoc"),
        *("moduletag", "nifs", "on_definition", "on_load", "optional_callbacks", "requirements"),
        *("shortdoc", "undefined_impl_description", "vsn"),
    )
)
_DOCS: Final = ("doc", "typedoc")
_KINDS: Final = {
    "callback": SymbolKind.FUNCTION,
    "macrocallback": SymbolKind.FUNCTION,
    "opaque": SymbolKind.TYPE_ALIAS,
    "type": SymbolKind.TYPE_ALIAS,
    "typep": SymbolKind.TYPE_ALIAS,
}


def refine(definition: Definition, word: str) -> bool:
    """Turn an attribute into a type or callback; return whether it has a name."""
    kind = _KINDS.get(word)
    if kind is None:
        return True
    name = _typed_name(definition.capture("value"))
    if name is None:
        return False
    definition.kind = kind
    definition.captures["keyword"] = definition.captures["name"]
    definition.captures["name"] = [name]
    return True


def attach(attributes: list[tuple[str, Definition]], definition: Definition) -> None:
    """Move a definition's first line to its first attribute; its offsets do not change.

    So the types that a `@spec` mentions are not counted as calls that the function makes.
    """
    captures = definition.captures
    definition.line_start = attributes[0][1].line_start
    for word, attribute in attributes:
        if word in _DOCS and not is_metadata(attribute.node):
            captures["doc"] = [attribute.node]
        elif word == "spec":
            captures.setdefault("spec", []).append(attribute.node)


def fields_of(definition: Definition, source: "SourceText") -> Iterator[Definition]:
    """Yield the fields that `defstruct` or `defexception` lists."""
    values, words = definition.capture("value"), definition.captures["fields"]
    for value in values.named_children if values is not None else ():
        for entry in value.named_children if value.type == "list" else [value]:
            for name in _names(entry):
                if source.text_of(name).strip():
                    captures = {"name": [name], "keyword": words}
                    yield Definition(name, SymbolKind.VARIABLE, captures)


def _names(entry: "Node") -> "Iterator[Node]":
    if entry.type == "atom":
        yield entry
    elif entry.type == "keywords":
        for pair in entry.named_children:
            if (key := pair.child_by_field_name("key")) is not None:
                yield key


def _typed_name(values: "Node | None") -> "Node | None":
    """Return the name before `::`, in `name :: type` or `name(arguments) :: type when …`."""
    node = values.named_child(0) if values is not None and values.named_child_count else None
    while node is not None and node.type == "binary_operator":
        node = node.child_by_field_name("left")
    if node is not None and node.type == "call":
        node = node.child_by_field_name("target")
    return node if node is not None and node.type == "identifier" else None
