"""A TOML file as an outline."""

from typing import TYPE_CHECKING

from cruxe.parse.languages.json.naming import prefix_of
from cruxe.parse.languages.toml.reading import LineReader
from cruxe.parse.languages.toml.tables import drafts_of
from cruxe.parse.text_places import Outline, broken_at

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText


def outline_of_tables(source: "SourceText") -> Outline:
    """Return tables and keys."""
    reader = LineReader(source)
    reader.read()
    drafts, broken = drafts_of(reader.items, prefix_of(source.path)), reader.broken_line
    return Outline(
        drafts=drafts, comments=reader.comments, problems=broken_at(broken) if broken else ()
    )
