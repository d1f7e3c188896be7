"""What queries cannot express about C++, beyond what C needs."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import TYPE_KINDS, Definition
from cruxe.parse.languages.c.rules import CRules, is_static
from cruxe.parse.languages.c.signatures import clean_head
from cruxe.parse.source_text import SourceText
from cruxe.parse.text_places import place
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

_ENUM: Final = SymbolKind.ENUM
_METHOD: Final = SymbolKind.METHOD
_MODULE: Final = SymbolKind.MODULE
_INTERNAL: Final = Visibility.INTERNAL
_FUNCTION: Final = SymbolKind.FUNCTION
_PRIVATE: Final = Visibility.PRIVATE
_PUBLIC: Final = Visibility.PUBLIC
_ACCESS: Final = {
    "private": Visibility.PRIVATE,
    "protected": Visibility.PROTECTED,
    "public": Visibility.PUBLIC,
}
# `TEST_F(Suite, Name) { … }` parses as a function `TEST_F`; people search for the case.
_TEST_MACRO: Final = re.compile(r"(?:TYPED_)?TEST(?:_[A-Z]+)*")
_TEST_PARAMETERS: Final = 2
_QT_ACCESS: Final = re.compile(
    rb"\n[ \t]*+(?:(?:public|private|protected)([ \t]+slots)|(signals))(?=[ \t]*:)"
)
_PLAIN_NAMES: Final = frozenset({"field_identifier", "identifier", "type_identifier"})
_COMPOUND_NAMES: Final = frozenset(
    {"qualified_identifier", "template_function", "template_method", "template_type"}
)
_OPERATOR_SPACE: Final = re.compile(r"(?<=operator) (?=\W)|(?<=\W) (?=\W)")


class CppRules(CRules):
    """Qualified names, access, constructors, using declarations."""

    def legible(self, source: SourceText) -> bytes:
        """Return the text as for C, with Qt's access specifiers as standard ones."""
        text = super().legible(source)
        is_of_qt = b"slots" in text or b"signals" in text
        return _QT_ACCESS.sub(_plain_access, text) if is_of_qt else text

    def settle(self, definitions: list[Definition], source: SourceText) -> None:
        """Settle as in C; lambdas make functions of variables, test macros are named by case."""
        super().settle(definitions, source)
        for definition in definitions:
            if "declarator" in definition.captures:
                if definition.kind is not _FUNCTION:
                    _settle_lambda(definition)
                elif "type" not in definition.captures:
                    _settle_test_case(definition, source)

    def name(self, definition: Definition, source: SourceText) -> str:
        """Return the unqualified name; a path before it becomes the container."""
        names = definition.captures.get("name")
        if not names:
            return ""
        node = names[0]
        kind = node.type
        if kind in _PLAIN_NAMES:  # the usual case
            return super().name(definition, source)
        if kind in _COMPOUND_NAMES:
            _take_out_of_path(definition, node, source)
        name = super().name(definition, source)
        if kind == "nested_namespace_specifier":
            definition.container, _, name = fold_white_space(name).rpartition("::")
        return _operator_name(name) if name.startswith("operator") else fold_white_space(name)

    def kind(self, definition: Definition, source: SourceText) -> SymbolKind:
        """Make functions of a type methods, but not friends."""
        kind = super().kind(definition, source)
        if kind is not _FUNCTION or definition.node_type == "preproc_function_def":
            return kind
        outermost = definition.start_node
        if outermost is not definition.node and outermost.type == "friend_declaration":
            return kind
        is_member = definition.container or _enclosing_class(definition) is not None
        return _METHOD if is_member else kind

    def visibility(self, definition: Definition, source: SourceText) -> Visibility:
        """Return the visibility by access specifier inside types and by linkage outside."""
        if _is_in_unnamed_namespace(definition):
            return _INTERNAL
        owner = _enclosing_class(definition)
        if owner is not None:
            if owner.kind is _ENUM:
                return self.visibility(owner, source)
            return _access_in(owner, definition, source)
        is_own = definition.parent is None or definition.parent.kind is _MODULE
        if is_own and not definition.container and is_static(definition, source):
            return _INTERNAL
        return _PUBLIC

    def head_end(self, node: "Node", source: SourceText) -> int:
        """Return where the head ends; a constructor's ends before its initialisers."""
        start, end, data = node.start_byte, super().head_end(node, source), source.data
        # Before the body, only initialisers have a colon that is not part of a path.
        if data.startswith(b"{", end) and data.count(b":", start, end) == 2 * data.count(
            b"::", start, end
        ):
            return end
        declarator = node.child_by_field_name("declarator")
        after = None if declarator is None else declarator.next_named_sibling
        if after is not None and after.type in ("field_initializer_list", "try_statement"):
            return after.start_byte
        return end

    def signature(self, definition: Definition, source: SourceText) -> str:
        """Return the head as in C; lambdas and concepts without their body."""
        if definition.node_type == "concept_definition":
            name = definition.captures["name"][0]
            return clean_head(source, definition.start_byte, name.end_byte)
        if bodies := definition.captures.get("lambda_body"):
            return clean_head(source, definition.start_byte, bodies[0].start_byte)
        return super().signature(definition, source)

    def imports(self, node: "Node", source: SourceText) -> Iterable[Import]:
        """Return imports of `#include`, `using a::b`, `using namespace a`, `namespace a = b`."""
        if node.type == "preproc_include":
            yield from super().imports(node, source)
            return
        line = node.start_point[0] + 1
        if node.type == "namespace_alias_definition":
            alias, target = node.child_by_field_name("name"), node.named_child(1)
            if alias is not None and target is not None:
                yield Import(
                    module=source.text_of(target), name="", alias=source.text_of(alias), line=line
                )
            return
        target = node.named_child(node.named_child_count - 1)
        # Inside a class it imports members of a base, which binds nothing in the file.
        if target is None or (node.parent and node.parent.type == "field_declaration_list"):
            return
        path = fold_white_space(source.text_of(target))
        if any(child.type == "namespace" for child in node.children):
            yield Import(module=path, name="*", alias="", line=line)
        else:
            module, _, member = path.rpartition("::")
            yield Import(module=module, name=member, alias=member, line=line)


def _plain_access(match: re.Match[bytes]) -> bytes:
    whole = match.group()
    if match.group(2) is not None:
        return whole.replace(b"signals", b"public ")
    return whole.replace(b"slots", b"     ")


def _take_out_of_path(definition: Definition, node: "Node", source: SourceText) -> None:
    """Name the definition by the last part of a path without its template arguments."""
    path: list[str] = []
    inner: Node | None = node
    while inner is not None and inner.type == "qualified_identifier":
        scope = inner.child_by_field_name("scope")
        if scope is not None:
            path.append(_without_arguments(scope, source))
        inner = inner.child_by_field_name("name")
    if inner is None:
        return
    if path:
        definition.container = "::".join(path)
    if inner.type in _COMPOUND_NAMES:
        inner = inner.child_by_field_name("name") or inner
    definition.captures["name"] = [inner]


def _without_arguments(scope: "Node", source: SourceText) -> str:
    if scope.type == "template_type":
        scope = scope.child_by_field_name("name") or scope
    return fold_white_space(source.text_of(scope))


def _operator_name(name: str) -> str:
    """Return `operator==` without spaces, and `operator bool` without its parameters."""
    folded = fold_white_space(name)
    if not folded.removeprefix("operator").lstrip().startswith("("):
        folded = folded.partition("(")[0].rstrip()
    return _OPERATOR_SPACE.sub("", folded)


def _settle_test_case(definition: Definition, source: SourceText) -> None:
    """Name a test macro with a body by its case, and make its suite the container."""
    name = definition.captures["name"][0]
    if definition.node_type != "function_definition":
        return
    if name.type != "identifier" or not _TEST_MACRO.fullmatch(source.text_of(name)):
        return
    parameters = definition.captures["declarator"][0].child_by_field_name("parameters")
    if parameters is not None and parameters.named_child_count == _TEST_PARAMETERS:
        suite, case = parameters.named_children
        definition.captures["container"] = [suite]
        definition.captures["name"] = [case]


def _settle_lambda(definition: Definition) -> None:
    """Make a variable that holds a lambda a function."""
    value = definition.captures["declarator"][0].child_by_field_name("value")
    if value is not None and value.type == "lambda_expression":
        definition.kind = _FUNCTION
        body = value.child_by_field_name("body")
        if body is not None:
            definition.captures["lambda_body"] = [body]


def _enclosing_class(definition: Definition) -> Definition | None:
    """Return the type that a definition is a member of; unnamed types inside it do not count."""
    parent = definition.parent
    while parent is not None and not parent.name and parent.kind is not None:
        parent = parent.parent
    return parent if parent is not None and parent.kind in TYPE_KINDS else None


def _is_in_unnamed_namespace(definition: Definition) -> bool:
    parent = definition.parent
    while parent is not None:
        if parent.kind is None:
            return True
        parent = parent.parent
    return False


def _access_in(owner: Definition, member: Definition, source: SourceText) -> Visibility:
    """Return the access specifier that applies to a member."""
    specifiers = owner.captures.get("access")
    if specifiers is None:
        body = owner.node.child_by_field_name("body")
        children = [] if body is None else body.children
        # Cached for all members, as places whose type is the specifier.
        specifiers = owner.captures["access"] = [
            place(source, *child.byte_range, source.text_of(child).split(" ", 1)[0])
            for child in reversed(children)
            if child.type == "access_specifier"
        ]
    start = member.start_byte
    for specifier in specifiers:
        if specifier.start_byte <= start:
            return _ACCESS.get(specifier.type, _PUBLIC)
    return _PRIVATE if owner.node_type == "class_specifier" else _PUBLIC
