"""What queries cannot express about C. C++ extends these rules."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.parse.language import Definition, Rules
from cruxe.parse.languages.c.declarators import (
    DECLARATIONS,
    declaration_of,
    settle_declarator,
    specifiers_of,
)
from cruxe.parse.languages.c.legible import legible_text
from cruxe.parse.languages.c.signatures import clean_head, declared_signature, macro_signature

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_INTERNAL: Final = Visibility.INTERNAL
_PUBLIC: Final = Visibility.PUBLIC
_MACROS: Final = frozenset({"preproc_def", "preproc_function_def"})
_FUNCTION: Final = SymbolKind.FUNCTION
_VARIABLE: Final = SymbolKind.VARIABLE
_VALUES: Final = frozenset({_VARIABLE, SymbolKind.CONSTANT})
# Broken text can look like a function: `else if (…) { … }` outside any function.
_STATEMENTS: Final = frozenset(
    {"case", "catch", "do", "else", "for", "if", "return", "sizeof", "switch", "while"}
)
# The name and the `#define`: a block with nothing else sets a macro's default.
_EMPTY_BLOCK: Final = 2
_STATIC: Final = re.compile(rb"\bstatic\b")
# `char *const p` is constant, `const char *p` is not.
_CONSTANT: Final = re.compile(rb"\bconstexpr\b|\bconst\b[^*]*\Z")


class CRules(Rules):
    """Names inside declarators, linkage, trailing comments, includes."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text with macros and broken branches blanked; offsets do not change."""
        return legible_text(source.data)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Find the name inside each declarator and keep one of the ranges that a query matched."""
        settled = [each for each in definitions if _is_settled(each)]
        if source.path.endswith(".c"):
            settled = _without_announced(settled, source)
        definitions[:] = settled

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the identifier; empty if the definition is no symbol."""
        captures = definition.captures
        if "declarator" in captures:
            if definition.parent is not None:
                _stand_beside_first(definition)
                if _is_local(definition):
                    return ""
        elif definition.node_type == "preproc_def" and is_include_guard(definition.node, source):
            return ""
        if "name" not in captures:
            return ""
        name = source.text_of(captures["name"][0])
        return "" if name in _STATEMENTS else name

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make a variable whose own type is `const` a constant."""
        kind = definition.kind
        assert kind is not None
        if kind is _VARIABLE and _CONSTANT.search(specifiers_of(definition, source, b"const")):
            return SymbolKind.CONSTANT
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Make `static` outside functions and types internal."""
        if definition.parent is None and is_static(definition, source):
            return _INTERNAL
        return _PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head of the definition without attributes."""
        node, kind = definition.node, definition.node_type
        if kind in _MACROS:
            return macro_signature(node, source)
        if kind != "function_definition" and "declarator" in definition.captures:
            return declared_signature(definition, source)
        return clean_head(source, definition.start_byte, self.head_end(node, source))

    def head_end(self, node: "Node", source: "SourceText") -> int:
        """Return where the head of a definition ends."""
        del source
        body = node.child_by_field_name("body")
        return node.end_byte if body is None else body.start_byte

    def doc_node(self, definition: Definition) -> "Node | None":
        """Return the trailing comment of a field, enumerator, variable or macro."""
        if definition.kind not in _VALUES:
            return None
        node = declaration_of(definition)
        if node.type in _MACROS:
            last = node.child(node.child_count - 1)
            return last if last is not None and last.type == "comment" else None
        after = node.next_sibling
        if after is not None and after.type == ",":
            after = after.next_sibling
        if after is None or after.type != "comment":
            return None
        return after if after.start_point[0] == node.end_point[0] else None

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the comment above, else the trailing comment."""
        if above:
            return strip_comment_markers(above)
        behind = definition.inner_doc
        return "" if behind is None else strip_comment_markers([source.text_of(behind)])

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the included header, which binds all its names; angle brackets are kept."""
        path = node.child_by_field_name("path")
        if path is not None:
            module = source.text_of(path).strip().strip('"')
            yield Import(module=module, name="*", alias="", line=node.start_point[0] + 1)


def is_static(definition: Definition, source: "SourceText") -> bool:
    """Return whether a declaration says `static`."""
    return _STATIC.search(specifiers_of(definition, source, b"static")) is not None


def is_include_guard(node: "Node", source: "SourceText") -> bool:
    """Return whether a `#define` is an include guard."""
    if node.child_by_field_name("value") is not None:  # the usual case
        return False
    block, name = node.parent, node.child_by_field_name("name")
    if block is None or name is None:
        return False
    guarded = block.child_by_field_name("name")
    if block.type != "preproc_ifdef" or guarded is None or block.named_child_count <= _EMPTY_BLOCK:
        return False
    return source.text_of(guarded) == source.text_of(name)


def _is_settled(definition: Definition) -> bool:
    """Settle a definition that a declarator makes; return whether to keep it."""
    node = definition.node
    if definition.node_type in DECLARATIONS:
        return settle_declarator(definition, node)
    # If the name is the whole node, it is one of several declarators.
    is_name = definition.name_start == definition.node_start and definition.name_node == node
    if is_name and (declaration := node.parent) is not None:
        return settle_declarator(definition, declaration)
    return True


def _without_announced(definitions: list[Definition], source: "SourceText") -> list[Definition]:
    """Drop prototypes of functions that the same file defines."""
    defined: set[str] = set()
    announced: dict[int, str] = {}
    for number, definition in enumerate(definitions):
        if definition.kind is _FUNCTION:
            kind = definition.node_type
            if kind == "function_definition":
                defined.add(source.text_of(definition.captures["name"][0]))
            elif kind == "declaration":
                announced[number] = source.text_of(definition.captures["name"][0])
    return [each for number, each in enumerate(definitions) if announced.get(number) not in defined]


def _stand_beside_first(definition: Definition) -> None:
    """Make `b` of `struct { … } a, b;` a sibling of `a`, whose range is the whole declaration."""
    parent = definition.parent
    if parent is not None and parent.node == declaration_of(definition):
        definition.parent = parent.parent


def _is_local(definition: Definition) -> bool:
    """Return whether it is a local variable or prototype; local types are symbols."""
    parent = definition.parent
    if parent is None or parent.kind is not _FUNCTION:
        return False
    declaration = declaration_of(definition)
    if declaration.type == "function_definition":
        return declaration.has_error  # part of a broken statement, not a nested function
    return declaration.type in ("declaration", "field_declaration")
