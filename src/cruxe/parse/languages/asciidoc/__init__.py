"""AsciiDoc: sections by their headings, titled blocks, anchors and attributes.

No grammar package exists for it, so lines are read directly.
"""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import MAX_HEADING_CHARACTERS, Definition, Language
from cruxe.parse.languages.asciidoc.inline import plain_text
from cruxe.parse.languages.asciidoc.paragraphs import opening_paragraph
from cruxe.parse.languages.asciidoc.reading import read_markup
from cruxe.parse.markup import MarkupRules
from cruxe.parse.text_places import matched, place

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

# Both alternatives begin with a literal character, so the search can skip ahead.
_REFERENCE: Final = re.compile(rb"<<([^\s<>,#]+)(?:,[^<>]*)?>>|xref:(?<!\wxref:)#?([^\s\[\]#]+)\[")


class AsciiDocRules(MarkupRules):
    """How AsciiDoc is read."""

    def read(self, source: "SourceText") -> "list[Match]":
        """Return sections, captions, anchors, attributes, included files and cross references."""
        found = read_markup(source)
        for reference in _REFERENCE.finditer(source.data):
            span = reference.span(reference.lastindex or 0)
            found.append(matched("reference", place(source, *span)))
        return found

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return a title without markup; other names as written."""
        name = super().name(definition, source)[:MAX_HEADING_CHARACTERS]
        return plain_text(name) if definition.kind is SymbolKind.SECTION else name

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the first paragraph of a section."""
        del above
        return plain_text(opening_paragraph(definition, source))


LANGUAGE = Language(
    name="asciidoc",
    extensions=(".adoc", ".asciidoc", ".asc"),
    mode="prose",
    separator=" > ",
    rules=AsciiDocRules(),
)
