"""Markdown: headings as sections, nested by level, each with its first paragraph."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.comment_prose import MAX_DOC_CHARACTERS
from cruxe.parse.language import (
    MAX_HEADING_CHARACTERS,
    MAX_SIGNATURE_CHARACTERS,
    Definition,
    Language,
    Rules,
)
from cruxe.parse.languages.markdown.inline import plain_text
from cruxe.parse.languages.markdown.legible import with_long_words
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_HEADINGS: Final = frozenset({"atx_heading", "setext_heading"})
_METADATA: Final = frozenset({"minus_metadata", "plus_metadata"})
_FIELD: Final = re.compile(r"""^(title|description)\s*[:=]\s*(['"]?)(.*?)\2\s*$""", re.MULTILINE)
# After this many other blocks, no paragraph is taken as the summary.
_MAX_BLOCKS_BEFORE_DOC: Final = 12
_MDX_CODE: Final = ("import ", "export ", "<")


class MarkdownRules(Rules):
    """What queries cannot express about Markdown."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text with fewer tokens."""
        return with_long_words(source.data)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Extend each section to the next heading of its level or above.

        The grammar does so itself, but not for headings underlined with `===`.
        """
        definitions[:] = [each for each in definitions if _opens_section(each.node, source)]
        opened: list[Definition] = []
        for definition in definitions:
            level = _level(definition.node)
            while opened and _level(opened[-1].node) >= level:
                closed = opened.pop()
                closed.end_byte, closed.line_end = definition.start_byte, definition.line_start - 1
            definition.end_byte, definition.line_end = len(source.data), source.line_count
            opened.append(definition)

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the path without its extension."""
        del root
        return source.path.rpartition(".")[0]

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the heading's text, or the title from front matter."""
        node = definition.node
        if node.type in _METADATA:
            name = _front_matter(node, source).get("title", "")
        else:
            name = plain_text(_heading_text(node, source))
        return name[:MAX_HEADING_CHARACTERS]

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Return the kind of a section for every definition."""
        del definition, source
        return SymbolKind.SECTION

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the heading as written, without the line under it."""
        node = definition.node
        if node.type == "setext_heading":
            text = _heading_text(node, source)
        elif node.type in _METADATA:
            text = f"title: {definition.name}"
        else:
            text = source.text_of(node)
        return fold_white_space(text)[:MAX_SIGNATURE_CHARACTERS]

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the first paragraph of the section, or the description from front matter."""
        del above
        node = definition.node
        if node.type in _METADATA and (given := _front_matter(node, source).get("description")):
            return given[:MAX_DOC_CHARACTERS]
        for paragraph in _paragraphs_after(node):
            # A row of badges is no summary, and MDX mixes code into the text.
            text = plain_text(source.text_of(paragraph), with_images=False)
            if text and not (source.path.endswith(".mdx") and text.startswith(_MDX_CODE)):
                return text[:MAX_DOC_CHARACTERS]
        return ""


def _opens_section(node: "Node", source: "SourceText") -> bool:
    if node.type in _METADATA:
        return bool(_front_matter(node, source).get("title"))
    return not _is_quoted(node)


def _level(node: "Node") -> int:
    """Return the level from 1 to 6; a title in front matter counts as level 1."""
    for child in node.children:
        if child.type.startswith(("atx_h", "setext_h")):
            return int(child.type.partition("_h")[2][0])
    return 1


def _is_quoted(node: "Node") -> bool:
    """Return whether a heading is in a quotation or a list, where it starts no section."""
    parent = node.parent
    while parent is not None and parent.type == "section":
        parent = parent.parent
    return parent is not None and parent.type in ("block_quote", "list_item")


def _heading_text(node: "Node", source: "SourceText") -> str:
    content = node.child_by_field_name("heading_content")
    return "" if content is None else source.text_of(content)


def _front_matter(node: "Node", source: "SourceText") -> dict[str, str]:
    """Return title and description; a block scalar indicator is no value."""
    fields = {found[1]: found[3].strip() for found in _FIELD.finditer(source.text_of(node))}
    return {name: value for name, value in fields.items() if value.strip(">|-+")}


def _paragraphs_after(node: "Node") -> "Iterator[Node]":
    """Yield the paragraphs between a heading and the next one."""
    block = node.next_named_sibling
    if block is not None and node.type in _METADATA and block.type == "section":
        block = block.named_child(0) if block.named_child_count else None
    for _ in range(_MAX_BLOCKS_BEFORE_DOC):
        if block is None or block.type in _HEADINGS or block.type == "section":
            return
        if block.type == "paragraph":
            yield block
        block = block.next_named_sibling


LANGUAGE = Language(
    name="markdown",
    extensions=(".md", ".markdown", ".mdx", ".mdown", ".mkd"),
    grammar="tree_sitter_markdown:language",
    mode="prose",
    separator=" > ",
    rules=MarkdownRules(),
)
