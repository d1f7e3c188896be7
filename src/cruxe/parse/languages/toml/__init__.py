"""TOML: tables nested by their dotted names, their keys, and arrays of tables by `name`."""

from collections import Counter
from typing import TYPE_CHECKING

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import MAX_VALUE_CHARACTERS, Definition, Language
from cruxe.parse.languages.json.keys import MAX_KEYS, MAX_PLAIN_ENTRIES, KeyRules
from cruxe.parse.languages.toml.tables import name_key, nest_tables, without_records
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from cruxe.parse.source import SourceText


class TomlRules(KeyRules):
    """What the queries cannot say of TOML."""

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Nest tables by name; leave out records, and keys where there are too many."""
        tables = [each for each in definitions if each.kind is SymbolKind.MODULE]
        tables = without_records(tables, source)[:MAX_KEYS]
        nest_tables(tables, source)
        keys = _keys_of_settings(definitions)
        if len(keys) + len(tables) > MAX_KEYS:
            keys = []
        for key in keys:
            name_key(key, source)
        definitions[:] = sorted(
            [*tables, *keys], key=lambda each: (each.start_byte, -each.end_byte)
        )

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """The head of a table, with the name that an element gives itself; a key's value."""
        if definition.kind is not SymbolKind.MODULE:
            value = definition.node.named_child(1)
            end = definition.end_byte if value is None else value.end_byte
            return fold_white_space(source.text_between(definition.start_byte, end))[
                :MAX_VALUE_CHARACTERS
            ]
        name = definition.captures["name"][0]
        head = fold_white_space(source.text_of(name))
        if definition.node.type == "table":
            return f"[{head}]"
        return f"[[{head}]]" if head.endswith(definition.name) else f"[[{head}]] {definition.name}"


def _keys_of_settings(definitions: list[Definition]) -> list[Definition]:
    """The keys outside of tables that are lists of data: word lists, features."""
    around: list[int] = []  # for each key the offset of its table
    table = 0
    for definition in definitions:
        if definition.kind is SymbolKind.MODULE:
            table = definition.start_byte
        else:
            around.append(table)
    counts = Counter(around)
    keys = [each for each in definitions if each.kind is not SymbolKind.MODULE]
    return [
        key for key, place in zip(keys, around, strict=True) if counts[place] <= MAX_PLAIN_ENTRIES
    ]


LANGUAGE = Language(
    name="toml",
    extensions=(".toml",),
    filenames=("pipfile",),
    grammar="tree_sitter_toml:language",
    rules=TomlRules(),
)
