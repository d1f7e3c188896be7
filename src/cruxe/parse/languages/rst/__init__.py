"""reStructuredText: sections by their adornments, labels, and objects that directives document.

Lines are read directly: the grammar reads 2 MB/s, has no nesting and fails on some tables.
"""

from typing import TYPE_CHECKING

from cruxe.parse.language import MAX_HEADING_CHARACTERS, Definition, Language
from cruxe.parse.languages.rst.inline import plain_text
from cruxe.parse.languages.rst.paragraphs import opening_paragraph
from cruxe.parse.languages.rst.reading import SECTION, read_markup
from cruxe.parse.languages.rst.recognition import is_restructured
from cruxe.parse.languages.rst.roles import find_references
from cruxe.parse.markup import MarkupRules

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match


class RestructuredTextRules(MarkupRules):
    """Rules for reStructuredText."""

    def read(self, source: "SourceText") -> "list[Match]":
        """Return sections, labels, documented objects, included files and roles."""
        return [*read_markup(source), *find_references(source)]

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return a section's title without markup; other names as written."""
        name = super().name(definition, source)[:MAX_HEADING_CHARACTERS]
        return plain_text(name) if definition.node_type == SECTION else name

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the first paragraph of the section or of a directive's content."""
        del above
        return plain_text(opening_paragraph(definition, source))


LANGUAGE = Language(
    name="rst",
    aliases=("restructuredtext",),
    extensions=(".rst", ".rest", ".txt"),
    mode="prose",
    separator=" > ",
    rules=RestructuredTextRules(),
    recognises=is_restructured,
)
