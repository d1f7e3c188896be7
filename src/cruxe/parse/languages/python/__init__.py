"""Python: docstrings, underscore visibility, dotted module paths."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    Definition,
    Language,
    Rules,
    trim_signature,
    value_between,
)
from cruxe.parse.languages.python.docstrings import docstring_node, docstring_text
from cruxe.parse.languages.python.heads import has_nothing_below, read_plain_head
from cruxe.parse.languages.python.imports import imports_of
from cruxe.parse.languages.python.kinds import kind_of_class, kind_of_variable
from cruxe.parse.languages.python.legible import open_brackets, without_open_brackets
from cruxe.parse.text_places import matched, place

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

_INTERNAL: Final = Visibility.INTERNAL
_PRIVATE: Final = Visibility.PRIVATE
_PROTECTED: Final = Visibility.PROTECTED
_FUNCTION: Final = SymbolKind.FUNCTION
_CLASS: Final = SymbolKind.CLASS
_VARIABLE: Final = SymbolKind.VARIABLE
_PUBLIC: Final = Visibility.PUBLIC
_SOURCE_FOLDERS: Final = ("src/", "lib/")
# Text before a body that is blanked for the grammar: see `legible`.
_OPEN_BODY: Final = re.compile(r"\s*:[\s(\[{\\]+\Z")
# Comments for tools, not for readers.
_DIRECTIVE: Final = re.compile(
    r"#+\s*(?:!|-\*-|type:|noqa|pragma|pylint:|mypy:|pyright:|ruff:|isort:|fmt:|flake8:|nosec)"
)


class PythonRules(Rules):
    """What queries cannot express about Python."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text without unclosed brackets before a definition."""
        return without_open_brackets(source.data)

    def read(self, source: "SourceText") -> "list[Match]":
        """Return the errors that the grammar does not see: unclosed brackets."""
        places = open_brackets(source.data)
        return [matched("error", place(source, start, start + 1)) for start in places]

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the dotted path of the module, without a leading `src/` or `lib/`."""
        del root
        path = source.path
        for folder in _SOURCE_FOLDERS:
            path = path.removeprefix(folder)
        parts = path.rpartition(".")[0].split("/")
        if parts[-1] == "__init__":
            parts.pop()
        return ".".join(parts)

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name; empty for a local variable."""
        if definition.kind is _VARIABLE:
            parent = definition.parent
            if parent is not None and parent.kind is _VARIABLE:  # `a = b = 1`
                parent = definition.parent = parent.parent
            if parent is not None and parent.kind is _FUNCTION:
                return ""
        name = super().name(definition, source)
        return "" if name == "_" else name

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Return the kind of a class by its bases, of a variable by its value."""
        if definition.kind is _CLASS:
            return kind_of_class(definition, source)
        if definition.kind is _VARIABLE:
            return kind_of_variable(definition, source)
        return super().kind(definition, source)

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by leading underscores; two make a member private."""
        del source
        name = definition.name
        if not name.startswith("_") or (name.startswith("__") and name.endswith("__")):
            return _PUBLIC
        if definition.enclosing_type is None:
            return _INTERNAL
        return _PRIVATE if name.startswith("__") else _PROTECTED

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head, without comments between parameters; a variable with its value."""
        node = definition.node
        if definition.kind is _VARIABLE:
            if definition.node_type == "identifier":
                node = _assignment_around(node)
            start, end = node.byte_range
            definition.is_doc_known = has_nothing_below(source, end)
            return value_between(source, start, min(end, start + MAX_HEAD_BYTES))
        plain = read_plain_head(definition, source)
        if plain is not None:
            return plain
        text = _OPEN_BODY.sub("", super().signature(definition, source))
        return _signature_without_comments(definition, source) if "#" in text else text

    def is_doc_comment(self, comment: str) -> bool:
        """Return True unless the comment is for a tool."""
        return _DIRECTIVE.match(comment) is None

    def doc_node(self, definition: Definition) -> "Node | None":
        """Return the docstring: first in the body, or directly below an assignment."""
        return definition.inner_doc if definition.is_doc_known else docstring_node(definition)

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the docstring, else the comment above."""
        node = definition.inner_doc
        if node is not None:
            return docstring_text(source.text_of(node))
        if not above:
            return ""
        return super().doc(definition, source, [text.replace("#:", "#", 1) for text in above])

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the bindings of `import a.b as c`, `from x import y as z`, `from . import *`."""
        return imports_of(node, source)


def _assignment_around(node: "Node") -> "Node":
    outer = node
    while outer.type != "expression_statement" and outer.parent is not None:
        outer = outer.parent
    return outer


def _signature_without_comments(definition: Definition, source: "SourceText") -> str:
    """Return the head without the comments among parameters or before the body."""
    node = definition.node
    body = node.child_by_field_name("body")
    end = node.end_byte if body is None else body.start_byte
    lists = (node.child_by_field_name(field) for field in ("parameters", "superclasses"))
    inner = [child for each in lists if each is not None for child in each.named_children]
    position = node.start_byte
    pieces: list[str] = []
    for child in sorted([*inner, *node.named_children], key=lambda each: each.start_byte):
        if child.type == "comment" and child.start_byte < end:
            pieces.append(source.text_between(position, child.start_byte))
            position = child.end_byte
    return trim_signature("".join([*pieces, source.text_between(position, end)]))


LANGUAGE = Language(
    name="python",
    extensions=(".py", ".pyi", ".pyw"),
    interpreters=("python", "pypy"),
    grammar="tree_sitter_python:language",
    wrappers=frozenset({"decorated_definition"}),
    rules=PythonRules(),
    predeclared=frozenset({"self", "cls", "None", "True", "False"}),
    binds_its_names=True,
)
