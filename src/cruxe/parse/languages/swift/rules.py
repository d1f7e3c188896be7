"""What queries cannot express about Swift."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    MAX_VALUE_CHARACTERS,
    Definition,
    Rules,
    fold_value,
    trim_signature,
)
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CONSTANT: Final = SymbolKind.CONSTANT
_FUNCTION: Final = SymbolKind.FUNCTION
_INTERFACE: Final = SymbolKind.INTERFACE
_VARIABLE: Final = SymbolKind.VARIABLE
_INTERNAL: Final = Visibility.INTERNAL
_PRIVATE: Final = Visibility.PRIVATE
_PUBLIC: Final = Visibility.PUBLIC
# Folders whose subfolders are modules, by the rules of the package manager.
_HOMES_OF_MODULES: Final = ("Sources", "Tests", "Plugins")
_BY_MODIFIER: Final = {
    b"open": Visibility.PUBLIC,
    b"public": Visibility.PUBLIC,
    b"package": Visibility.INTERNAL,
    b"internal": Visibility.INTERNAL,
    b"fileprivate": Visibility.INTERNAL,
    b"private": Visibility.PRIVATE,
}
# `private(set)` restricts only writing.
_MODIFIER: Final = re.compile(rb"\b(?:open|public|package|internal|fileprivate|private)\b(?! *\()")
_CALLABLE: Final = (SymbolKind.FUNCTION, SymbolKind.METHOD)
_VALUES: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
_BODIES: Final = ("computed_property", "willset_didset_block")
_TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))//[^\n\"]*$|/\*.*?\*/", re.MULTILINE | re.DOTALL)
# The grammar parses them as statements, which are not allowed in a type.
_DIAGNOSTIC: Final = re.compile(rb"^[ \t]*#(?:warning|error)\([^\n]*\)[ \t]*$", re.MULTILINE)
_DOC: Final = re.compile(r"///(?!/)|/\*\*(?![*/])")
_MAX_TYPE_CHARACTERS: Final = 200


class SwiftRules(Rules):
    """Names, kinds, heads and visibility of Swift."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text without `#warning` and `#error`."""
        data = source.data
        if b"#warning(" not in data and b"#error(" not in data:
            return data
        return _DIAGNOSTIC.sub(lambda found: b" " * len(found[0]), data)

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the folder below `Sources` or `Tests`, which names the module."""
        del root
        folders = source.path.split("/")[:-1]
        for home in _HOMES_OF_MODULES:
            if home in folders[:-1]:
                return folders[folders.index(home) + 1]
        return ""

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name without backticks; of an extension, the type it extends."""
        if definition.kind is _FUNCTION and "name" not in definition.captures:
            # Read here, because a query for it takes a tenth of a second to compile.
            found = definition.node.child_by_field_name("name")
            definition.captures["name"] = [] if found is None else [found]
        name = super().name(definition, source)
        if definition.kind is None:
            return _extended_type(name)
        return name.strip("`")

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make a `let` that is no instance member a constant."""
        kind = super().kind(definition, source)
        if kind is _VARIABLE:
            words = _words_before_name(definition, source).split()
            if b"let" in words and (definition.parent is None or b"static" in words):
                return _CONSTANT
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by modifier; the default follows the parent or is internal."""
        if definition.node_type != "enum_entry":
            found = _MODIFIER.search(_words_before_name(definition, source))
            if found is not None:
                return _BY_MODIFIER[found[0]]
        parent = definition.parent
        if parent is None:
            return _INTERNAL
        if parent.kind in _CALLABLE:
            return _PRIVATE
        around = self.visibility(parent, source)
        is_public = around is _PUBLIC
        return around if not is_public or _takes_after(definition, parent) else _INTERNAL

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head without attributes and body; one enum case alone."""
        names = definition.captures["name"]
        if definition.node_type == "enum_entry":
            return _case(names[0], source)
        start = names[0].start_byte
        text = source.text_between(start, min(_head_end(definition), start + MAX_HEAD_BYTES))
        if "/" in text:
            text = _COMMENT.sub(" ", text)
        head = _words_before_name(definition, source).decode("utf-8", "replace") + text
        if definition.kind in _VALUES:
            return fold_value(head)
        return trim_signature(head)

    def is_doc_comment(self, comment: str) -> bool:
        """Return True for three slashes or two stars."""
        return _DOC.match(comment) is not None

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return all of a module for `import A`, one member for `import struct A.B`."""
        path = node.child(node.child_count - 1)
        if path is None or path.type != "identifier":
            return
        before = path.prev_sibling
        module, _, last = "".join(source.text_of(path).split()).rpartition(".")
        line = path.start_point[0] + 1
        if before is not None and before.type != "import" and module:
            yield Import(module=module, name=last, alias=last, line=line)
            return
        is_exported = b"@_exported" in source.data[node.start_byte : path.start_byte]
        yield Import(
            module=f"{module}.{last}" if module else last,
            name="*",
            alias=last,
            line=line,
            is_reexport=is_exported,
        )


def _extended_type(text: str) -> str:
    """Return `Outer.Inner` of `Outer<Int>.Inner`; the whole text of unnamed types."""
    text = text[:_MAX_TYPE_CHARACTERS]
    while "<" in text and text != (shorter := _TYPE_ARGUMENTS.sub("", text)):
        text = shorter
    return fold_white_space(text)


def _words_before_name(definition: Definition, source: "SourceText") -> bytes:
    """Return modifiers and keywords, without attributes."""
    node, names = definition.node, definition.captures.get("name")
    if not names:
        return b""
    end = names[0].start_byte
    head = source.data[node.start_byte : end]
    if b"@" not in head:
        return head
    first = node.child(0)
    if first is None or first.type != "modifiers":
        return head
    words = [each.text or b"" for each in first.children if each.type != "attribute"]
    return b" ".join([*words, source.data[first.end_byte : end]])


def _takes_after(definition: Definition, parent: Definition) -> bool:
    """Return whether a member is as visible as the public type or extension around it."""
    return parent.kind in (None, _INTERFACE) or definition.node_type == "enum_entry"


def _head_end(definition: Definition) -> int:
    node, parent = definition.node, definition.parent
    body = node.child_by_field_name("body")
    if body is None and (parent is None or parent.kind is not _INTERFACE):
        last = node.child(node.child_count - 1)
        body = last if last is not None and last.type in _BODIES else None
    return node.end_byte if body is None else body.start_byte


def _case(name: "Node", source: "SourceText") -> str:
    """Return one enum case of several on a line, with its values."""
    end, following = name.end_byte, name.next_sibling
    if following is not None and following.type == "enum_type_parameters":
        end = following.end_byte
    elif following is not None and following.type == "=" and following.next_sibling is not None:
        end = following.next_sibling.end_byte
    text = fold_white_space(source.text_between(name.start_byte, end))
    return f"case {text}"[:MAX_VALUE_CHARACTERS]
