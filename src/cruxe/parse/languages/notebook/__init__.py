"""Jupyter notebooks: the code of Python cells, and the headings of Markdown cells.

The JSON is the file: offsets and lines are those of the `.ipynb`. Notebooks of other kernels, and
cells whose source is one JSON line, have no code symbols.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS
from cruxe.parse.language import MAX_HEADING_CHARACTERS, MAX_SIGNATURE_CHARACTERS, Definition
from cruxe.parse.languages.markdown.inline import plain_text
from cruxe.parse.languages.notebook.cells import decoded
from cruxe.parse.languages.notebook.code import CodeText, read_notebook, searchable_text
from cruxe.parse.languages.notebook.headings import find_headings, opening_paragraph
from cruxe.parse.languages.python import LANGUAGE as PYTHON
from cruxe.parse.languages.python import PythonRules

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match


class NotebookRules(PythonRules):
    """Python's rules for the code of a notebook, plus sections."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the code; everything else is blanked."""
        return _code_of(source).data

    def searchable(self, source: "SourceText") -> bytes:
        """Return the sources of the cells without their outputs."""
        return searchable_text(source.data)

    def read(self, source: "SourceText") -> "list[Match]":
        """Return headings, and the text around them as comments."""
        return find_headings(read_notebook(source.data).cells, source)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Keep only the first assignment of a variable: notebooks reuse the same few names."""
        code, known = _code_of(source), set[str]()
        kept: list[Definition] = []
        for definition in definitions:
            name = definition.capture("name")
            if definition.kind is SymbolKind.VARIABLE and name is not None:
                text = code.text_of(name)
                if text in known and code.is_at_margin(name.start_byte):
                    continue
                known.add(text)
            kept.append(definition)
        definitions[:] = kept

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return a heading without markup, or the name of code as in Python."""
        if definition.kind is not SymbolKind.SECTION:
            return super().name(definition, _code_of(source))
        return plain_text(_heading(definition, source))[:MAX_HEADING_CHARACTERS]

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Return the kind as in Python; a heading does not qualify the names below it."""
        if definition.kind is not SymbolKind.SECTION:
            return super().kind(definition, _code_of(source))
        definition.inner_prefix = definition.scope
        return SymbolKind.SECTION

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility as in Python; headings are public."""
        if definition.kind is SymbolKind.SECTION:
            return Visibility.PUBLIC
        return super().visibility(definition, source)

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head of the code, or the heading as written."""
        if definition.kind is not SymbolKind.SECTION:
            return super().signature(definition, _code_of(source))
        marks = source.data.count(b"#", definition.start_byte, _heading_start(definition))
        return f"{'#' * marks} {_heading(definition, source)}"[:MAX_SIGNATURE_CHARACTERS]

    def doc_node(self, definition: Definition) -> "Node | None":
        """Return the docstring of code."""
        if definition.kind is SymbolKind.SECTION:
            return None
        return super().doc_node(definition)

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the documentation of code, or the first paragraph under a heading."""
        if definition.kind is not SymbolKind.SECTION:
            code = _code_of(source)
            if definition.inner_doc is None:
                # In the file, a quote precedes every comment on its line.
                above = code.comments_above(definition.line_start)
                above = above if all(map(self.is_doc_comment, above)) else []
            return super().doc(definition, code, above)
        cells = read_notebook(source.data).cells
        return opening_paragraph(definition, cells, source)[:MAX_DOC_CHARACTERS]

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the bindings as in Python."""
        return super().imports(node, _code_of(source))


def _code_of(source: "SourceText") -> CodeText:
    return read_notebook(source.data).code


def _heading(definition: Definition, source: "SourceText") -> str:
    name = definition.capture("name")
    return "" if name is None else decoded(source.text_of(name)).strip()


def _heading_start(definition: Definition) -> int:
    name = definition.capture("name")
    return definition.start_byte if name is None else name.start_byte


LANGUAGE = PYTHON._replace(
    name="notebook",
    aliases=("jupyter",),
    extensions=(".ipynb",),
    interpreters=(),
    queries=("../python/queries.scm",),
    rules=NotebookRules(),
)
