"""Matched definitions without duplicates, in file order, with full spans and their parents."""

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

# Deeper nesting is generated code, and qualified names would grow quadratically with the depth.
MAX_DEPTH: Final = 32


def arrange_definitions(
    found: "list[Definition]", source: "SourceText", language: "Language"
) -> "tuple[list[Definition], list[ParseProblem]]":
    """Return definitions with spans and parents, outer ones first, and a problem if any is dropped.

    Definitions that are nested too deep are dropped.
    """
    definitions = _best_matches(found)
    _put_in_order(definitions)
    problems = _drop_depths(definitions)
    if _widen_all(definitions, language.wrappers, language.leading):
        _put_in_order(definitions)
    language.rules.settle(definitions, source)
    _nest(definitions)
    return definitions, problems


def _best_matches(found: "list[Definition]") -> "list[Definition]":
    """Keep one match of each definition, the one with most captures."""
    # The key is the name's offset: definitions may share a node, as in `const a = 1, b = 2`.
    places = [
        (
            each.name_start if each.name_start >= 0 else each.start_byte,
            each.end_byte,
            each.kind is None,
        )
        for each in found
    ]
    if len(set(places)) == len(found):  # the usual case
        return found
    best: dict[tuple[int, int, bool], Definition] = {}
    for place, definition in zip(places, found, strict=True):
        rival = best.setdefault(place, definition)
        if len(definition.captures) > len(rival.captures):
            best[place] = definition
    return list(best.values())


def _put_in_order(definitions: "list[Definition]") -> None:
    """Sort by start, the longest first where starts are equal."""
    # Two sorts by a number take half the time of one sort by a tuple key.
    definitions.sort(key=_END, reverse=True)
    definitions.sort(key=_START)


def _drop_depths(definitions: "list[Definition]") -> list[ParseProblem]:
    """Drop definitions that are nested too deep.

    Uses offsets only: `node.parent` walks from the root every time.
    """
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
    """Extend definitions over their wrappers and leading siblings; return whether any changed."""
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
    """Set each definition's parent to the innermost definition around it."""
    around: list[Definition] = []
    for definition in definitions:
        end, node = definition.end_byte, definition.node
        # Definitions that share a node, as in `int x, y;`, are siblings.
        while around and (around[-1].end_byte < end or around[-1].node == node):
            around.pop()
        if around and definition.start_byte < around[-1].end_byte:
            definition.parent = around[-1]
        around.append(definition)


_START: Final = attrgetter("start_byte")
_END: Final = attrgetter("end_byte")


_PARAMETER: Final = "parameter"
# A definition is at most this many nodes above the name of its type parameter.
_MAX_CLIMB: Final = 8
_BRACKET: Final = re.compile(r"[<>()\[\]{}]")


def scopes_of(parameters: "Iterable[Node]", source: "SourceText") -> "dict[str, list[Span]]":
    """Map the name of each type parameter to the spans in which it is in scope."""
    scopes: dict[str, list[Span]] = {}
    scope, previous_end = (0, 0), -1
    for node in parameters:
        start, end = node.byte_range
        # `node.parent` walks from the root, so parameters of one list share the first one's scope.
        is_first = not 0 <= previous_end <= start
        if is_first or _BRACKET.search(source.characters, previous_end, start):
            scope = _scope_of(node)
        previous_end = end
        scopes.setdefault(source.text_between(start, end), []).append(scope)
    return scopes


def is_parameter(kind: SiteKind, start: int, scopes: "list[Span]") -> bool:
    """Return whether an unqualified mention is in one of these scopes; a call never counts."""
    if kind is not SiteKind.CALL:
        for begin, end in scopes:
            if begin <= start < end:
                return True
    return False


def _scope_of(name: "Node") -> "Span":
    """Return the span of the definition whose parameter list holds this name."""
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
