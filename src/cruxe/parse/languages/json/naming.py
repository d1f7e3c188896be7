"""Names and kinds of configuration keys, shared by all formats."""

from typing import Final

from cruxe.model.symbols import SymbolKind, Visibility
from cruxe.parse.language import Rules

MAX_KEYS: Final = 300
# A mapping with more plain values is data, such as translations or word lists.
MAX_PLAIN_ENTRIES: Final = 128
_SCRIPTS: Final = frozenset({"scripts", "tasks"})
_FUNCTION: Final = SymbolKind.FUNCTION
_VARIABLE: Final = SymbolKind.VARIABLE
_PUBLIC: Final = Visibility.PUBLIC
_INTERNAL: Final = Visibility.INTERNAL


def module_of(path: str) -> str:
    """Return the path without its extension."""
    dot = path.rfind(".", path.rfind("/") + 2)  # a leading dot is part of the name
    return path[:dot] if dot > 0 else path


def prefix_of(path: str) -> str:
    """Return the prefix of the qualified names of a file."""
    return f"{module_of(path)}."


def kind_of_value(around: str) -> SymbolKind:
    """Return the kind of a plain value: entries of `scripts` are callable."""
    return _FUNCTION if around in _SCRIPTS else _VARIABLE


class KeyRules(Rules):
    """Rules for keys in every format."""

    def visibility_of(self, name: str) -> Visibility:
        """Make keys with a leading dot or underscore internal."""
        first = name[0]
        is_own = first == "_" or (first == "." and name[1:2].isalnum())
        return _INTERNAL if is_own else _PUBLIC
