"""What queries cannot express about JavaScript: module paths, names, exports, heads and JSDoc."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.parse.language import MAX_HEAD_BYTES, Definition, Rules, fold_value, trim_signature
from cruxe.parse.languages.javascript.exports import exported_names, exports_module
from cruxe.parse.languages.javascript.imports import imports_of
from cruxe.parse.languages.javascript.names import name_of
from cruxe.parse.languages.javascript.nodes import (
    WRAPPERS,
    declaration_of,
    declarator_of,
    first_named,
    head_child,
    outermost_wrapper,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CLASS: Final = SymbolKind.CLASS
_INTERNAL: Final = Visibility.INTERNAL
_PRIVATE: Final = Visibility.PRIVATE
_EXTENSION: Final = re.compile(r"(\.d)?\.[cm]?[jt]sx?$")
# Comments for tools, which document nothing.
_DIRECTIVE: Final = re.compile(
    r"/[/*]+\s*(?:eslint|jshint|jslint|jscs|prettier|istanbul|[cv]8|biome|tslint|oxlint|deno-lint"
    r"|@ts-|@__|#__|#?(?:end)?region\b|webpack|globals?\b|@?flow\b)"
)
_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "generator_function"})
_FUNCTION: Final = SymbolKind.FUNCTION
_METHOD: Final = SymbolKind.METHOD
_VARIABLE: Final = SymbolKind.VARIABLE
_CONSTANT: Final = SymbolKind.CONSTANT
_MAY_HAVE_VALUES: Final = frozenset({_CONSTANT, _FUNCTION, _METHOD, _VARIABLE})
_PUBLIC: Final = Visibility.PUBLIC


class JavaScriptRules(Rules):
    """Modules are files; what is not exported is internal to the module."""

    # Node types that are members of their parent definition.
    members: frozenset[str] = frozenset(
        {"method_definition", "field_definition", "pair", "assignment_expression"}
    )

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the path without extension; `index` stands for its folder."""
        del root
        path = _EXTENSION.sub("", source.path)
        return "" if path == "index" else path.removesuffix("/index")

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name in the code, or `default` for an unnamed default export."""
        return name_of(definition, source)

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make functions of an object methods, and `const` variables constants."""
        kind, node = super().kind(definition, source), definition.node
        if kind not in _MAY_HAVE_VALUES:
            return kind
        value = definition.capture("value") or node.child_by_field_name("value")
        value_type = "" if value is None else value.type
        if value_type == "class":
            return _CLASS
        if kind is _FUNCTION and definition.node_type in ("method_definition", "pair"):
            return _METHOD if definition.parent is not None else kind
        if kind is not _VARIABLE:
            return kind
        if value_type in _FUNCTIONS and definition.node_type in self.members:
            return _METHOD
        return _CONSTANT if _is_constant(node) else kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return public if exported, private in a function or with `#`, else internal."""
        if definition.name.startswith("#"):
            return _PRIVATE
        is_member = definition.node_type in self.members and not _assigns_variable(definition)
        if is_member or definition.start_node.type in WRAPPERS:
            return _PUBLIC
        return _statement_visibility(definition, source)

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head from `export` on, without decorators; a value is cut short."""
        node = definition.node
        if definition.node_type.endswith(("_pattern", "identifier")):
            node = declarator_of(node) or node
        head, body = head_child(node), _body_of(definition, node)
        start = node.start_byte if head is None else head.start_byte
        end = min(node.end_byte, start + MAX_HEAD_BYTES) if body is None else body.start_byte
        text = _words_before(definition, node, source) + source.text_between(start, end)
        if body is None and definition.kind in (_VARIABLE, _CONSTANT):
            return fold_value(text).rstrip("; ")
        return trim_signature(text).rstrip("; ")

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the JSDoc if there is one, else the comments above that are not for tools."""
        del definition, source
        if not above:
            return ""
        documented = [comment for comment in above if comment.startswith("/**")]
        if documented:
            return strip_comment_markers(documented[-1:])
        return strip_comment_markers([each for each in above if not _DIRECTIVE.match(each)])

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return what an import statement, `require()`, `import()` or `export … from` binds."""
        return imports_of(node, source)


def _is_constant(node: "Node") -> bool:
    """Return whether it is declared by `const` or the value of an `export default`."""
    declaration = declaration_of(node)
    if declaration is None:
        return node.parent is not None and node.parent.type == "export_statement"
    keyword = head_child(declaration)
    return keyword is not None and keyword.type == "const"


def _assigns_variable(definition: Definition) -> bool:
    if definition.node_type != "assignment_expression":
        return False
    target = definition.node.child_by_field_name("left")
    return target is not None and target.type == "identifier"


def _statement_visibility(definition: Definition, source: "SourceText") -> Visibility:
    node = declaration_of(definition.node) or definition.node
    holder = node.parent
    if holder is not None and holder.type == "expression_statement":
        holder = holder.parent
    if holder is None or holder.type in ("program", "ERROR"):
        is_exported = definition.name in exported_names(source, definition.node)
        return _PUBLIC if is_exported else _INTERNAL
    is_exported = holder.type in WRAPPERS or exports_module(holder, source)
    return _PUBLIC if is_exported else _PRIVATE


def _body_of(definition: Definition, node: "Node") -> "Node | None":
    """Return the body of the definition or of the function, class or type that is its value."""
    if (body := definition.capture("body")) is not None:
        return body
    value = definition.capture("value") or node.child_by_field_name("value")
    if value is not None:
        value_type = value.type
        if value_type in _FUNCTIONS or value_type == "class":
            return value.child_by_field_name("body")
        if value_type == "object_type":
            return value
    return node.child_by_field_name("body")


def _words_before(definition: Definition, node: "Node", source: "SourceText") -> str:
    """Return the words before the definition's node: `export default`, `export const`."""
    outer, first = definition.start_node, node
    if node.type == "variable_declarator" and (declaration := node.parent) is not None:
        first = first_named(declaration) or node
        outer = outermost_wrapper(declaration)
    elif outer.type not in WRAPPERS or outer is node:
        return ""
    head = head_child(outer) or outer
    return source.text_between(head.start_byte, first.start_byte)
