"""Rules shared by the markup languages that are read line by line."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cruxe.model.symbols import Import
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS, Definition, Rules
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText


class MarkupRules(Rules):
    """A document is a module, a line is a signature, an included file is an import."""

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the path without its extension."""
        del root
        return source.path.rpartition(".")[0]

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the line of the name, as written."""
        name = definition.capture("name")
        if name is None:
            return ""
        start = source.data.rfind(b"\n", 0, name.start_byte) + 1
        end = source.data.find(b"\n", name.end_byte)
        line = source.text_between(start, end if end >= 0 else len(source.data))
        return fold_white_space(line)[:MAX_SIGNATURE_CHARACTERS]

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the included file."""
        return (
            Import(module=source.text_of(node), name="", alias="", line=node.start_point[0] + 1),
        )
