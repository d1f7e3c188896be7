"""Join clauses into functions and attach attributes to their definitions.

Consecutive clauses of one function become one definition.
"""

from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import Definition
from cruxe.parse.languages.elixir import attributes

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText

_TESTS: Final = ("property", "test")


class _Body:
    """The content of one definition that has been read so far."""

    __slots__ = ("attributes", "definition", "end", "function", "identity")

    def __init__(self, end: int, definition: Definition | None) -> None:
        self.end = end
        self.definition = definition
        self.attributes: list[tuple[str, Definition]] = []  # waiting for their definition
        self.function: Definition | None = None  # the last one, while nothing has followed it
        self.identity: tuple[str, str, int] = ("", "", 0)


def settle(definitions: list[Definition], source: "SourceText") -> None:
    """Join clauses and attach attributes; both are removed from the list."""
    kept: list[Definition] = []
    bodies = [_Body(len(source.data) + 1, None)]
    for definition in definitions:
        while bodies[-1].end <= definition.start_byte:
            bodies.pop()
        body = bodies[-1]
        if "fields" in definition.captures:
            kept.extend(attributes.fields_of(definition, source))
            _close(body)
        elif "value" in definition.captures:
            if _keeps_attribute(definition, body, source):
                kept.append(definition)
        elif _continues(definition, body, source):
            bodies.append(_Body(definition.end_byte, body.function))
        else:
            kept.append(definition)
            _take_attributes(definition, body)
            bodies.append(_Body(definition.end_byte, definition))
    definitions[:] = kept


def _keeps_attribute(definition: Definition, body: _Body, source: "SourceText") -> bool:
    """Return whether an attribute defines something; others wait or belong to the module."""
    node = definition.capture("name")
    word = "" if node is None else source.text_of(node)
    if word in attributes.LEADING:
        body.attributes.append((word, definition))
        return False
    if word in attributes.OF_MODULE:
        if word == "moduledoc" and body.definition is not None:
            body.definition.captures["doc"] = [definition.node]
        return False
    is_kept = attributes.refine(definition, word)
    if definition.kind is not SymbolKind.CONSTANT:
        _take_attributes(definition, body)
    _close(body)
    return is_kept


def _close(body: _Body) -> None:
    body.attributes.clear()
    body.function = None


def _continues(definition: Definition, body: _Body, source: "SourceText") -> bool:
    """Extend the last function if this is a further clause of it; return whether it is."""
    keyword, name = definition.capture("keyword"), definition.capture("name")
    previous, before = body.function, body.identity
    body.function = None
    if definition.kind is not SymbolKind.FUNCTION or keyword is None or name is None:
        return False
    word, parameters = source.text_of(keyword), definition.capture("parameters")
    if word in _TESTS:
        return False
    arity = 0 if parameters is None else parameters.named_child_count
    body.function, body.identity = definition, (word, source.text_of(name), arity)
    if previous is None or body.identity != before:
        return False
    body.function = previous
    previous.end_byte = definition.end_byte
    previous.line_end = definition.line_end
    body.attributes.clear()
    return True


def _take_attributes(definition: Definition, body: _Body) -> None:
    if body.attributes:
        attributes.attach(body.attributes, definition)
        body.attributes.clear()
