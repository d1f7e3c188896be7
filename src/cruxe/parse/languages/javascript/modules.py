"""What a module imports and exports, in every form.

Imports are statements, `require()`, `import()`, and exports from elsewhere. Exports may be separate
from the definition: `export { a }`, `module.exports = { a }`.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary

from cruxe.model.symbols import Import
from cruxe.parse.languages.javascript.nodes import first_named, unquote

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

    Exports = dict[str, tuple[str, ...]]


_AROUND_A_CALL: Final = frozenset(
    {"member_expression", "await_expression", "parenthesized_expression"}
)
_PROMISE_METHODS: Final = frozenset({"then", "catch", "finally"})
# Most statements are plain: reading their text takes a fraction of the time of reading nodes.
_NAME: Final = r"(?!type\b)[\w$]+(?:\s+as\s+[\w$]+)?"
_PLAIN: Final = re.compile(
    r"import\s+(?:type\s+)?"
    rf"(?:([\w$]+)|\*\s*as\s+([\w$]+)|\{{(\s*{_NAME}(?:\s*,\s*{_NAME})*\s*,?\s*)\}})"
    r"\s*from\s*(['\"])([^'\"\\\n]*)\4\s*;?"
)


class _Binding(NamedTuple):
    module: str
    name: str
    alias: str
    is_reexport: bool = False


def imports_of(node: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield what one import binds; a re-exported name is flagged, or yielded twice."""
    line, known = node.start_point[0] + 1, exported_names(source, node)
    for module, name, alias, is_reexport in _bindings(node, source):
        exported = known.get(alias, ()) if known and alias else ()
        yield Import(
            module=module,
            name=name,
            alias=alias,
            line=line,
            is_reexport=is_reexport or alias in exported,
        )
        if not is_reexport:
            for other in exported:
                if other != alias:
                    yield Import(module=module, name=name, alias=other, line=line, is_reexport=True)


def module_call(node: "Node | None", source: "SourceText") -> "Node | None":
    """Return the `require()` or awaited `import()` that a value is, or is a member of."""
    while node is not None and node.type in _AROUND_A_CALL:
        is_member = node.type == "member_expression"
        node = node.child_by_field_name("object") if is_member else first_named(node)
    if node is None or node.type != "call_expression":
        return None
    function = node.child_by_field_name("function")
    is_module = function is not None and source.text_of(function) in ("require", "import")
    return node if is_module else None


def _bindings(node: "Node", source: "SourceText") -> Iterator[_Binding]:
    match node.type:
        case "export_statement":
            return _from_elsewhere(node, source)
        case "import_statement":
            return _statement(node, source)
        case "import_alias":
            return _namespace_alias(node, source)
        case "import":  # the word in `import("./a")`
            return _call(node.parent, source)
        case _:
            return _call(node, source)


def _from_elsewhere(node: "Node", source: "SourceText") -> Iterator[_Binding]:
    """Yield the bindings of `export * from`, `export * as ns from`, `export { a as b } from`."""
    module = _literal(node.child_by_field_name("source"), source)
    for part in node.named_children:
        if part.type == "export_clause":
            for name, alias in specifiers(part, source):
                yield _Binding(module=module, name=name, alias=alias, is_reexport=True)
            return
        if part.type == "namespace_export":
            alias_node = first_named(part)
            alias = "" if alias_node is None else unquote(source.text_of(alias_node))
            yield _Binding(module=module, name="*", alias=alias, is_reexport=True)
            return
    yield _Binding(module=module, name="*", alias="", is_reexport=True)


def _statement(node: "Node", source: "SourceText") -> Iterator[_Binding]:
    plain = None if node.has_error else _PLAIN.fullmatch(source.text_of(node))
    return _parsed(node, source) if plain is None else _written(*plain.groups(""))


def _written(default: str, namespace: str, names: str, _: str, module: str) -> Iterator[_Binding]:
    """Yield what a statement of plain words binds, read from its text."""
    if default or namespace:
        yield _Binding(
            module=module, name="default" if default else "*", alias=default or namespace
        )
    for part in names.split(","):
        if words := part.split():
            yield _Binding(module=module, name=words[0], alias=words[-1])


def _parsed(node: "Node", source: "SourceText") -> Iterator[_Binding]:
    module = _literal(node.child_by_field_name("source"), source)
    clause = next((each for each in node.named_children if each.type.endswith("_clause")), None)
    if clause is None:
        yield _Binding(module=module, name="", alias="")
    elif clause.type == "import_require_clause":
        module = _literal(clause.child_by_field_name("source"), source)
        yield _Binding(module=module, name="", alias=_text(first_named(clause), source))
    else:
        yield from _clause(clause, module, source)


def _clause(clause: "Node", module: str, source: "SourceText") -> Iterator[_Binding]:
    """Yield the bindings of `a`, `* as b` and `{ c as d }` in an import statement."""
    for part in clause.named_children:
        if part.type == "identifier":
            yield _Binding(module=module, name="default", alias=source.text_of(part))
        elif part.type == "namespace_import":
            yield _Binding(module=module, name="*", alias=_text(first_named(part), source))
        elif part.type == "named_imports":
            for name, alias in specifiers(part, source):
                yield _Binding(module=module, name=name, alias=alias)


def _namespace_alias(node: "Node", source: "SourceText") -> Iterator[_Binding]:
    """Yield the binding of `import a = N.M`: a path inside the program, not a file."""
    if node.named_child_count > 1:
        alias, path = node.named_children[:2]
        is_exported = node.parent is not None and node.parent.type == "export_statement"
        yield _Binding(
            module=source.text_of(path),
            name="",
            alias=source.text_of(alias),
            is_reexport=is_exported,
        )


def _call(node: "Node | None", source: "SourceText") -> Iterator[_Binding]:
    arguments = None if node is None else node.child_by_field_name("arguments")
    module = "" if arguments is None else _literal(first_named(arguments), source)
    if node is None or not module:
        return
    outer, member = _taker(node, source)
    if outer is not None and outer.type == "variable_declarator":
        # `await import()` returns the namespace, `require()` the module itself.
        whole = "*" if source.data.startswith(b"import", node.start_byte) else ""
        yield from _declared(outer, _Binding(module=module, name=member or whole, alias=""), source)
    elif outer is not None:
        yield _assigned(outer, _Binding(module=module, name=member, alias=""), source)
    else:
        yield _Binding(module=module, name=member, alias="")


def _taker(node: "Node", source: "SourceText") -> "tuple[Node | None, str]":
    """Return the node that receives the module of a call, and the path of the member used."""
    member = ""
    outer = node.parent
    while outer is not None and outer.type in _AROUND_A_CALL:
        if outer.type == "member_expression":
            name = _text(outer.child_by_field_name("property"), source)
            if name in _PROMISE_METHODS:
                return None, member
            member = f"{member}.{name}" if member else name
        outer = outer.parent
    return outer, member


def _declared(declarator: "Node", found: _Binding, source: "SourceText") -> Iterator[_Binding]:
    """Yield the bindings of `const a = require()`, `const { a, b: c, ...rest } = require()`."""
    pattern = declarator.child_by_field_name("name")
    if pattern is None or pattern.type != "object_pattern":
        yield found._replace(alias=_text(pattern, source))
        return
    for part in pattern.named_children:
        name = part.child_by_field_name("key") or part.child_by_field_name("left") or part
        bound = part.child_by_field_name("value") or name
        if part.type == "rest_pattern":
            yield found._replace(name="*", alias=_text(first_named(part), source))
        elif part.type != "comment":
            alias = bound.child_by_field_name("left") or bound
            yield found._replace(name=_text(name, source), alias=_text(alias, source))


def _assigned(outer: "Node", found: _Binding, source: "SourceText") -> _Binding:
    """Return the binding of `a = require()` or `module.exports = { a: require() }`."""
    if outer.type == "pair":
        holder = None if outer.parent is None else outer.parent.parent
        if exported_as(holder, source) != WHOLE_MODULE:
            return found
        key = _text(outer.child_by_field_name("key"), source)
        return found._replace(alias=key, is_reexport=True)
    exported = exported_as(outer, source)
    if exported == WHOLE_MODULE:
        return found._replace(name=found.name or "*", is_reexport=True)
    if exported:
        return found._replace(alias=exported, is_reexport=True)
    target = outer.child_by_field_name("left")
    is_name = target is not None and target.type == "identifier"
    return found._replace(alias=_text(target, source)) if is_name else found


def _text(node: "Node | None", source: "SourceText") -> str:
    return "" if node is None else unquote(source.text_of(node))


def _literal(node: "Node | None", source: "SourceText") -> str:
    """Return the text of a string; empty if the module is only known at run time."""
    if node is None or node.type not in ("string", "template_string"):
        return ""
    is_computed = any(child.type == "template_substitution" for child in node.named_children)
    return "" if is_computed else unquote(source.text_of(node))


WHOLE_MODULE = "*"
# The rules call this for every definition and import; the file is read once.
_known: "WeakKeyDictionary[SourceText, Exports]" = WeakKeyDictionary()


def exported_names(source: "SourceText", inside: "Node") -> "Exports":
    """Map each local name to its exported names; `inside` is any node of the file."""
    found = _known.get(source)
    if found is None:
        found = _known[source] = {}
        for local, exported in _exports(_root_of(inside), source):
            found[local] = (*found.get(local, ()), exported)
    return found


def exports_module(node: "Node", source: "SourceText") -> bool:
    """Return whether a node is `module.exports = …`."""
    return exported_as(node, source) == WHOLE_MODULE


def exported_as(node: "Node | None", source: "SourceText") -> str:
    """Return the exported name of an assignment; empty for any other node."""
    if node is None or node.type != "assignment_expression":
        return ""
    target = node.child_by_field_name("left")
    if target is None or target.type != "member_expression":
        return ""
    path = source.text_of(target)
    if path == "module.exports":
        return WHOLE_MODULE
    owner, _, name = path.rpartition(".")
    return name if owner in ("exports", "module.exports") else ""


def _root_of(node: "Node") -> "Node":
    while (parent := node.parent) is not None:
        node = parent
    return node


def _exports(root: "Node", source: "SourceText") -> Iterator[tuple[str, str]]:
    for statement in root.named_children:
        if statement.type == "export_statement":
            yield from _stated(statement, source)
        elif statement.type == "expression_statement":
            yield from _assigned_exports(first_named(statement), source)


def _stated(statement: "Node", source: "SourceText") -> Iterator[tuple[str, str]]:
    """Yield the pairs of `export { a as b }`, `export default a`, `export = a`."""
    if statement.child_by_field_name("source") is not None:
        return
    for child in statement.named_children:
        if child.type == "identifier":
            yield source.text_of(child), "default"
        elif child.type == "export_clause":
            yield from specifiers(child, source)


def specifiers(clause: "Node", source: "SourceText") -> Iterator[tuple[str, str]]:
    """Yield the pairs of `{ a as b, c }`: (`a`, `b`), (`c`, `c`)."""
    for specifier in clause.named_children:
        name = specifier.child_by_field_name("name")
        if name is not None:
            alias = specifier.child_by_field_name("alias") or name
            yield unquote(source.text_of(name)), unquote(source.text_of(alias))


def _assigned_exports(node: "Node | None", source: "SourceText") -> Iterator[tuple[str, str]]:
    """Yield the pairs of `exports.a = b`, `module.exports = { a, b: c }` and the like."""
    exported = ""
    while node is not None and node.type == "assignment_expression":
        exported = exported_as(node, source) or exported
        node = node.child_by_field_name("right")
    if not exported or node is None:
        return
    if node.type == "identifier":
        yield source.text_of(node), "default" if exported == WHOLE_MODULE else exported
    elif node.type == "object" and exported == WHOLE_MODULE:
        yield from _collected(node, source)


def _collected(literal: "Node", source: "SourceText") -> Iterator[tuple[str, str]]:
    for member in literal.named_children:
        key, value = member.child_by_field_name("key"), member.child_by_field_name("value")
        if member.type == "shorthand_property_identifier":
            yield source.text_of(member), source.text_of(member)
        elif key is not None and value is not None and value.type == "identifier":
            yield source.text_of(value), unquote(source.text_of(key))
