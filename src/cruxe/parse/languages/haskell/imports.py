"""What Haskell's imports bind, and which of it a module re-exports."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cruxe.model.symbols import Import
from cruxe.parse.languages.haskell.exports import exports_of
from cruxe.parse.languages.haskell.signatures import bare_name

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText


def imports_of(node: "Node", source: "SourceText") -> Iterator[Import]:
    """Yield the bindings of `import qualified M as N`, `import M (a, T(..))` and the like."""
    module_node = node.child_by_field_name("module")
    if module_node is None:
        return
    module = source.text_of(module_node)
    alias_node = node.child_by_field_name("alias")
    alias = "" if alias_node is None else source.text_of(alias_node)
    exports = exports_of(source.data)
    is_reexport = (alias or module) in exports.modules
    line = node.start_point[0] + 1
    words = {child.type for child in node.children if not child.is_named}
    names = node.child_by_field_name("names")
    if "qualified" in words or alias:
        yield Import(
            module=module, name="", alias=alias or module, line=line, is_reexport=is_reexport
        )
    if "qualified" in words:
        return
    if names is None or "hiding" in words:
        yield Import(module=module, name="*", alias="", line=line, is_reexport=is_reexport)
        return
    for each in names.children_by_field_name("name"):
        name = _imported_name(each, source)
        if name:
            passes_on = is_reexport or name in exports.names
            yield Import(
                module=module,
                name=name,
                alias=name,
                line=each.start_point[0] + 1,
                is_reexport=passes_on,
            )


def _imported_name(node: "Node", source: "SourceText") -> str:
    for field in ("variable", "type", "operator"):
        found = node.child_by_field_name(field)
        if found is not None:
            return bare_name(source.text_of(found))
    return ""
