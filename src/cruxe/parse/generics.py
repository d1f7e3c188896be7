"""Type parameters: names that mean something only inside the definition that declares them."""

from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SiteKind
from cruxe.parse.source import SourceText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from cruxe.parse.sites import RawSite

_PARAMETER: Final = "parameter"
# From the name of a parameter up to the definition there are no more nodes than this.
_MAX_CLIMB: Final = 8


def drop_type_parameters(
    sites: "dict[int, RawSite]", parameters: "Iterable[Node]", source: SourceText
) -> None:
    """Drop bare mentions of type parameters where they are in scope; they refer to nothing else."""
    scopes: dict[bytes, list[tuple[int, int]]] = {}
    for node in parameters:
        name = source.data[node.start_byte : node.end_byte]
        scopes.setdefault(name, []).append(_scope_of(node))
    first = min(start for spans in scopes.values() for start, _ in spans)
    last = max(end for spans in scopes.values() for _, end in spans)
    mentions = [
        (start, node)
        for start, (node, kind, qualifier) in sites.items()
        if qualifier is None and kind is not SiteKind.CALL and first <= start < last
    ]
    for start, node in mentions:
        spans = scopes.get(source.data[start : node.end_byte])
        if spans is not None and any(begin <= start < end for begin, end in spans):
            del sites[start]


def _scope_of(name: "Node") -> tuple[int, int]:
    """The span of the definition whose list of parameters holds a name."""
    node = name
    for _ in range(_MAX_CLIMB):
        parent = node.parent
        if parent is None:
            break
        is_list = _PARAMETER in node.type and _PARAMETER not in parent.type
        node = parent
        if is_list:
            break
    return node.start_byte, node.end_byte
