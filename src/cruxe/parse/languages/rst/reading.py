"""Sections, targets and directives of a text, read line by line.

Titles are not indented, the content of a directive is. Literal blocks and
the code under a directive are skipped.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.parse.languages.rst.objects import find_names, kind_of_directive, may_label_section
from cruxe.parse.text_places import matched, place, section_ends

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

SECTION: Final = "section"
TARGET: Final = "target"

# Few lines end in two colons, so that is checked first.
_MARKING: Final = rb"""(?:(?!(?:\.\.|::)[ \t]*\r?$)(?P<rule>([!-/:-@\[-`{-~])\2+)[ \t]*\r?$
    |(?P<indent>[ \t]*)\.\.(?:[ \t]+(?P<markup>\S[^\n]*)?|\r?$)
    |(?=[^\n]*::[ \t]*\r?$)
        (?P<margin>[ \t]*(?:(?:[-*+]|\#\.|\w{1,3}[.)])[ \t]+)?)(?=\S)
        [^\n:]*+(?::(?!:[ \t]*\r?$)[^\n:]*+|(?!))*+::[ \t]*\r?$)"""
_FIRST_MARK: Final = re.compile(_MARKING, re.MULTILINE | re.VERBOSE)
_FURTHER_MARK: Final = re.compile(rb"\n" + _MARKING, re.MULTILINE | re.VERBOSE)
_OVERLINED: Final = re.compile(
    rb"([!-/:-@\[-`{-~])\1{2,}[ \t]*\r?\n[ \t]*(?P<title>\S[^\n]*)\n"
    rb"(?P<under>\1{3,})[ \t]*\r?$",
    re.MULTILINE,
)
_DIRECTIVE: Final = re.compile(rb"(?P<name>[\w.+-]+(?::[\w.+-]+)*)[ \t]?::(?:[ \t]+|$)")
_TARGET: Final = re.compile(rb"_(?:`([^`]+)`|((?![ _`])(?:\\.|:(?=\S)|[^:\\])+)):$")
_CITATION: Final = re.compile(rb"\[([A-Za-z][\w.:-]*)\](?=\s|$)")
_SUBSTITUTION: Final = re.compile(rb"\|([^|\s](?:[^|]*[^|\s])?)\|[ \t]+[\w:-]+::")
_ADDRESS: Final = re.compile(rb"_.*:[ \t]|__[ \t]|\[")
_FOLLOWING_LINE: Final = re.compile(rb"\s*^(?=[^\n]*\S)", re.MULTILINE)
# Directives whose content is not reStructuredText.
_VERBATIM: Final = frozenset(
    {b"code", b"code-block", b"sourcecode", b"code-cell", b"literalinclude", b"parsed-literal"}
    | {b"raw", b"math", b"productionlist", b"doctest", b"testcode", b"testoutput", b"testsetup"}
    | {b"testcleanup", b"console", b"prompt", b"graphviz", b"digraph", b"graph", b"mermaid"}
    | {b"uml", b"plantuml", b"csv-table", b"ipython", b"plot", b"toctree", b"highlight", b"comment"}
)
_INCLUDES: Final = frozenset({b"include", b"literalinclude"})


def read_markup(source: "SourceText") -> "list[Match]":
    """Return all definitions and included files, in any order."""
    reader = _Reader(source)
    reader.read()
    return [*reader.found, *reader.sections()]


class _Title(NamedTuple):
    level: int
    start: int  # of the section, with the labels right above its title
    name: tuple[int, int]


class _Markup(NamedTuple):
    start: int  # of the two dots
    indent: int
    offset: int  # of the text after the dots
    text: bytes

    @property
    def end(self) -> int:
        return self.offset + len(self.text)


class _Reader:
    """Reads one text from top to bottom."""

    def __init__(self, source: "SourceText") -> None:
        self._source = source
        self._data = source.data
        self.found: list[Match] = []
        self._titles: list[_Title] = []
        self._styles: list[tuple[bytes, bool]] = []
        self._position = 0  # everything before it is done
        # Start of a group of adjacent labels, and the line after them.
        self._labels = (0, -1)

    def read(self) -> None:
        """Process every line that has markup."""
        data = self._data
        mark = _FIRST_MARK.match(data) or _FURTHER_MARK.search(data)
        while mark is not None:
            before, self._position = self._position, mark.end()
            if mark["rule"] is not None:
                self._read_rule(mark, before)
            elif mark["indent"] is not None:
                self._read_markup(mark)
            else:
                self._position = self._end_of_block(len(mark["margin"]))
            # The last match ends before a line feed.
            mark = _FURTHER_MARK.search(data, self._position)

    def sections(self) -> "list[Match]":
        """Return the sections, each up to the next title of its level or above."""
        titles, source = self._titles, self._source
        starts = [title.start for title in titles]
        ends = section_ends([title.level for title in titles], starts, len(self._data))
        return [
            matched(
                "definition.section",
                place(source, title.start, end, SECTION),
                name=place(source, *title.name),
            )
            for title, end in zip(titles, ends, strict=True)
        ]

    def _read_rule(self, rule: re.Match[bytes], before: int) -> None:
        """Process a line of adornment: under a title, over one, or a transition."""
        style = rule["rule"][:1]
        if (title := self._underlined(rule, before)) is not None:
            self._add_title(title, title[0], (style, False))
        elif (framed := _OVERLINED.match(self._data, rule.start("rule"))) is not None:
            start = framed.start("title")
            title = (start, start + len(framed["title"].rstrip()))
            self._add_title(title, framed.start(), (style, True))
            self._position = framed.end()

    def _underlined(self, rule: re.Match[bytes], before: int) -> tuple[int, int] | None:
        """Return the title above a rule: a single line that is not longer than the rule."""
        data, end = self._data, max(rule.start("rule") - 1, 0)
        start = data.rfind(b"\n", 0, end) + 1
        title = data[start:end].rstrip()
        if start < before or not title or title[:1].isspace() or title.startswith(b".. "):
            return None
        rule_length = len(rule["rule"])
        if rule_length <= _SHORT_RULE and len(title.decode("utf-8", "replace")) > rule_length:
            return None
        # Directly below the last match, a line cannot belong to a paragraph.
        if start > before + 1 and self._continues_paragraph(start):
            return None
        return start, start + len(title)

    def _continues_paragraph(self, start: int) -> bool:
        line_start = self._data.rfind(b"\n", 0, start - 1) + 1
        above = self._data[line_start : start - 1].rstrip()
        return bool(above) and not above.startswith((b" ", b"\t", b"..", b"__ "))

    def _add_title(self, name: tuple[int, int], start: int, style: tuple[bytes, bool]) -> None:
        if style not in self._styles:
            self._styles.append(style)
        labels, following = self._labels
        if following == start:
            start = labels
        self._titles.append(_Title(self._styles.index(style), start, name))

    def _read_markup(self, mark: re.Match[bytes]) -> None:
        """Process explicit markup: directive, label, citation, substitution or comment."""
        text = (mark["markup"] or b"").rstrip()
        markup = _Markup(
            start=mark.end("indent"),
            indent=len(mark["indent"]),
            offset=mark.start("markup"),
            text=text,
        )
        if (directive := _DIRECTIVE.match(text)) is not None:
            self._read_directive(markup, directive)
        elif (target := _TARGET.match(text)) is not None:
            self._add_value(markup, target.span(target.lastindex or 0))
            self._add_label(markup.start)
        elif (named := _CITATION.match(text) or _SUBSTITUTION.match(text)) is not None:
            self._add_value(markup, named.span(1))
        elif not _ADDRESS.match(text) and (text or self._has_line_below()):
            self._position = self._end_of_block(markup.indent)

    def _read_directive(self, markup: "_Markup", directive: re.Match[bytes]) -> None:
        source, name = self._source, directive["name"]
        start = markup.offset + directive.end()
        if name in _INCLUDES and start < markup.end:
            self.found.append(matched("import", place(source, start, markup.end)))
        if name in _VERBATIM:
            self._position = self._end_of_block(markup.indent)
        elif kind := kind_of_directive(name, markup.text):
            block_end = self._end_of_block(markup.indent)
            # Objects of one directive share its node, so they are siblings.
            whole = place(source, markup.start, block_end, name.decode())
            for spans in find_names(self._data, (start, block_end), name):
                captures = {key: place(source, *span) for key, span in spans.items()}
                self.found.append(matched(f"definition.{kind}", whole, **captures))
            if block_end <= markup.end and may_label_section(name):
                self._add_label(markup.start)

    def _add_value(self, markup: "_Markup", span: tuple[int, int]) -> None:
        name = place(self._source, markup.offset + span[0], markup.offset + span[1])
        whole = place(self._source, markup.start, markup.end, TARGET)
        self.found.append(matched("definition.constant", whole, name=name))

    def _add_label(self, start: int) -> None:
        following = _FOLLOWING_LINE.match(self._data, self._position)
        first = self._labels[0] if self._labels[1] == start else start
        self._labels = (first, following.end() if following else -1)

    def _has_line_below(self) -> bool:
        """Return whether the next line is not blank; an empty comment ends at a blank line."""
        start = self._data.find(b"\n", self._position) + 1
        end = self._data.find(b"\n", start)
        return bool(start and self._data[start : end if end >= 0 else len(self._data)].strip())

    def _end_of_block(self, indent: int) -> int:
        """Return the end of the following deeper lines: the end of the last one with text."""
        following = _line_within(indent).search(self._data, self._position)
        end = following.start() if following else len(self._data)
        return self._position + len(self._data[self._position : end].rstrip())


# Shorter rules are titles only if they are as long as the title.
_SHORT_RULE: Final = 3


@cache
def _line_within(indent: int) -> re.Pattern[bytes]:
    # Starts with the line feed, which is much faster to search than `^`.
    return re.compile(rb"\n[ \t]{0,%d}\S" % min(indent, 200))
