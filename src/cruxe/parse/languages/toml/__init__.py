"""TOML: tables nested by their dotted names, their keys, and arrays of tables by `name`."""

from typing import TYPE_CHECKING

from cruxe.parse.language import Language
from cruxe.parse.languages.json.naming import KeyRules, prefix_of
from cruxe.parse.languages.toml.reading import LineReader
from cruxe.parse.languages.toml.tables import drafts_of
from cruxe.parse.outline import Outline, broken_at

if TYPE_CHECKING:
    from cruxe.parse.source import SourceText


class TomlRules(KeyRules):
    """How TOML is read: line by line, without a grammar."""

    def outline(self, source: "SourceText") -> Outline:
        """Tables and keys."""
        reader = LineReader(source)
        reader.read()
        drafts, broken = drafts_of(reader.items, prefix_of(source.path)), reader.broken_line
        return Outline(drafts, reader.comments, broken_at(broken) if broken else ())


LANGUAGE = Language(name="toml", extensions=(".toml",), filenames=("pipfile",), rules=TomlRules())
