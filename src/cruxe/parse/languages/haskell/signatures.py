"""Signatures and equations of Haskell: those of one name make one function."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import Definition

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText

SIGNATURE: Final = "signature"  # the capture that holds a function's signature
_PARTS: Final = frozenset({"signature", "function", "bind", "pattern_synonym"})
_CONSTRUCTOR: Final = re.compile(r"[A-Z][\w']*(?=[\s{])")
_INFIX_CONSTRUCTOR: Final = re.compile(r"(?<=\s)(?::[^\w\s]*|`[A-Z][\w']*`)(?=\s)")
_INSTANCE_HEADS: Final = (b"data instance", b"newtype instance")
_CONTAINERS: Final = frozenset({"class", "instance"})


def unite_equations(definitions: list[Definition], source: "SourceText") -> None:
    """Make one definition of each function: its signature and the equations that follow it."""
    united = _Functions(source)
    for definition in definitions:
        united.add(definition)
    definitions[:] = united.kept


class _Functions:
    """Definitions in file order, with the parts of each function joined."""

    def __init__(self, source: "SourceText") -> None:
        self.kept: list[Definition] = []
        self._source = source
        self._signatures: dict[tuple[int, str], Definition] = {}
        self._container: Definition | None = None
        self._last: tuple[int, str] = (0, "")
        self._is_last_signature = False
        self._function = (0, 0)

    def add(self, definition: Definition) -> None:
        """Keep a definition, or join it to its function; drop local ones."""
        if definition.kind is SymbolKind.FUNCTION and self._is_inner(definition.start_byte):
            return
        self._leave_container(definition)
        node_type = definition.node_type
        if node_type not in _PARTS:
            self._last = (0, "")
            if node_type in _CONTAINERS:
                self._container = definition
            elif self._source.data.startswith(_INSTANCE_HEADS, definition.start_byte):
                definition.kind = None  # a scope: the family qualifies its constructors
            self.kept.append(definition)
            return
        self._function = (definition.start_byte, definition.end_byte)
        key = (0 if self._container is None else id(self._container), self._name(definition))
        is_signature = _is_signature(definition, node_type)
        if is_signature:
            self._signatures[key] = definition
            self.kept.append(definition)
        elif key == self._last and not self._is_last_signature:
            _extend(self.kept[-1], definition)
        else:
            self._add_equation(key, definition)
        self._last, self._is_last_signature = key, is_signature

    def _is_inner(self, start: int) -> bool:
        """Return whether it is local to a function, or a `default` signature of a method."""
        first, end = self._function  # several names of one signature have one start
        return first < start < end or self._source.data.endswith(b"default ", 0, start)

    def _add_equation(self, key: tuple[int, str], definition: Definition) -> None:
        signature = self._signatures.pop(key, None)
        if signature is None:
            self.kept.append(definition)
            return
        definition.captures[SIGNATURE] = [signature.node]
        if self.kept[-1] is signature and not _has_several_names(signature):
            self.kept.pop()
            definition.start_byte = signature.start_byte
            definition.line_start = signature.line_start
            if definition.node.child_by_field_name("name") is not None:  # else an operator's
                definition.captures["name"] = signature.captures["name"]
        elif self._container is not None and self._container.kind is SymbolKind.TRAIT:
            return  # a default implementation: the method is its signature
        else:
            self.kept.remove(signature)
        self.kept.append(definition)

    def _leave_container(self, definition: Definition) -> None:
        container = self._container
        if container is not None and definition.start_byte >= container.end_byte:
            self._container = None

    def _name(self, definition: Definition) -> str:
        names = definition.captures.get("name")
        return bare_name(self._source.text_of(names[0])) if names else ""


def _is_signature(definition: Definition, node_type: str) -> bool:
    """Return whether it only declares the type of a definition elsewhere."""
    if node_type != "pattern_synonym":
        return node_type == "signature"
    node = definition.node
    inner = node.named_child(0) if node.named_child_count else None
    return inner is not None and inner.type == "signature"


def bare_name(text: str) -> str:
    """Return `op` of `(op)` and `` `op` ``; of a pattern's head, the constructor."""
    if text.isidentifier():  # the usual case
        return text
    name = text.strip("()` \n")
    found = _CONSTRUCTOR.match(name) or _INFIX_CONSTRUCTOR.search(name)
    return name if found is None else found.group().strip("`")


def _has_several_names(signature: Definition) -> bool:
    return signature.node.child_by_field_name("names") is not None


def _extend(function: Definition, equation: Definition) -> None:
    function.end_byte = equation.end_byte
    function.line_end = equation.line_end
