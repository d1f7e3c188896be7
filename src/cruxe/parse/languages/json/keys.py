"""Keys of configuration files as symbols: which of them, and under what names.

Shared by JSON, YAML and TOML. A file of data has keys without end that nobody asks for by name,
so levels are taken whole from the top for as long as there is room.
"""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_SIGNATURE_CHARACTERS,
    MAX_VALUE_CHARACTERS,
    Definition,
    Rules,
    trim_signature,
)
from cruxe.parse.languages.json.manifests import become_manifest
from cruxe.parse.languages.json.quotes import unquoted
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source import SourceText

    Entries = dict[Definition | None, list[Definition]]

MAX_KEYS: Final = 300
# A mapping with more plain values than this is a table of data: translations, word lists.
MAX_PLAIN_ENTRIES: Final = 128
# Where files hold, by custom, the same keys again and again: a key says nothing there.
_DATA_FOLDER: Final = re.compile(
    r"(?:^|/)(?:locales?|i18n|l10n|langs?|languages|translations|_?_?fixtures(?:__)?|testdata"
    r"|test[-_]data|_?_?snapshots(?:__)?|_?_?mocks(?:__)?)/|(?:^|[/._-])[a-z]{2}[-_][A-Z]{2}\.\w+$"
)
_MAX_NAME_CHARACTERS: Final = 120
_SCRIPTS: Final = frozenset({"scripts", "tasks"})
_LETTER: Final = re.compile(r"[^\W\d]")
_TEMPLATE: Final = "{{"


class KeyRules(Rules):
    """What the queries cannot say of keys."""

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Keep the keys that help; a document that is a named object becomes one symbol."""
        entries = entries_by_place(definitions)
        kept: list[Definition] = []
        siblings: list[list[Definition]] = []
        is_data = source.line_count == 1 or _DATA_FOLDER.search(source.path) is not None
        for document in entries.get(None, ())[:MAX_KEYS]:
            shown = become_manifest(document, entries, source)
            if shown is not None:
                kept.append(document)
            if not is_data:
                siblings.append(entries.get(document, []) if shown is None else shown)
        kept += self._choose(siblings, entries, MAX_KEYS - len(kept))
        chosen = set(kept)
        definitions[:] = [each for each in definitions if each in chosen]

    def holds_keys(self, node: "Node") -> bool:
        """Whether the value of a key is a mapping."""
        value = node.child_by_field_name("value")
        return value is not None and value.type == "object"

    def _choose(
        self, siblings: list[list[Definition]], entries: "Entries", room: int
    ) -> list[Definition]:
        """The keys of each level, mappings before plain values, while they fit.

        A level that does not fit ends it; only the first is cut.
        """
        chosen: list[Definition] = []
        while siblings:
            mappings: list[Definition] = []
            values: list[Definition] = []
            for each in siblings:
                plain = [entry for entry in each if not self._is_mapping(entry, entries)]
                values += plain if len(plain) <= MAX_PLAIN_ENTRIES else ()
                mappings += [entry for entry in each if entry.kind is SymbolKind.MODULE]
            for group in (mappings, values):
                if chosen and len(group) > room - len(chosen):
                    return chosen
                chosen += group[:room]
            siblings = [entries[each] for each in mappings if each in entries]
        return chosen

    def _is_mapping(self, entry: Definition, entries: "Entries") -> bool:
        """Whether a key holds others, one a line; a mapping on one line is a value."""
        is_mapping = entry.line_start < entry.line_end and (
            entry in entries or self.holds_keys(entry.node)
        )
        entry.kind = SymbolKind.MODULE if is_mapping else SymbolKind.VARIABLE
        return is_mapping

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """The path without its extension."""
        del root
        path = source.path
        dot = path.rfind(".", path.rfind("/") + 2)  # a dot in front is part of the name
        return path[:dot] if dot > 0 else path

    def name(self, definition: Definition, source: "SourceText") -> str:
        """The key without quotes; numbers, marks and what a template makes have none.

        Nor have the methods of a path in a description of an API.
        """
        names, parent = definition.captures.get("name"), definition.parent
        if definition.name or names is None:
            return definition.name
        name = unquoted(source.text_of(names[0]))
        is_method = parent is not None and parent.name.startswith("/")
        has_letters = name[:1].isalpha() or _LETTER.search(name) is not None
        is_nameless = not has_letters or _TEMPLATE in name
        return "" if is_nameless or is_method else name[:_MAX_NAME_CHARACTERS]

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """What stands among scripts is run by its name."""
        del source
        kind, parent = definition.kind, definition.parent
        assert kind is not None
        is_script = parent is not None and parent.name in _SCRIPTS
        return SymbolKind.FUNCTION if is_script and kind is SymbolKind.VARIABLE else kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """A leading dot or underscore says that a key is for its own file."""
        del source
        name = definition.name
        is_own = name[0] in "._" and (name[0] == "_" or name[1:2].isalnum())
        return Visibility.INTERNAL if is_own else Visibility.PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """The key with its value; of a mapping the key alone, of an object its type and name."""
        captures = definition.captures
        if "version" in captures:
            parts = [captures[part][0] for part in ("version", "type", "name") if part in captures]
            text = " ".join([unquoted(source.text_of(part)) for part in parts])
            return text[:MAX_SIGNATURE_CHARACTERS]
        if definition.kind is not SymbolKind.MODULE:
            end = min(definition.end_byte, definition.start_byte + MAX_SIGNATURE_CHARACTERS)
            text = source.text_between(definition.start_byte, end)
            return fold_white_space(text)[:MAX_VALUE_CHARACTERS]
        end = source.data.find(b"\n", definition.start_byte)
        head = source.text_between(definition.start_byte, end)
        return trim_signature(head.partition(" #")[0])


def entries_by_place(definitions: list[Definition]) -> "Entries":
    """Definitions by the one around them, in file order; by none at the top."""
    entries: Entries = {}
    around: list[Definition] = []
    for definition in definitions:
        while around and around[-1].end_byte <= definition.start_byte:
            around.pop()
        entries.setdefault(around[-1] if around else None, []).append(definition)
        around.append(definition)
    return entries
