"""reStructuredText: sections by their adornments, labels, and what directives document.

Lines are read directly: the grammar reads 2 MB/s, knows no nesting and falls over some tables.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS, Definition, Language, Rules
from cruxe.parse.languages.rst.inline import plain_text
from cruxe.parse.languages.rst.paragraphs import opening_paragraph
from cruxe.parse.languages.rst.reading import SECTION, read_markup
from cruxe.parse.languages.rst.recognition import is_restructured
from cruxe.parse.languages.rst.roles import find_references
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.places import Match
    from cruxe.parse.source import SourceText

_MAX_NAME_CHARACTERS: Final = 200


class RestructuredTextRules(Rules):
    """How reStructuredText is read."""

    def read(self, source: "SourceText") -> "list[Match]":
        """Sections, labels, documented objects, included files and roles."""
        return [*read_markup(source), *find_references(source)]

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """The path without its extension."""
        del root
        return source.path.rpartition(".")[0]

    def name(self, definition: Definition, source: "SourceText") -> str:
        """A section's title without markup; anything else as written."""
        name = super().name(definition, source)[:_MAX_NAME_CHARACTERS]
        return plain_text(name) if definition.node.type == SECTION else name

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
        """The first paragraph of the section or of what a directive holds."""
        del above
        return plain_text(opening_paragraph(definition, source))

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """A file that is included here."""
        return (Import(source.text_of(node), "", "", node.start_point[0] + 1),)


LANGUAGE = Language(
    name="rst",
    extensions=(".rst", ".rest", ".txt"),
    mode="prose",
    separator=" > ",
    rules=RestructuredTextRules(),
    recognises=is_restructured,
)
