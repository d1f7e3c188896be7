"""What queries cannot express about Kotlin."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    MAX_VALUE_CHARACTERS,
    Definition,
    Rules,
    first_of_type,
    head_between,
    trim_signature,
)
from cruxe.parse.languages.kotlin.legible import ANNOTATIONS, CONTEXT, make_legible
from cruxe.text.lines import fold_head

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CLASS: Final = SymbolKind.CLASS
_CONSTANT: Final = SymbolKind.CONSTANT
_ENUM: Final = SymbolKind.ENUM
_FUNCTION: Final = SymbolKind.FUNCTION
_METHOD: Final = SymbolKind.METHOD
_VARIABLE: Final = SymbolKind.VARIABLE
_INTERNAL: Final = Visibility.INTERNAL
_PRIVATE: Final = Visibility.PRIVATE
_PUBLIC: Final = Visibility.PUBLIC
_BY_MODIFIER: Final = {
    "internal": Visibility.INTERNAL,
    "protected": Visibility.PROTECTED,
    "private": Visibility.PRIVATE,
}
_NO_HEAD: Final = frozenset(
    {"function_body", "class_body", "enum_class_body", "block", "getter", "setter"}
)
_BREAKS: Final = (b"", b"\n", b"}", b"/")
_CALLABLE: Final = (SymbolKind.FUNCTION, SymbolKind.METHOD)
_MEMBERS: Final = (SymbolKind.METHOD, SymbolKind.VARIABLE)
_VALUES: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
_MODIFIER: Final = re.compile(rb"const|enum|internal|protected|private")
_WORD: Final = re.compile(rb"\w+")
_PLAIN_IMPORT: Final = re.compile(r"import ([\w.]+)\.(\w+)", re.ASCII)
_COMMENT_OR_STRING: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.DOTALL)


class KotlinRules(Rules):
    """Packages, extensions, modifiers, KDoc and imports."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text without constructs that break the grammar."""
        return make_legible(source.data)

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the name in the package header."""
        clause = first_of_type(root, "package_header")
        return "" if clause is None else _dotted_name(clause, source)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Start definitions at annotations that the grammar split off; end them within the text."""
        size = len(source.data)
        for definition in definitions:
            if definition.end_byte > size:
                definition.end_byte, definition.line_end = size, source.line_count
            if _may_be_parted(definition.start_byte, source.data):
                _widen_by_annotations(definition)
        marker, pattern = CONTEXT
        if marker not in source.data:
            return
        starts = {found.end(): found.start(1) for found in pattern.finditer(source.data)}
        for definition in definitions:
            if (start := starts.get(definition.start_byte)) is not None:
                _widen(definition, start, source.data.count(b"\n", 0, start) + 1)

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name without backticks; an unnamed companion object is `Companion`."""
        captures = definition.captures
        if "container" in captures and not _is_attached(definition, source):
            del captures["container"]
        name = super().name(definition, source)
        if name == "object":
            return "Companion"
        return "" if name == "_" else name.strip("`")

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Return the kind by modifier; functions of unnamed objects are methods."""
        kind = super().kind(definition, source)
        if kind is _FUNCTION:
            is_inside = definition.parent is not None
            return _METHOD if is_inside and _is_member(definition.node) else kind
        if kind is _VARIABLE and "const" in _modifiers(definition, source):
            return _CONSTANT
        if kind is _CLASS and "enum" in _modifiers(definition, source):
            return _ENUM
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by modifier; top-level `private` is internal, locals private."""
        parent = definition.parent
        if parent is not None and parent.kind in _CALLABLE and definition.kind not in _MEMBERS:
            return _PRIVATE
        for modifier in _modifiers(definition, source):
            if (found := _BY_MODIFIER.get(modifier)) is not None:
                is_of_file = parent is None and found is _PRIVATE
                return _INTERNAL if is_of_file else found
        return _PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head without annotations, comments, body and accessors."""
        words, start = _head_start(definition, source)
        end = min(_head_end(definition.node), start + MAX_HEAD_BYTES)
        if not words and definition.kind not in _VALUES and source.data.find(b"/", start, end) < 0:
            return head_between(source, start, end)
        head = words + source.text_between(start, end)
        if "/*" in head or "//" in head:
            head = _COMMENT_OR_STRING.sub(_keep_string, head)
        if definition.kind in _VALUES:
            return fold_head(head).removesuffix(";")[:MAX_VALUE_CHARACTERS]
        return trim_signature(head)

    def is_doc_comment(self, comment: str) -> bool:
        """Return True for KDoc."""
        return comment.startswith("/**")

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the bindings of `import a.B`, `import a.b as c`, `import a.*`."""
        line = node.start_point[0] + 1
        if plain := _PLAIN_IMPORT.fullmatch(source.text_of(node)):
            yield Import(module=plain[1], name=plain[2], alias=plain[2], line=line)
            return
        path = _dotted_name(node, source)
        if not path:
            return
        last = node.children[-1]
        if last.type == "*":
            yield Import(module=path, name="*", alias="", line=line)
            return
        module, _, member = path.rpartition(".")
        alias = source.text_of(last).strip("`") if last.type == "identifier" else member
        yield Import(module=module, name=member, alias=alias, line=line)


def _may_be_parted(start: int, data: bytes) -> bool:
    """Return whether the line above an unindented definition ends in code."""
    return data[start - 1 : start] == b"\n" and data[start - 2 : start - 1] not in _BREAKS


def _widen_by_annotations(definition: Definition) -> None:
    """Include top-level annotations, which the grammar may parse as separate statements."""
    before = definition.node.prev_sibling
    while before is not None and before.type == "annotated_expression":
        _widen(definition, before.start_byte, before.start_point[0] + 1)
        before = before.prev_sibling


def _widen(definition: Definition, start: int, line: int) -> None:
    definition.start_byte = start
    definition.line_start = line


def _is_attached(definition: Definition, source: "SourceText") -> bool:
    """Return whether an extension belongs to its receiver, not to the type or function around it.

    A type parameter as receiver stands for any type, so it does not count.
    """
    receiver = definition.captures["container"][0]
    if definition.parent is not None:
        return False
    before = source.data[definition.node.start_byte : receiver.start_byte]
    receiver_name = source.data[receiver.start_byte : receiver.end_byte]
    return b"<" not in before or receiver_name not in _WORD.findall(before)


def _is_member(node: "Node") -> bool:
    parent = node.parent
    return parent is not None and parent.type == "class_body"


def _modifiers(definition: Definition, source: "SourceText") -> list[str]:
    """Return the words before a name, if a relevant modifier is among them."""
    name_start = definition.name_start
    if _MODIFIER.search(source.data, definition.start_byte, name_start) is None:
        return []
    words, start = _head_start(definition, source)
    return (words + source.text_between(start, name_start)).split()


def _head_start(definition: Definition, source: "SourceText") -> tuple[str, int]:
    """Return the modifiers before the last annotation, and where the rest of the head starts."""
    start, name_start, data = definition.start_byte, definition.name_start, source.data
    if data.find(b"@", start, name_start) < 0:
        return "", start
    if start == definition.node_start and (leading := ANNOTATIONS.match(data, start, name_start)):
        behind_them = data[leading.end() : name_start]
        if b"@" not in behind_them and b'"' not in behind_them:  # the usual case
            return "", leading.end()
    return _behind_annotations(definition, source)


def _behind_annotations(definition: Definition, source: "SourceText") -> tuple[str, int]:
    context, node = "", definition.node
    if definition.start_byte < definition.node_start:
        before = source.data[definition.start_byte : definition.node_start]
        context = ANNOTATIONS.sub(b"", before).decode()
    words, behind, start = [context], list[str](), definition.node_start
    first = node.child(0)
    if first is None or first.type != "modifiers":
        return context, start
    for child in first.children:
        if child.type == "annotation":
            words += behind
            behind.clear()
            start = child.end_byte
        else:
            behind.append(f"{source.text_of(child)} ")
    blanked = ANNOTATIONS.match(source.data, start, definition.name_start)
    return "".join(words), start if blanked is None else blanked.end()


def _head_end(node: "Node") -> int:
    end = node.end_byte
    for place in range(node.child_count - 1, 0, -1):
        child = node.child(place)
        if child is None or child.type not in _NO_HEAD:
            break
        end = child.start_byte
    return end


def _keep_string(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else " "


def _dotted_name(node: "Node", source: "SourceText") -> str:
    for child in node.named_children:
        if child.type in ("qualified_identifier", "identifier"):
            return "".join(source.text_of(child).replace("`", "").split())
    return ""
