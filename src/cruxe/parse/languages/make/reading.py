"""A makefile's definitions: rules, variables and `define` blocks, with comments and imports.

The packaged grammar for makefiles loses one definition in eight in real files, mostly after
conditionals, so lines are read directly.
"""

from typing import TYPE_CHECKING

from cruxe.parse.languages.make import lines
from cruxe.parse.languages.make.lines import Line, logical_lines
from cruxe.parse.text_places import matched, place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match


class Reader:
    """Reads the lines of one file in one pass."""

    def __init__(self, source: "SourceText") -> None:
        """Take a makefile."""
        self._source = source
        self._data = source.data
        self._lines = logical_lines(source.data)
        self._position = 0
        self._assigned: set[bytes] = set()
        self._is_open = False  # after an unclosed block, do not search for ends again

    def matches(self) -> "Iterator[Match]":
        """Yield definitions, included files and comments, in file order."""
        while self._position < len(self._lines):
            line = self._lines[self._position]
            self._position += 1
            if line.text < line.end:
                yield from self._read(line)

    def _read(self, line: Line) -> "Iterator[Match]":
        data, source = self._data, self._source
        if lines.COMMENT.match(data, *line.span):
            yield matched("comment", place(source, *line.span))
        elif define := lines.DEFINE.match(data, *line.span):
            whole = place(source, line.text, self._end_of_define(line), "define")
            yield matched("definition.variable", whole, name=place(source, *define.span(1)))
        elif lines.INCLUDE.match(data, *line.span):
            yield matched("import", place(source, *line.span))
        elif assignment := lines.ASSIGNMENT.match(data, *line.span):
            name = assignment[1]
            # Appending to a variable does not define it again.
            is_addition = assignment[0].endswith(b"+=") and name in self._assigned
            if not is_addition and not lines.SPECIAL.match(name):
                self._assigned.add(name)
                whole = place(source, *line.span, "variable")
                yield matched("definition.variable", whole, name=place(source, *assignment.span(1)))
        elif not lines.OTHER.match(data, *line.span):
            yield from self._read_rule(line)

    def _read_rule(self, line: Line) -> "Iterator[Match]":
        data, source = self._data, self._source
        rule = lines.RULE.match(data, *line.span)
        if rule is None:
            return
        if own := lines.ASSIGNMENT.match(
            data, lines.past_white_space(data, rule.end()), line.end
        ):  # `target: NAME = value`
            whole, name = place(source, *line.span, "variable"), place(source, *own.span(1))
            container = place(source, *rule.span(1))
            yield matched("definition.variable", whole, name=name, container=container)
            return
        whole = place(source, line.text, self._end_of_recipe(line), "rule")
        targets = [found.span() for found in lines.TARGET.finditer(data, *rule.span(1))]
        named = [span for span in targets if not lines.SPECIAL.match(data, *span)]
        for span in named:
            yield matched("definition.function", whole, name=place(source, *span))
        if named:
            end = lines.end_of_prerequisites(data, rule.end(), line.end)
            for needed in lines.PREREQUISITE.finditer(data, rule.end(), end):
                yield matched("reference", place(source, *needed.span()))

    def _end_of_define(self, line: Line) -> int:
        """Return the offset after the matching `endef`, or the end of the line if it has none."""
        depth = 1
        for position in range(self._position, 0 if self._is_open else len(self._lines)):
            inner = self._lines[position]
            if lines.DEFINE.match(self._data, *inner.span):
                depth += 1
            elif lines.ENDEF.match(self._data, *inner.span):
                depth -= 1
            if depth == 0:
                self._position = position + 1
                return inner.end
        self._is_open = True
        return line.end

    def _end_of_recipe(self, line: Line) -> int:
        """Return the offset after the last line that starts with a tab, across conditionals."""
        end, data = line.end, self._data
        for position in range(self._position, len(self._lines)):
            following = self._lines[position]
            first = data[following.start : following.start + 1]
            if first == b"\t":
                end, self._position = following.end, position + 1
            elif first not in b"\n#" and not lines.OTHER.match(data, *following.span):
                break
        return end
