"""Type parameters: names that mean something only inside the definition that declares them."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SiteKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

    Span = tuple[int, int]

_PARAMETER: Final = "parameter"
# From the name of a parameter up to the definition there are no more nodes than this.
_MAX_CLIMB: Final = 8
_BRACKET: Final = re.compile(r"[<>()\[\]{}]")


def scopes_of(parameters: "Iterable[Node]", source: "SourceText") -> "dict[str, list[Span]]":
    """Where type parameters are in scope, by name."""
    scopes: dict[str, list[Span]] = {}
    scope, previous_end = (0, 0), -1
    for node in parameters:
        start, end = node.byte_range
        # A node finds its parent from the root, so the next of a list takes what the first found.
        is_first = not 0 <= previous_end <= start
        if is_first or _BRACKET.search(source.characters, previous_end, start):
            scope = _scope_of(node)
        previous_end = end
        scopes.setdefault(source.text_between(start, end), []).append(scope)
    return scopes


def is_parameter(kind: SiteKind, start: int, scopes: "list[Span]") -> bool:
    """Whether a bare mention is of the type parameter that has these scopes; a call never is."""
    if kind is not SiteKind.CALL:
        for begin, end in scopes:
            if begin <= start < end:
                return True
    return False


def _scope_of(name: "Node") -> "Span":
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
    return node.byte_range
