"""How keys of configuration files are named and shown, whatever the format."""

from typing import Final

from cruxe.model.symbols import SymbolKind, Visibility
from cruxe.parse.language import Rules

MAX_KEYS: Final = 300
# A mapping with more plain values than this is a table of data: translations, word lists.
MAX_PLAIN_ENTRIES: Final = 128
_SCRIPTS: Final = frozenset({"scripts", "tasks"})
_FUNCTION: Final = SymbolKind.FUNCTION
_VARIABLE: Final = SymbolKind.VARIABLE
_PUBLIC: Final = Visibility.PUBLIC
_INTERNAL: Final = Visibility.INTERNAL


def module_of(path: str) -> str:
    """The path without its extension."""
    dot = path.rfind(".", path.rfind("/") + 2)  # a dot in front is part of the name
    return path[:dot] if dot > 0 else path


def prefix_of(path: str) -> str:
    """What the qualified names of a file begin with."""
    return f"{module_of(path)}."


def kind_of_value(around: str) -> SymbolKind:
    """The kind of a plain value: what stands among scripts is run by its name."""
    return _FUNCTION if around in _SCRIPTS else _VARIABLE


class KeyRules(Rules):
    """What is true of keys in every format."""

    def visibility_of(self, name: str) -> Visibility:
        """A leading dot or underscore says that a key is for its own file."""
        first = name[0]
        is_own = first == "_" or (first == "." and name[1:2].isalnum())
        return _INTERNAL if is_own else _PUBLIC
