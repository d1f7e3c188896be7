"""AsciiDoc: sections by their headings, titled blocks, anchors and attributes.

No grammar is packaged for it, so lines are read directly.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS, Definition, Language, Rules
from cruxe.parse.languages.asciidoc.inline import plain_text
from cruxe.parse.languages.asciidoc.paragraphs import opening_paragraph
from cruxe.parse.languages.asciidoc.reading import read_markup
from cruxe.parse.places import matched, place
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.places import Match
    from cruxe.parse.source import SourceText

_REFERENCE: Final = re.compile(rb"<<([^\s<>,#]+)(?:,[^<>]*)?>>|(?<!\w)xref:#?([^\s\[\]#]+)\[")
_MAX_NAME_CHARACTERS: Final = 200


class AsciiDocRules(Rules):
    """How AsciiDoc is read."""

    def read(self, source: "SourceText") -> "list[Match]":
        """Sections, captions, anchors, attributes, included files and cross references."""
        found = read_markup(source)
        for reference in _REFERENCE.finditer(source.data):
            span = reference.span(reference.lastindex or 0)
            found.append(matched("reference", place(source, *span)))
        return found

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """The path without its extension."""
        del root
        return source.path.rpartition(".")[0]

    def name(self, definition: Definition, source: "SourceText") -> str:
        """A title without markup; anything else as written."""
        name = super().name(definition, source)[:_MAX_NAME_CHARACTERS]
        return plain_text(name) if definition.kind is SymbolKind.SECTION else name

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """The line that names it, as written."""
        name = definition.capture("name")
        if name is None:
            return ""
        start = source.data.rfind(b"\n", 0, name.start_byte) + 1
        end = source.data.find(b"\n", name.end_byte)
        line = source.text_between(start, end if end >= 0 else len(source.data))
        return fold_white_space(line)[:MAX_SIGNATURE_CHARACTERS]

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """The first paragraph of a section."""
        del above
        return plain_text(opening_paragraph(definition, source))

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """A file that is included here."""
        return (Import(source.text_of(node), "", "", node.start_point[0] + 1),)


LANGUAGE = Language(
    name="asciidoc",
    extensions=(".adoc", ".asciidoc", ".asc"),
    mode="prose",
    separator=" > ",
    rules=AsciiDocRules(),
)
