"""TOML: tables nested by their dotted names, their keys, and arrays of tables by `name`."""

from typing import TYPE_CHECKING

from cruxe.parse.language import Language
from cruxe.parse.languages.json.naming import KeyRules

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Outline


class TomlRules(KeyRules):
    """Reads TOML line by line, without a grammar."""

    def outline(self, source: "SourceText") -> "Outline":
        """Return tables and keys."""
        # Imported late, as in other formats: detecting a file's language needs no reader.
        from cruxe.parse.languages.toml.outline import outline_of_tables

        return outline_of_tables(source)


LANGUAGE = Language(name="toml", extensions=(".toml",), filenames=("pipfile",), rules=TomlRules())
