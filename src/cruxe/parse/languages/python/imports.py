"""What Python's import statements bind, and which of it a module re-exports."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_FUNCTION: Final = "function_definition"
_EXPORTS: Final = re.compile(
    rb"__all__(?<![^\n]__all__)\b[^=\n(\[]*(?:=|\+=|\.extend)\s*[(\[]([^)\]]*)[)\]]"
)
_QUOTED: Final = re.compile(rb"[\"'](\w+)[\"']")
# A plain statement: no comments, and no line breaks outside brackets.
_NAME: Final = r"[\w.]+(?: as \w+)?"
_NAMES: Final = rf"{_NAME}(?:\s*,\s*{_NAME}|(?!))*+"
_PLAIN: Final = re.compile(
    rf"(?:from ([\w.]+) )?import (?:({_NAME}(?: ?, ?{_NAME}|(?!))*+)|\((\s*{_NAMES}\s*,?\s*)\))"
)


def imports_of(node: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield the names that one statement binds, in the order written."""
    plain = None if node.has_error else _PLAIN.fullmatch(source.text_of(node))
    if plain is not None:
        return _written(plain[1], plain[2] or plain[3], node, source)
    if node.type == "import_statement":
        return _modules(node, source)
    return _members(node, source)


def _written(
    module: str | None, names: str, node: "Node", source: "SourceText"
) -> Iterator[Import]:
    """Yield what a statement of plain words binds, read from its text."""
    line, listed = node.start_point[0] + 1, _listed_in_all(source.data)
    passes_on = module is not None and _passes_on(module, node, source)
    for part in names.split(","):
        words = part.split()
        if not words:  # after the last comma
            break
        name, alias = words[0], words[-1] if len(words) > 1 else ""
        name_line = line + part.count("\n", 0, part.index(name))
        line += part.count("\n")
        if module is None:
            bound = alias or name.partition(".")[0]
            yield Import(
                module=name,
                name="",
                alias=bound,
                line=name_line,
                is_reexport=alias == name or bound in listed,
            )
        else:
            bound = alias or name
            is_reexport = passes_on or alias == name or bound in listed
            yield Import(
                module=module, name=name, alias=bound, line=name_line, is_reexport=is_reexport
            )


def _modules(node: "Node", source: "SourceText") -> Iterator[Import]:
    for name in node.children_by_field_name("name"):
        module, alias = _aliased(name, source)
        bound = alias or module.partition(".")[0]
        is_reexport = alias == module or bound in _listed_in_all(source.data)
        yield Import(
            module=module,
            name="",
            alias=bound,
            line=name.start_point[0] + 1,
            is_reexport=is_reexport,
        )


def _members(node: "Node", source: "SourceText") -> Iterator[Import]:
    module_node = node.child_by_field_name("module_name")
    module = "__future__" if module_node is None else _dotted(module_node, source)
    passes_on = _passes_on(module, node, source)
    names = node.children_by_field_name("name")
    for name in names:
        member, alias = _aliased(name, source)
        bound = alias or member
        is_reexport = passes_on or alias == member or bound in _listed_in_all(source.data)
        yield Import(
            module=module,
            name=member,
            alias=bound,
            line=name.start_point[0] + 1,
            is_reexport=is_reexport,
        )
    if not names:
        is_stub = source.path.endswith(".pyi")
        yield Import(
            module=module,
            name="*",
            alias="",
            line=node.start_point[0] + 1,
            is_reexport=passes_on or is_stub,
        )


def _passes_on(module: str, node: "Node", source: "SourceText") -> bool:
    """Return whether a package's `__init__.py` re-exports from the package itself."""
    if not source.path.endswith("__init__.py"):  # the usual case
        return False
    *folders, file = source.path.split("/")
    if file != "__init__.py" or _is_inside_function(node):
        return False
    return module.startswith(".") or module.partition(".")[0] in folders


def _is_inside_function(node: "Node") -> bool:
    parent = node.parent
    while parent is not None and parent.type != _FUNCTION:
        parent = parent.parent
    return parent is not None


@lru_cache(maxsize=2)
def _listed_in_all(data: bytes) -> frozenset[str]:
    """Return the names in a module's `__all__`; cached for the current file."""
    if b"__all__" not in data:
        return frozenset()
    quoted = [name for found in _EXPORTS.finditer(data) for name in _QUOTED.findall(found[1])]
    return frozenset(name.decode("utf-8", "replace") for name in quoted)


def _aliased(node: "Node", source: "SourceText") -> tuple[str, str]:
    if node.type != "aliased_import":
        return _dotted(node, source), ""
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    return (
        "" if name is None else _dotted(name, source),
        "" if alias is None else source.text_of(alias),
    )


def _dotted(node: "Node", source: "SourceText") -> str:
    return "".join(source.text_of(node).split())
