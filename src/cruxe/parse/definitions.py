"""Definitions as matched, put in order: each once, with its full span, inside the one around it."""

import re
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import ParseProblem, ProblemKind, SiteKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from cruxe.parse.language import Definition, Language
    from cruxe.parse.source_text import SourceText

    Span = tuple[int, int]

# Deeper nesting is machine-made; qualified names would grow with the square of the depth.
MAX_DEPTH: Final = 32


def arrange_definitions(
    found: "list[Definition]", source: "SourceText", language: "Language"
) -> "tuple[list[Definition], list[ParseProblem]]":
    """Settle spans and nesting, outer definitions first; without what is nested too deep."""
    definitions = _best_matches(found)
    _put_in_order(definitions)
    problems = _drop_depths(definitions)
    if _widen_all(definitions, language.wrappers, language.leading):
        _put_in_order(definitions)
    language.rules.settle(definitions, source)
    _nest(definitions)
    return definitions, problems


def _best_matches(found: "list[Definition]") -> "list[Definition]":
    """Drop second matches of the same definition."""
    # Several definitions may share a node: `const a = 1, b = 2`, `int x, y;`.
    places = [
        (
            each.name_start if each.name_start >= 0 else each.start_byte,
            each.end_byte,
            each.kind is None,
        )
        for each in found
    ]
    if len(set(places)) == len(found):  # as in most files
        return found
    best: dict[tuple[int, int, bool], Definition] = {}
    for place, definition in zip(places, found, strict=True):
        rival = best.setdefault(place, definition)
        if len(definition.captures) > len(rival.captures):
            best[place] = definition
    return list(best.values())


def _put_in_order(definitions: "list[Definition]") -> None:
    """By start; of those with the same start the longest first."""
    # Two sorts by a number take half the time of one by a pair that a function makes.
    definitions.sort(key=_END, reverse=True)
    definitions.sort(key=_START)


def _drop_depths(definitions: "list[Definition]") -> list[ParseProblem]:
    """Drop what is nested too deep, by offsets alone: a node finds its parent from the root."""
    if len(definitions) <= MAX_DEPTH:
        return []
    kept: list[Definition] = []
    problems: list[ParseProblem] = []
    ends: list[int] = []
    for definition in definitions:
        while ends and ends[-1] <= definition.start_byte:
            ends.pop()
        if len(ends) < MAX_DEPTH:
            kept.append(definition)
        elif not problems:
            problems.append(ParseProblem(ProblemKind.NESTED_TOO_DEEP, definition.line_start))
        ends.append(definition.end_byte)
    definitions[:] = kept
    return problems


def _widen_all(
    definitions: "list[Definition]", wrappers: frozenset[str], leading: frozenset[str]
) -> bool:
    """Widen definitions by their wrappers and what stands before them; whether one starts anew."""
    is_any_widened = False
    for definition in definitions if wrappers or leading else ():
        node = definition.node
        while wrappers and (parent := node.parent) and parent.type in wrappers:
            node = parent
        while leading and (before := node.prev_sibling) and before.type in leading:
            node = before
        if node is not definition.node:
            is_any_widened = True
            definition.start_node = node
            definition.start_byte = node.start_byte
            definition.line_start = node.start_point[0] + 1
    return is_any_widened


def _nest(definitions: "list[Definition]") -> None:
    """Give each definition the innermost one around it."""
    around: list[Definition] = []
    for definition in definitions:
        end, node = definition.end_byte, definition.node
        # Definitions that share a node, as in `int x, y;`, stand side by side.
        while around and (around[-1].end_byte < end or around[-1].node == node):
            around.pop()
        if around and definition.start_byte < around[-1].end_byte:
            definition.parent = around[-1]
        around.append(definition)


_START: Final = attrgetter("start_byte")
_END: Final = attrgetter("end_byte")


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
