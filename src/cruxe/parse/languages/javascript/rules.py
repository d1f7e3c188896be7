"""What queries cannot express about JavaScript: module paths, names, exports, heads and JSDoc.

`name_of` also decides which query matches are no definitions.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.parse.language import MAX_HEAD_BYTES, Definition, Rules, fold_value, trim_signature
from cruxe.parse.languages.javascript.modules import (
    exported_names,
    exports_module,
    imports_of,
    module_call,
)
from cruxe.parse.languages.javascript.nodes import (
    WRAPPERS,
    declaration_of,
    declarator_of,
    first_named,
    head_child,
    outermost_wrapper,
    unquote,
)
from cruxe.text.lines import fold_white_space

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


DEFAULT_EXPORT: Final = "default"
_EXPRESSIONS: Final = frozenset({"function_expression", "generator_function", "class"})
_NAMING: Final = frozenset({"variable_declarator", "field_definition", "public_field_definition"})


def name_of(definition: Definition, source: "SourceText") -> str:
    """Return the definition's name; empty if it is named elsewhere or defines nothing."""
    name, node = definition.capture("name"), definition.node
    if name is None:
        return DEFAULT_EXPORT
    if definition.kind is not None and _is_no_definition(definition, source):
        return ""
    if definition.node_type == "assignment_expression" and exports_module(node, source):
        return DEFAULT_EXPORT
    text = source.text_of(name)
    if text.isidentifier():
        return text
    if name.type == "member_expression":
        name = name.child_by_field_name("property") or name
    return _plain_name(fold_white_space(source.text_of(_bound_name(name))))


def _is_no_definition(definition: Definition, source: "SourceText") -> bool:
    node, node_type = definition.node, definition.node_type
    if node_type in _EXPRESSIONS:
        return _is_inside_namesake(definition, source) or _is_named_outside(node, source)
    if node_type == "pair":
        return _is_passed_to_call(node)
    if definition.kind is _VARIABLE:
        return _is_local(definition) or _is_import(node, source)
    value = definition.capture("value")
    is_named = value is not None and value.child_by_field_name("name") is not None
    return is_named and exports_module(node, source)


def _is_inside_namesake(definition: Definition, source: "SourceText") -> bool:
    """Return whether it repeats a name: `const Row = memo(function Row() {})` is one symbol."""
    name, parent = definition.capture("name"), definition.parent
    return name is not None and parent is not None and parent.name == source.text_of(name)


def _is_named_outside(node: "Node", source: "SourceText") -> bool:
    """Return whether `const a = function b() {}` and the like give the expression another name."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "pair":
        return not _is_passed_to_call(parent)
    if parent.type != "assignment_expression":
        return parent.type in _NAMING
    target = parent.child_by_field_name("left")
    is_computed = target is None or target.type not in ("identifier", "member_expression")
    return not is_computed and not exports_module(parent, source)


def _is_passed_to_call(pair: "Node") -> bool:
    """Return whether a property is in an option object of a call: `get({ done: () => 1 })`."""
    node = pair.parent
    while node is not None and node.type in ("object", "pair"):
        node = node.parent
    if node is None or node.type != "arguments":
        return False
    while node is not None and not node.type.endswith(("_block", "_body", "function")):
        node = node.parent
    return node is not None


def _is_local(definition: Definition) -> bool:
    """Return whether a syntax error made a local variable look like a top-level one."""
    parent = definition.parent
    is_variable = definition.node_type == "variable_declarator"
    return is_variable and parent is not None and parent.kind is _FUNCTION


def _is_import(node: "Node", source: "SourceText") -> bool:
    """Return whether it only binds a module: `a = require("a")`, `exports.a = require("a")`."""
    holder = declarator_of(node) or node
    value = holder.child_by_field_name("value") or holder.child_by_field_name("right")
    return module_call(value, source) is not None


def _bound_name(node: "Node") -> "Node":
    """Return the name that a part of a destructuring pattern binds: `b` of `a: b = 1`."""
    inner: Node | None = node
    while inner is not None and inner.type.endswith("_pattern"):
        node = inner
        inner = (
            node.child_by_field_name("value")
            or node.child_by_field_name("left")
            or (first_named(node) if node.type == "rest_pattern" else None)
        )
    return node if inner is None else inner


def _plain_name(text: str) -> str:
    """Return `a` of `a`, `"a"` and `["a"]`; other computed names as written."""
    inner = text.removeprefix("[").removesuffix("]")
    return text if unquote(inner) == inner else unquote(inner)
