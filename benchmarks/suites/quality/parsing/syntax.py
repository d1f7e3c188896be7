"""Where a tag stands in the syntax of its file, by the grammar that Cruxe reads it with."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from benchmarks.suites.quality.parsing.differences import Miss
from cruxe.parse.grammars import load_toolchain
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node


def is_in_node(*types: str, unless_in: tuple[str, ...] = ()) -> Callable[[Miss], bool]:
    """Whether a node of these types is around the name, and not right inside one of `unless_in`."""

    def applies(miss: Miss) -> bool:
        return any(
            node.type in types and (node.parent is None or node.parent.type not in unless_in)
            for node in _nodes_around(miss)
        )

    return applies


def is_in_string(miss: Miss) -> bool:
    """Whether the name is part of a string or a here-document."""
    return any("string" in node.type or "heredoc" in node.type for node in _nodes_around(miss))


def _nodes_around(miss: Miss) -> "list[Node]":
    """The nodes around a name, innermost first; none where the grammar lost its way there."""
    column = len(miss.line_text().partition(miss.tag.name)[0].encode())
    place = (miss.tag.line - 1, column)
    root = _root(miss.parsed.language, miss.source)
    node = None if root is None else root.named_descendant_for_point_range(place, place)
    around: list[Node] = []
    while node is not None:
        around.append(node)
        node = node.parent
    # What a broken statement makes of its parts must not excuse that we found none.
    is_broken = any(each.has_error for each in around[:-1])
    return [] if is_broken else around


@lru_cache(maxsize=1)
def _root(language_name: str, source: SourceText) -> "Node | None":
    """The tree of a file, kept while its tags are looked at."""
    language = next(each for each in registry().languages if each.name == language_name)
    if not language.grammar:
        return None
    return load_toolchain(language).parser.parse(language.rules.legible(source)).root_node
