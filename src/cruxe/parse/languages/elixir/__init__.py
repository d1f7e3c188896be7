"""Elixir: modules by their written name, functions over all their clauses, `@doc` as docs."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_SIGNATURE_CHARACTERS,
    Definition,
    Language,
    Rules,
    fold_value,
)
from cruxe.parse.languages.elixir import clauses, implementations
from cruxe.parse.languages.elixir.docs import doc_string, doc_text, is_hidden
from cruxe.parse.languages.elixir.imports import imports_of
from cruxe.parse.languages.elixir.predeclared import PREDECLARED
from cruxe.text.lines import fold_head, fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_PRIVATE: Final = frozenset(("defguardp", "defmacrop", "defnp", "defp", "typep"))
# The whole call is the head: it has no body, or the body is a block.
_SHOWN_WHOLE: Final = frozenset(
    ("defdelegate", "defimpl", "defmodule", "defprotocol", "property", "test")
)
# The grammar rejects ideographs and Hangul in names; letters of the same length replace them.
_UNKNOWN_LETTER: Final = re.compile(rb"[\xe4-\xed][\x80-\xbf]{2}")
_MODULES: Final = (SymbolKind.MODULE, SymbolKind.INTERFACE)


class ElixirRules(Rules):
    """What queries cannot express about Elixir."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text with letters that the grammar accepts."""
        data = source.data
        return data if data.isascii() else _UNKNOWN_LETTER.sub(b"zzz", data)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Join clauses, and attach attributes to their definitions."""
        clauses.settle(definitions, source)

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the last part of a module's name; fields and tests without punctuation."""
        if "protocol" in definition.captures:
            return implementations.place(definition, source)
        name = super().name(definition, source)
        kind = definition.kind
        if kind in _MODULES:
            _leave_functions(definition)
            if name.startswith(":"):  # an atom is the whole name
                definition.parent = None
            definition.container, _, name = name.removeprefix(":").rpartition(".")
            return name
        if kind is SymbolKind.CONSTANT and _is_in_function(definition):
            return ""
        if kind is SymbolKind.VARIABLE:
            return name.strip(':" \t\n')
        if name.startswith('"'):
            text = fold_white_space(name.strip('"')).replace('\\"', '"')
            return "" if "#{" in text else text
        return name

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Make `defp` and attributes private, and definitions with `@doc false` internal."""
        keyword = definition.capture("keyword")
        if keyword is None or source.text_of(keyword) in _PRIVATE:
            return Visibility.PRIVATE
        hidden = is_hidden(definition.capture("doc"), source)
        return Visibility.INTERNAL if hidden else Visibility.PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head of the first clause with its specs; values, types and callbacks whole."""
        node, keyword = definition.node, definition.capture("keyword")
        if keyword is None:
            return fold_value(_text(node, source))
        if definition.kind is SymbolKind.VARIABLE:
            shown = node.parent if node.type == "keyword" else node
            return fold_value(_text(shown or node, source))
        if node.type != "call":
            return fold_head(_text(node, source))[:MAX_SIGNATURE_CHARACTERS]
        pieces = [source.text_between(node.start_byte, _head_end(definition, source))]
        pieces += [_text(spec, source) for spec in definition.captures.get("spec", ())]
        return fold_head(" ".join(pieces))[:MAX_SIGNATURE_CHARACTERS]

    def doc_node(self, definition: Definition) -> "Node | None":
        """Return the string of the doc attribute."""
        return doc_string(definition.capture("doc"))

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the attribute's text, else the comment above."""
        if definition.inner_doc is not None:
            return doc_text(definition.inner_doc, source)
        return super().doc(definition, source, above) if above else ""

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the bindings of `alias A.B, as: C`, `import A`, `require A`, `use A`."""
        return imports_of(node, source)


def _leave_functions(definition: Definition) -> None:
    """Name a module inside a function or a test after the enclosing module."""
    while _is_in_function(definition):
        assert definition.parent is not None
        definition.parent = definition.parent.parent


def _is_in_function(definition: Definition) -> bool:
    parent = definition.parent
    return parent is not None and parent.kind is SymbolKind.FUNCTION


def _text(node: "Node", source: "SourceText") -> str:
    return source.text_between(node.start_byte, min(node.end_byte, node.start_byte + 2000))


def _head_end(definition: Definition, source: "SourceText") -> int:
    node, head = definition.node, definition.capture("head")
    keyword = definition.capture("keyword")
    is_whole = keyword is not None and source.text_of(keyword) in _SHOWN_WHOLE
    if head is not None and not is_whole:
        return head.end_byte
    arguments = node.named_child(1) if node.named_child_count > 1 else None
    return node.end_byte if arguments is None else arguments.end_byte


LANGUAGE = Language(
    name="elixir",
    extensions=(".ex", ".exs"),
    interpreters=("elixir", "iex"),
    grammar="tree_sitter_elixir:language",
    rules=ElixirRules(),
    predeclared=PREDECLARED,
)
