"""Haskell: export lists, signatures with their equations, constructors, Haddock."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import Definition, Language, Rules
from cruxe.parse.languages.haskell.exports import exports_of
from cruxe.parse.languages.haskell.haddock import (
    continues_doc_before,
    is_documentation,
    plain_text,
    trailing_doc,
)
from cruxe.parse.languages.haskell.heads import head_of
from cruxe.parse.languages.haskell.imports import imports_of
from cruxe.parse.languages.haskell.legible import legible_text
from cruxe.parse.languages.haskell.prelude import PRELUDE
from cruxe.parse.languages.haskell.signatures import SIGNATURE, bare_name, unite_equations
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_TYPE_NAME: Final = re.compile(r"[A-Z][\w']*(?!\.)(?:\b|$)")
# A value whose type has no arrow and no constraint is a constant, unless it is an action to run:
# `IO ()`, `STM a`, `Parser Text`.
_ACTION: Final = re.compile(r"::\s*(?:\w+\.)*(?:IO|STM?|Q|\w*(?:Parser|M))\b(?!\.)")
_MAX_SCOPE_CHARACTERS: Final = 80
_PLAIN_VALUES: Final = frozenset({"literal", "list", "tuple", "record", "constructor"})


class HaskellRules(Rules):
    """What queries cannot express about Haskell."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text without the characters that mislead the grammar."""
        return legible_text(source.data)

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the module that the head of the file names."""
        del root
        return exports_of(source.data).module

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Join signatures and equations."""
        unite_equations(definitions, source)

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name without brackets; an instance is named after its type."""
        name = super().name(definition, source)
        if definition.kind is None:
            found = None if name.startswith("[") else _TYPE_NAME.search(name)
            return found.group() if found else fold_white_space(name)[:_MAX_SCOPE_CHARACTERS]
        return bare_name(name)

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make a type with one constructor a struct, a value without arguments a constant."""
        node, kind = definition.node, super().kind(definition, source)
        if kind is SymbolKind.ENUM:
            constructors = node.child_by_field_name("constructors")
            if constructors is None:
                return SymbolKind.STRUCT
            is_one = len(constructors.children_by_field_name("constructor")) == 1
            return SymbolKind.STRUCT if is_one else kind
        if kind is SymbolKind.FUNCTION and _is_value(definition, source):
            return SymbolKind.CONSTANT
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by the export list; an instance's methods follow their type."""
        exports, parent = exports_of(source.data), definition.parent
        is_instance = parent is not None and parent.node.type == "instance"
        if exports.is_open or is_instance:
            return Visibility.PUBLIC
        is_listed = definition.name in exports.names
        if parent is not None:
            is_constructor = definition.kind is SymbolKind.CONSTANT  # a type may have the same name
            is_listed = (
                (is_listed and not is_constructor)
                or definition.name in exports.members
                or _type_around(definition) in exports.whole_types
            )
        return Visibility.PUBLIC if is_listed else Visibility.INTERNAL

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the type signature if there is one, else the head of the first equation."""
        return head_of(definition, source)

    def is_doc_comment(self, comment: str) -> bool:
        """Return True unless it documents the code before it or is a heading."""
        return is_documentation(comment)

    def doc_node(self, definition: Definition) -> "Node | None":
        """Return the `-- ^` comment after a constructor or a field."""
        return trailing_doc(definition)

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the comments above and after, without markers."""
        node = definition.inner_doc
        behind = [] if node is None else [source.text_of(node)]
        if above and continues_doc_before(definition, source, above):
            above = []
        return plain_text([*above, *behind])

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return what an import binds, under which name or alias."""
        return imports_of(node, source)


def _is_value(definition: Definition, source: "SourceText") -> bool:
    """Return whether a binding or pattern without arguments is a plain value."""
    node = definition.node
    signature = node if node.type == "signature" else definition.capture(SIGNATURE)
    if node.type == "pattern_synonym" and signature is None:
        name = definition.capture("name")
        return name is not None and source.text_of(name) == definition.name
    if node.type not in ("bind", "signature", "pattern_synonym"):
        return False
    if signature is not None:
        text = source.text_of(signature)
        return "->" not in text and "=>" not in text and _ACTION.search(text) is None
    match = node.child_by_field_name("match")
    value = None if match is None else match.child_by_field_name("expression")
    return value is not None and value.type in _PLAIN_VALUES


def _type_around(definition: Definition) -> str:
    """Return the type or class of a constructor, field or method."""
    around = definition.parent
    while around is not None and around.kind is SymbolKind.CONSTANT:  # a field of a constructor
        around = around.parent
    return "" if around is None else around.name


LANGUAGE = Language(
    name="haskell",
    extensions=(".hs", ".hs-boot"),
    interpreters=("runhaskell", "runghc", "stack", "cabal"),
    grammar="tree_sitter_haskell:language",
    rules=HaskellRules(),
    predeclared=PRELUDE,
)
