"""The headings in a notebook's text, as sections that hold the cells below them."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from cruxe.parse.languages.markdown.inline import plain_text
from cruxe.parse.languages.notebook.cells import decoded
from cruxe.parse.text_places import matched, place, section_ends

if TYPE_CHECKING:
    from cruxe.parse.language import Definition
    from cruxe.parse.languages.notebook.cells import Cell
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

_MARKDOWN: Final = "markdown"
_HEADING: Final = re.compile(rb" {0,3}(?P<depth>#{1,6})[ \t]+(?P<title>[^\s#].*?)(?:\\n)?$")
_FENCE: Final = re.compile(rb" {0,3}(```|~~~)")


def find_headings(cells: "tuple[Cell, ...]", source: "SourceText") -> "list[Match]":
    """Return sections, each up to the next heading of its level or above, and text as comments."""
    texts = [cell for cell in cells if cell.kind == _MARKDOWN and cell.is_by_line]
    headings = [heading for cell in texts for heading in _headings_of(cell, source.data)]
    starts = [source.data.rfind(b"\n", 0, span[0]) + 1 for _, span in headings]
    ends = section_ends([level for level, _ in headings], starts, len(source.data))
    found = [
        matched("comment", place(source, cell.lines[0][0], cell.lines[-1][1])) for cell in texts
    ]
    for (_, span), start, end in zip(headings, starts, ends, strict=True):
        whole, name = place(source, start, end), place(source, *span)
        found.append(matched("definition.section", whole, name=name))
    return found


def opening_paragraph(
    definition: "Definition", cells: "tuple[Cell, ...]", source: "SourceText"
) -> str:
    """Return the first paragraph under a heading, in the same cell."""
    name = definition.capture("name")
    if name is None:
        return ""
    at = name.start_byte
    cell = cells[bisect_right(cells, at, key=lambda each: each.lines[0][0]) - 1]
    below = [source.text_between(*line) for line in cell.lines if line[0] > at]
    return _first_paragraph([decoded(text) for text in below])


def _headings_of(cell: "Cell", data: bytes) -> "list[tuple[int, tuple[int, int]]]":
    found: list[tuple[int, tuple[int, int]]] = []
    fence = b""
    for start, end in cell.lines:
        line = data[start:end]
        if (fenced := _FENCE.match(line)) is not None:
            fence = b"" if fence == fenced[1] else fence or fenced[1]
        elif not fence and (heading := _HEADING.match(line)) is not None:
            span = heading.span("title")
            found.append((len(heading["depth"]), (start + span[0], start + span[1])))
    return found


def _first_paragraph(lines: list[str]) -> str:
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.lstrip().startswith("#"):
            break
        if line.strip():
            paragraph.append(line)
        elif text := plain_text(" ".join(paragraph), with_images=False):
            return text
        else:
            paragraph = []
    return plain_text(" ".join(paragraph), with_images=False)
