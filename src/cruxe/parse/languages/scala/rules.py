"""What queries cannot express about Scala."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    MAX_VALUE_CHARACTERS,
    Definition,
    Rules,
    trim_signature,
)
from cruxe.parse.languages.scala.imports import bindings_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CLASS: Final = SymbolKind.CLASS
_FUNCTION: Final = SymbolKind.FUNCTION
_METHOD: Final = SymbolKind.METHOD
_MODULE: Final = SymbolKind.MODULE
_VARIABLE: Final = SymbolKind.VARIABLE
_INTERNAL: Final = Visibility.INTERNAL
_PRIVATE: Final = Visibility.PRIVATE
_PROTECTED: Final = Visibility.PROTECTED
_PUBLIC: Final = Visibility.PUBLIC
_CALLABLE: Final = (SymbolKind.FUNCTION, SymbolKind.METHOD)
_VALUES: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
_MEMBERS: Final = (SymbolKind.METHOD, SymbolKind.VARIABLE)
_TEMPLATES: Final = ("template_body", "with_template_body")
_REFINEMENTS: Final = ("refinement", "structural_type")
_ENUM_CASES: Final = ("simple_enum_case", "full_enum_case")
_BEFORE_PACKAGE: Final = ("comment", "block_comment", "using_directive")
_ACCESS: Final = re.compile(r"\b(private|protected)\b(?:\s*\[\s*(\w+))?")
_WORD: Final = re.compile(rb"\w+")
_COMMENT_OR_STRING: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.DOTALL)
_CONSTANT: Final = re.compile(rb"\b(?:final|inline)\s(?!.*\blazy\b).*\bval\b", re.DOTALL)
_BRACKETS: Final = {"[": 1, "]": -1}


class ScalaRules(Rules):
    """Packages, givens, extensions, modifiers, Scaladoc and imports."""

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the top package clauses without a body, joined."""
        names: list[str] = []
        for child in root.named_children:
            if child.type == "package_clause" and child.child_by_field_name("body") is None:
                if (name := child.child_by_field_name("name")) is not None:
                    names.append(_dotted(source.text_of(name)))
            elif child.type not in _BEFORE_PACKAGE:
                break
        return ".".join(names)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """End definitions with their code: an indented body extends to the next definition."""
        data = source.data
        for definition in definitions:
            end = definition.end_byte
            if data[end - 1 : end].isspace():
                definition.end_byte = code_end = _code_end(data, definition.start_byte, end)
                blank_lines = data.count(b"\n", code_end, end)
                definition.line_end = definition.node.end_point[0] + 1 - blank_lines

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name without backticks; an unnamed given gets the compiler's name."""
        name = super().name(definition, source)
        if definition.kind is None:
            return name if _is_attached(definition, source) else ""
        if definition.kind is _MODULE:
            return _dotted(name)
        is_inside = definition.parent is not None and definition.enclosing_type is None
        if is_inside and _is_in(definition, _REFINEMENTS):
            return ""  # part of the enclosing definition's type
        if name == "given":
            instance = definition.node.child_by_field_name("return_type")
            return "" if instance is None else _given_name(source.text_of(instance))
        return "" if name == "_" else name.strip("`")

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make a `final val` a constant and a given with members a class."""
        kind = super().kind(definition, source)
        if kind is _FUNCTION:
            return _METHOD if _is_member(definition) else kind
        if kind is not _VARIABLE:
            return kind
        node = definition.node
        if definition.node_type == "given_definition":
            body = node.child_by_field_name("body")
            return _CLASS if body is not None and body.type in _TEMPLATES else kind
        head = source.data[definition.node_start : definition.name_start]
        return SymbolKind.CONSTANT if _CONSTANT.search(head) else kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by modifier; `private` at top level or with a scope is internal."""
        parent = definition.parent
        if parent is not None and parent.kind in _CALLABLE and _is_local(definition):
            return _PRIVATE
        head = source.text_between(_head_start(definition, source), definition.name_start)
        found = _ACCESS.search(head)
        if found is None:
            return _PUBLIC
        if found[1] == "protected":
            return _PROTECTED
        is_of_package = parent is None or parent.kind is _MODULE
        if (is_of_package or found[2]) and found[2] != "this":
            return _INTERNAL
        return _PRIVATE

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head without annotations, comments and body."""
        node = definition.node
        start = _head_start(definition, source)
        body = node.child_by_field_name("body")
        end = node.end_byte if body is None else body.start_byte
        head = source.text_between(start, min(end, start + MAX_HEAD_BYTES))
        if node.type in _ENUM_CASES:
            head = f"case {head}"
        elif definition.parent is not None and definition.parent.kind is None:
            head = f"{_extension_head(definition.parent, source)} {head}"
        if "/*" in head or "//" in head:
            head = _COMMENT_OR_STRING.sub(_keep_string, head)
        if definition.kind in _VALUES:
            return trim_signature(head)[:MAX_VALUE_CHARACTERS]
        return trim_signature(head).removesuffix(" with")

    def is_doc_comment(self, comment: str) -> bool:
        """Return True for Scaladoc."""
        return comment.startswith("/**")

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the imports; an `export` counts as a re-export."""
        line, is_export = node.start_point[0] + 1, node.type == "export_declaration"
        for module, name, alias in bindings_of(source.text_of(node)):
            yield Import(module=module, name=name, alias=alias, line=line, is_reexport=is_export)


def _code_end(data: bytes, start: int, end: int) -> int:
    """Return the end of the last code in a span that may end in comments and white space."""
    while end > start:
        if data[end - 1 : end].isspace():
            end -= 1
            continue
        line_start = data.rfind(b"\n", start, end) + 1
        if data[line_start:end].lstrip().startswith(b"//"):
            end = line_start
            continue
        opening = data.rfind(b"/*", start, end) if data.endswith(b"*/", start, end) else -1
        if opening < 0 or data[data.rfind(b"\n", start, opening) + 1 : opening].strip():
            break
        end = opening
    return end


def _dotted(name: str) -> str:
    return "".join(name.replace("`", "").split())


def _is_attached(extension: Definition, source: "SourceText") -> bool:
    """Return whether an extension belongs to its receiver, not to the type or function around it.

    A type parameter as receiver stands for any type, so it does not count.
    """
    if extension.parent is not None:
        return False
    extended = extension.captures["name"][0]
    before = source.data[extension.node.start_byte : extended.start_byte].partition(b"(")[0]
    name = source.data[extended.start_byte : extended.end_byte]
    return name not in _WORD.findall(before)


def _given_name(instance: str) -> str:
    """`given_Ord_List` of `a.Ord[List[Int]]`: the type and its arguments without theirs."""
    names, depth = list[str](), 0
    for part in re.findall(r"[\w.]+|[\[\]]", instance):
        if part in _BRACKETS:
            depth += _BRACKETS[part]
        elif depth <= 1:
            names.append(part.rpartition(".")[2])
    return "_".join(["given", *names])


def _is_member(definition: Definition) -> bool:
    """Return whether a function inside a function or a value belongs to an anonymous class."""
    parent = definition.parent
    return parent is not None and parent.kind is not _MODULE and _is_in(definition, _TEMPLATES)


def _is_local(definition: Definition) -> bool:
    return definition.kind not in _MEMBERS and not _is_in(definition, _TEMPLATES)


def _is_in(definition: Definition, types: tuple[str, ...]) -> bool:
    around = definition.node.parent
    return around is not None and around.type in types


def _head_start(definition: Definition, source: "SourceText") -> int:
    """Return where the head starts, after its annotations."""
    node, start = definition.node, definition.node.start_byte
    if source.data[start : start + 1] != b"@":
        return start
    for child in node.children:
        if child.type != "annotation":
            return child.start_byte
    return start


def _extension_head(extension: Definition, source: "SourceText") -> str:
    body = extension.node.child_by_field_name("body")
    end = extension.end_byte if body is None else body.start_byte
    return source.text_between(extension.node.start_byte, end).rstrip().removesuffix("{")


def _keep_string(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else " "
