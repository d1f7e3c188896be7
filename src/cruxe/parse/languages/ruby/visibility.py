"""Visibility of methods: `private` as a section, before a definition, or with names."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind, Visibility
from cruxe.parse.language import Definition
from cruxe.parse.languages.ruby import values

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

# The visibility that a directive sets; all other directives set public.
_MARKS: Final = {
    "private": "private",
    "private_class_method": "private",
    "private_constant": "private",
    "protected": "protected",
}
_OF_CLASS: Final = ("private_class_method", "public_class_method")
_LITERALS: Final = ("simple_symbol", "string", "symbol_array", "string_array", "array")


class _Body:
    """The content of one class, block or method: its members and the current section."""

    __slots__ = ("end", "mark", "members", "modifier", "outer")

    def __init__(self, end: int, outer: "_Body | None" = None) -> None:
        self.end = end
        self.mark = ""
        self.members: dict[tuple[str, bool], Definition] = {}  # by name, is of the class
        self.outer = outer  # of `class << self`: the class
        self.modifier: Definition | None = None  # the directive before a definition


def settle(definitions: list[Definition], source: "SourceText") -> None:
    """Name definitions and mark their visibility; sections and directives are removed."""
    kept: list[Definition] = []
    bodies = [_Body(len(source.data) + 1)]
    for definition, following in pairwise([*definitions, None]):
        assert definition is not None
        while bodies[-1].end <= definition.start_byte:
            bodies.pop()
        body, captures = bodies[-1], definition.captures
        if "section" in captures:
            bodies.extend(_open_section(definition, body, source))
        elif "directive" in captures:
            bodies.extend(_direct(definition, body, source))
        else:
            kept.append(definition)
            _enter(definition, body, source)
            if following is not None and following.start_byte < definition.end_byte:
                bodies.append(_body_of(definition, body))
    definitions[:] = kept


def visibility_of(definition: Definition) -> Visibility:
    """Return the visibility that `settle` marked."""
    captures = definition.captures
    if "private" in captures:
        return Visibility.PRIVATE
    return Visibility.PROTECTED if "protected" in captures else Visibility.PUBLIC


def _open_section(section: Definition, body: _Body, source: "SourceText") -> list[_Body]:
    """Change the default from here on; in a block only up to its end."""
    mark = _mark_of(section, "section", source)
    around = section.node.parent
    block = None if around is None else around.parent
    if block is None or block.type != "do_block" or block.end_byte >= body.end:
        body.mark = mark
        return []
    inner = _Body(block.end_byte, body.outer)
    inner.mark, inner.members = mark, body.members
    return [inner]


def _enter(definition: Definition, body: _Body, source: "SourceText") -> None:
    """Name and mark a definition, and add it to its body."""
    kind, name = definition.kind, definition.capture("name")
    if kind is None or name is None:
        return
    text = source.text_of(name).removeprefix(":")
    if text == "def":  # error recovery of the parser may take the next keyword as a name
        return
    definition.name = text
    if kind is SymbolKind.CONSTANT:
        kind = definition.kind = values.kind_of(definition, source)
        container = definition.capture("container")
        if container is not None and container.type == "self":  # `self::LIMIT = 1`
            del definition.captures["container"]
    of_class = "object" in definition.captures
    body.members[text, of_class] = definition
    if body.outer is not None:
        body.outer.members[text, True] = definition
    if kind is SymbolKind.FUNCTION or kind is SymbolKind.VARIABLE:
        if mark := _mark_for(definition, body, source):
            _mark(definition, mark)
        if body.modifier is not None and kind is SymbolKind.FUNCTION:
            definition.start_byte = body.modifier.start_byte
            definition.line_start = body.modifier.line_start


def _body_of(definition: Definition, around: _Body) -> _Body:
    is_singleton = definition.kind is None and definition.node_type == "singleton_class"
    return _Body(definition.end_byte, around if is_singleton else None)


def _mark_for(definition: Definition, body: _Body, source: "SourceText") -> str:
    """Return the section's mark; an alias has its original's."""
    if "object" in definition.captures:
        return body.mark if body.modifier is not None else ""
    if definition.name.startswith("@@"):
        return "private"
    old = _aliased(definition, source)
    if old is None:
        return body.mark
    original = body.members.get((source.text_of(old).removeprefix(":"), False))
    return "" if original is None else visibility_of(original).value


def _aliased(definition: Definition, source: "SourceText") -> "Node | None":
    node, macro = definition.node, definition.capture("macro")
    if macro is None:
        return node.child_by_field_name("alias")
    if source.text_of(macro) != "alias_method":
        return None
    arguments = node.child_by_field_name("arguments")
    return arguments.named_child(1) if arguments and arguments.named_child_count > 1 else None


def _direct(directive: Definition, body: _Body, source: "SourceText") -> list[_Body]:
    """Mark the members that a directive names, or open a body for the definition after it."""
    mark = _mark_of(directive, "directive", source)
    word = directive.capture("directive")
    of_class = word is not None and source.text_of(word) in _OF_CLASS
    names = list(_names(directive.node, source))
    for name in names:
        if member := body.members.get((name, of_class)):
            _mark(member, mark)
    if names:
        return []
    inner = _Body(directive.end_byte, body.outer)
    inner.mark, inner.modifier, inner.members = mark, directive, body.members
    return [inner]


def _names(call: "Node", source: "SourceText") -> Iterator[str]:
    arguments = call.child_by_field_name("arguments")
    for argument in arguments.named_children if arguments is not None else ():
        literal: Node | None = argument
        if argument.type == "splat_argument" and argument.named_child_count:
            literal = argument.named_child(0)
        if literal is not None and literal.type in _LITERALS:
            words = source.text_of(literal).strip("%iIwW[]()").replace(",", " ").split()
            yield from (word.strip(":\"'") for word in words)


def _mark_of(definition: Definition, capture: str, source: "SourceText") -> str:
    node = definition.capture(capture)
    return "" if node is None else _MARKS.get(source.text_of(node), "")


def _mark(definition: Definition, mark: str) -> None:
    captures = definition.captures
    captures.pop("private", None)
    captures.pop("protected", None)
    if mark in ("private", "protected"):
        captures[mark] = [definition.node]
