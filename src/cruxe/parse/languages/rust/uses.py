"""What Rust's `use` trees, `extern crate` and `mod x;` bind, flattened to one import per name.

A `use` is read from its text, since inside a macro call the grammar has only tokens.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.symbols import Import
from cruxe.parse.languages.rust.macro_items import head_of, stands_for_items, visibility_of_head
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PLAIN: Final = re.compile(r"[\w:]+")
_PIECE: Final = re.compile(r"([^{},]+)|([{},])")
_ALIASED: Final = re.compile(r"^(.*?)\s+as\s+(\S+)$", re.DOTALL)


class _Binding(NamedTuple):
    path: str
    alias: str | None  # None: the last part of the path; empty: `as _`
    line: int


def bindings_of(node: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield the names that one declaration binds, in the order written."""
    if node.type == "use":
        yield from _use_among_tokens(node, source)
        return
    is_reexport = _is_visible_outside(_modifier_of(node, source))
    if node.type == "use_declaration":
        argument = node.child_by_field_name("argument")
        if argument is not None:
            text = source.text_of(argument)
            yield from _use_imports(text, argument.start_point[0] + 1, is_reexport=is_reexport)
        return
    line, name = node.start_point[0] + 1, _field_text(node, "name", source)
    if node.type == "mod_item":
        yield Import(module="self", name=name, alias=name, line=line, is_reexport=is_reexport)
        return
    alias = _field_text(node, "alias", source) or name
    yield Import(
        module=name,
        name="",
        alias="" if alias == "_" else alias,
        line=line,
        is_reexport=is_reexport,
    )


def _use_among_tokens(keyword: "Node", source: "SourceText") -> Iterator[Import]:
    end = source.data.find(b";", keyword.end_byte)
    if end < 0 or not stands_for_items(keyword):
        return iter(())
    is_reexport = _is_visible_outside(visibility_of_head(head_of(keyword), source))
    text = source.text_between(keyword.end_byte, end)
    return _use_imports(text, keyword.start_point[0] + 1, is_reexport=is_reexport)


def _use_imports(text: str, first_line: int, *, is_reexport: bool) -> Iterator[Import]:
    for path, alias, line in _flatten(text, first_line):
        module, _, last = path.rpartition("::")
        if last == "*":
            yield Import(module=module, name="*", alias="", line=line, is_reexport=is_reexport)
            continue
        is_module = last == "self" and bool(module)  # `{self, …}` means the path before the braces
        bound = alias
        if bound is None:
            bound = module.rpartition("::")[2] if is_module else last
        if is_module or not module:
            yield Import(
                module=module if is_module else last,
                name="",
                alias=bound,
                line=line,
                is_reexport=is_reexport,
            )
        else:
            yield Import(module=module, name=last, alias=bound, line=line, is_reexport=is_reexport)


def _flatten(text: str, line: int) -> Iterator[_Binding]:
    """Walk a `use` tree piece by piece; braces open a list below the path before them."""
    if _PLAIN.fullmatch(text):  # the usual case
        yield _Binding(text, None, line)
        return
    prefixes, path = [""], ""
    text = _COMMENT.sub("", text) if "/" in text else text
    for piece, mark in _PIECE.findall(text + ","):
        if mark == "{":
            prefixes.append(prefixes[-1] + "".join(path.split()))
        elif mark:
            if path.strip():
                start = line - path.count("\n") + _leading_lines(path)
                yield _binding(prefixes[-1], path.strip(), start)
            if mark == "}" and len(prefixes) > 1:
                prefixes.pop()
        path = piece
        line += piece.count("\n")


def _binding(prefix: str, written: str, line: int) -> _Binding:
    aliased = _ALIASED.match(written) if " " in written or "\n" in written else None
    path, alias = (aliased[1], aliased[2]) if aliased else (written, None)
    alias = "" if alias == "_" else alias
    return _Binding(prefix + "".join(path.split()), alias, line)


def _leading_lines(text: str) -> int:
    return text.count("\n", 0, len(text) - len(text.lstrip()))


def _field_text(node: "Node", field: str, source: "SourceText") -> str:
    found = node.child_by_field_name(field)
    return "" if found is None else fold_white_space(source.text_of(found))


def _modifier_of(node: "Node", source: "SourceText") -> str:
    first = node.child(0) if node.child_count else None
    is_modifier = first is not None and first.type == "visibility_modifier"
    return source.text_of(first) if first is not None and is_modifier else ""


def _is_visible_outside(modifier: str) -> bool:
    return bool(modifier) and modifier != "pub(self)"
