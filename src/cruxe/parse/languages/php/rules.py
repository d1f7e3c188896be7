"""What queries cannot express about PHP."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS
from cruxe.parse.language import (
    MAX_HEAD_BYTES,
    Definition,
    Rules,
    head_between,
    trim_signature,
    value_between,
)
from cruxe.parse.languages.php.imports import bindings_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_VARIABLE: Final = SymbolKind.VARIABLE
_PUBLIC: Final = Visibility.PUBLIC
_BY_MODIFIER: Final = {
    "public": Visibility.PUBLIC,
    "protected": Visibility.PROTECTED,
    "private": Visibility.PRIVATE,
}
# Kinds that may have a modifier; types and functions are public.
_MODIFIED: Final = frozenset({SymbolKind.METHOD, SymbolKind.CONSTANT, SymbolKind.VARIABLE})
_VALUES: Final = (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
_COMMENT: Final = re.compile(
    r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/""", re.DOTALL
)
# Where a line of a doc comment ends and the next begins, frame included.
_LINE_BREAK: Final = re.compile(r"[ \t\r]*\n[ \t]*(?:\*(?!/) ?)?")
_LINE_START: Final = re.compile(r"\n[ \t]*+(?:\*(?!/) ?)?")
_BLANK_LINES: Final = re.compile(r"\n{3,}")
_INHERITED: Final = re.compile(r"\{?@inheritdoc\}?", re.IGNORECASE)


class PhpRules(Rules):
    """Namespaces, members, heads and PHPDoc."""

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Extend a namespace without braces to the next; keep a variable's first assignment."""
        _stretch_namespaces(definitions, source)
        seen: set[bytes] = set()
        definitions[:] = [each for each in definitions if not _is_seen(each, seen, source)]

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name; a namespace is a container only, so that it is not taken for a type."""
        name = super().name(definition, source)
        if definition.kind is None:
            definition.container = "".join(name.split())
            return ""
        if definition.kind in _VALUES:
            kind = definition.node_type
            if kind == "property_promotion_parameter" and definition.parent is not None:
                definition.parent = definition.parent.parent  # the type, not its constructor
            elif kind == "function_call_expression":  # `define` ignores the enclosing namespace
                definition.parent = None
                definition.container, _, name = name.replace("\\\\", "\\").rpartition("\\")
        return name

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Return the kind of the query; members are qualified with `::`."""
        del source
        assert definition.kind is not None
        definition.inner_prefix = f"{definition.qualified_name}::"
        return definition.kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by modifier; the default is public."""
        if definition.kind in _MODIFIED:
            start = _head_start(definition, source)
            for word in source.text_between(start, definition.name_start).split():
                if (found := _BY_MODIFIER.get(word.lower())) is not None:
                    return found
        return _PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head without attributes and body."""
        start, end = _head_start(definition, source), _head_end(definition, source)
        end = min(end, start + MAX_HEAD_BYTES)
        if definition.kind in _VALUES:
            return value_between(source, start, end).removesuffix(";").rstrip()
        if source.data.find(b"/", start, end) < 0:
            end -= source.data.endswith(b";", start, end)
            return head_between(source, start, end)
        text = _COMMENT.sub(_string_only, source.text_between(start, end))
        return trim_signature(text.rstrip().removesuffix(";"))

    def is_doc_comment(self, comment: str) -> bool:
        """Return True for PHPDoc."""
        return comment.startswith("/**")

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the doc comment directly above; `@inheritDoc` is removed."""
        del definition, source
        if not above:
            return ""
        text = above[-1].removeprefix("/**").removesuffix("*/")
        has_blank_ends = " \n" in text or "\t\n" in text or "\r" in text
        text = (_LINE_BREAK if has_blank_ends else _LINE_START).sub("\n", text).strip()
        if "@inherit" in text:
            text = _BLANK_LINES.sub("\n\n", _INHERITED.sub("", text)).strip()
        return text[:MAX_DOC_CHARACTERS]

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return what `use`, `include` and `require` bind."""
        return bindings_of(node, source)


def _stretch_namespaces(definitions: list[Definition], source: "SourceText") -> None:
    end_byte, end_line = len(source.data), source.line_count
    for definition in reversed(definitions):
        if definition.kind is not None:
            continue
        start, line = definition.start_byte, definition.line_start
        if definition.node.child_by_field_name("body") is None:
            definition.end_byte, definition.line_end = end_byte, max(line, end_line)
        end_byte, end_line = start, line - 1


def _is_seen(definition: Definition, seen: set[bytes], source: "SourceText") -> bool:
    """Return whether a top-level variable was assigned before."""
    is_variable = definition.kind is _VARIABLE
    if not is_variable or definition.node_type != "assignment_expression":
        return False
    name = definition.captures["name"][0]
    text = source.data[name.start_byte : name.end_byte]
    if text in seen:
        return True
    seen.add(text)
    return False


def _head_start(definition: Definition, source: "SourceText") -> int:
    """Return where the head starts, after attributes."""
    start = definition.start_byte
    if not source.data.startswith(b"#[", start):
        return start
    attributes = definition.node.child_by_field_name("attributes")
    following = None if attributes is None else attributes.next_sibling
    return start if following is None else following.start_byte


def _head_end(definition: Definition, source: "SourceText") -> int:
    """Return where the head ends: before the body, or before the hooks of a property."""
    node, end = definition.node, definition.end_byte
    if definition.kind not in _VALUES:
        body = node.child_by_field_name("body")
    elif source.data[end - 1 : end] == b"}" and node.child_count:
        last = node.child(node.child_count - 1)
        body = last if last is not None and last.type == "property_hook_list" else None
    else:
        return end
    return end if body is None else body.start_byte


def _string_only(match: re.Match[str]) -> str:
    return match.group(1) or ""
