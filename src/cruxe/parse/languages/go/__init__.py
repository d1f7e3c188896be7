"""Go: packages are folders, capital letters export, methods are attached by their receiver."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import Definition, Language, Rules

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_INTERNAL: Final = Visibility.INTERNAL
_PUBLIC: Final = Visibility.PUBLIC
_KEYWORDS: Final = {
    "const_spec": "const ",
    "type_alias": "type ",
    "type_spec": "type ",
    "var_spec": "var ",
}
_SPECS: Final = ("const_spec", "var_spec")
_MEMBERS: Final = ("field_declaration", "method_elem")
_CALLABLE: Final = (SymbolKind.FUNCTION, SymbolKind.METHOD)
# `//go:noinline`, `//nolint:errcheck`: for tools, not for readers.
_DIRECTIVE: Final = re.compile(r"//(?:[a-z0-9]+:[a-z0-9]|line |export |extern )")
# `new(len(names))`, `new(1)`: the grammar takes only a type there. A call by another name of the
# same length is read as any call is.
_NEW_VALUE: Final = re.compile(
    rb"\bnew\((?=[\"'`0-9!^&-]|(?!(?:func|struct|interface)\b)"
    rb"[\w.]+(?:\[[\w.,* ]*\])?(?:[({]| *[-+*/%<>=!|&^]))"
)
_MAJOR_VERSION: Final = re.compile(r"v[0-9]+")


class GoRules(Rules):
    """What queries cannot express about Go."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text with `new` of a value as an ordinary call."""
        return _NEW_VALUE.sub(b"neW(", source.data) if b"new(" in source.data else source.data

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the folder, as in an import path; in the repository's root the package name."""
        folder = source.path.rpartition("/")[0]
        return folder or _package_name(root, source)

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name; empty for a function's locals and the blank identifier."""
        name = super().name(definition, source)
        return "" if name == "_" or _is_local(definition) else name

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Make names with a capital letter public."""
        del source
        return _PUBLIC if definition.name[:1].isupper() else _INTERNAL

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head, with the keyword of the group around it."""
        keyword = _KEYWORDS.get(definition.node_type, "")
        return keyword + super().signature(definition, source)

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the comment above, without directives."""
        prose = [comment for comment in above if not _DIRECTIVE.match(comment)]
        return super().doc(definition, source, prose)

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the bindings of `"a/b"`, `name "a/b"`, `. "a/b"`, `_ "a/b"`."""
        path = node.child_by_field_name("path")
        if path is None:
            return
        module = source.text_of(path).strip('"`')
        name = node.child_by_field_name("name")
        alias = _default_alias(module) if name is None else source.text_of(name)
        member = "*" if alias == "." else ""
        yield Import(
            module=module,
            name=member,
            alias="" if alias in ("_", ".") else alias,
            line=node.start_point[0] + 1,
        )


def _package_name(root: "Node", source: "SourceText") -> str:
    for child in root.named_children:
        if child.type == "package_clause":
            name = child.named_child(0)
            return "" if name is None else source.text_of(name)
    return ""


def _is_local(definition: Definition) -> bool:
    """Return whether a value, or a member of an unnamed type, is local to a function."""
    parent = definition.parent
    if definition.node_type in _SPECS:
        return parent is not None
    if definition.node_type in _MEMBERS:
        return parent is None or parent.kind in _CALLABLE or not parent.name
    return False


def _default_alias(module: str) -> str:
    """Return the package name guessed from its path: `klog` of `k8s.io/klog/v2`."""
    parts = module.split("/")
    if len(parts) > 1 and _MAJOR_VERSION.fullmatch(parts[-1]):
        parts.pop()
    stem, dot, version = parts[-1].rpartition(".")
    return stem if dot and _MAJOR_VERSION.fullmatch(version) else parts[-1]


# The names of the language's universe block.
_PREDECLARED = frozenset(
    (
        *("any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32"),
        *("float64", "int", "int8", "int16", "int32", "int64", "rune", "string", "uint", "uint8"),
        *("uint16", "uint32", "uint64", "uintptr", "true", "false", "iota", "nil", "append"),
        *("cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max"),
        *("min", "new", "panic", "print", "println", "real", "recover"),
    )
)

LANGUAGE = Language(
    name="go",
    aliases=("golang",),
    extensions=(".go",),
    grammar="tree_sitter_go:language",
    rules=GoRules(),
    predeclared=_PREDECLARED,
)
