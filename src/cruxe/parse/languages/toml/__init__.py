"""TOML: tables nested by their dotted names, their keys, and arrays of tables by `name`."""

from typing import TYPE_CHECKING

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import MAX_VALUE_CHARACTERS, Definition, Language
from cruxe.parse.languages.json.keys import MAX_KEYS, MAX_PLAIN_ENTRIES, KeyRules
from cruxe.parse.languages.toml.tables import by_table, name_key, nest_tables, without_records
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from cruxe.parse.source import SourceText


class TomlRules(KeyRules):
    """What the queries cannot say of TOML."""

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Nest tables by name; leave out records, and keys where there are too many."""
        tables, groups = by_table(definitions)
        last_keys = {
            table: keys[-1] for table, keys in zip(tables, groups[1:], strict=True) if keys
        }
        tables = without_records(tables, source)[:MAX_KEYS]
        nest_tables(tables, last_keys, source)
        # A table with more keys is a list of data: words, features.
        settings = [key for keys in groups if len(keys) <= MAX_PLAIN_ENTRIES for key in keys]
        if len(settings) + len(tables) > MAX_KEYS:
            settings = []
        for key in settings:
            name_key(key, source)
        chosen = {*tables, *settings}
        definitions[:] = [each for each in definitions if each in chosen]

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """The head of a table, with the name that an element gives itself; a key's value."""
        if definition.kind is not SymbolKind.MODULE:
            text = source.text_between(definition.start_byte, definition.end_byte)
            if "#" in text:  # perhaps a comment behind the value
                text = _without_comment(definition, source)
            return fold_white_space(text)[:MAX_VALUE_CHARACTERS]
        name = definition.captures["name"][0]
        head = fold_white_space(source.text_of(name))
        if definition.node.type == "table":
            return f"[{head}]"
        return f"[[{head}]]" if head.endswith(definition.name) else f"[[{head}]] {definition.name}"


def _without_comment(key: Definition, source: "SourceText") -> str:
    value = key.node.named_child(1)
    end = key.end_byte if value is None else value.end_byte
    return source.text_between(key.start_byte, end)


LANGUAGE = Language(
    name="toml",
    extensions=(".toml",),
    filenames=("pipfile",),
    grammar="tree_sitter_toml:language",
    rules=TomlRules(),
)
