"""Read a Dockerfile's relevant instructions, its comments and its first syntax error."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cruxe.model.symbols import Span
    from cruxe.parse.source_text import SourceText

# Its keyword in capitals; where it, its arguments and all of it start, start and end, without texts
# below; its first and last line.
Instruction = tuple[str, int, int, int, int, int]

_TELLING: Final = frozenset({"ARG", "COPY", "ENV", "FROM", "RUN"})
_OTHERS: Final = frozenset(
    {"ADD", "CMD", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "LABEL", "MAINTAINER", "SHELL"}
    | {"STOPSIGNAL", "USER", "VOLUME", "WORKDIR"}
)
_LINE: Final = re.compile(
    r"[ \t]*+(?>(#[^\n]*+\n?)|((?:ONBUILD[ \t]++)?([A-Z]++)(?:(?![^\s\\`])[ \t]*+)([^\n]*+))|)",
    re.IGNORECASE,
)
_BLANK_OR_COMMENT: Final = re.compile(r"[ \t]*+(?:(#[^\n]*+\n?)|\n|\Z)")
# A directive at the top may replace the default, a backslash.
_ESCAPE: Final = re.compile(r"(?:#[^\n]*\n)*?#[ \t]*escape[ \t]*=[ \t]*([\\`])", re.IGNORECASE)
_WITH_TEXT: Final = frozenset({"ADD", "COPY", "RUN"})
_MARKER: Final = re.compile(r"<<-?([\"']?)([A-Za-z_]\w*)\1")


class Reader:
    """Reads one file from top to bottom."""

    def __init__(self, source: "SourceText") -> None:
        """Take a text; call `read` to read it."""
        self._text = source.characters
        self._line_starts = source.line_starts
        self._line_count = source.line_count
        escape = _ESCAPE.match(self._text)
        self._escape = escape[1] if escape else "\\"
        self._endless: set[str] = set()  # heredoc markers that have no end from here on
        self.instructions: list[Instruction] = []
        self.comments: list[Span] = []
        self.broken_line = 0  # first line that is no instruction, or 0

    def read(self) -> None:
        """Read all lines."""
        line, text, starts = 0, self._text, self._line_starts
        while line < self._line_count:
            start = starts[line]
            line += 1
            read = _LINE.match(text, start)
            assert read is not None
            if read.lastindex == 1:
                self.comments.append(read.span(1))
            elif read.lastindex is not None:
                line = self._read_instruction(read, line)
            elif not _BLANK_OR_COMMENT.match(text, start):
                self.broken_line = self.broken_line or line

    def _read_instruction(self, read: re.Match[str], line: int) -> int:
        """Keep an instruction if it is relevant; return its last line, heredocs included."""
        keyword, last, end = read[3].upper(), line, read.end()
        if read[4].rstrip(" \t").endswith(self._escape):
            last = self._last_line(line)
            end = self._end_of(last)
        if read.start(4) == end or not (keyword in _TELLING or keyword in _OTHERS):
            self.broken_line = self.broken_line or line
        elif keyword in _TELLING:
            found = (keyword, read.start(2), read.start(4), end, line, last)
            self.instructions.append(found)
        if keyword in _WITH_TEXT and self._text.find("<<", read.start(4), end) >= 0:
            return self._end_of_texts(read.start(4), end, last)
        return last

    def _last_line(self, line: int) -> int:
        """Return the last line of an instruction; skips comments and blank lines inside it."""
        text, starts, count = self._text, self._line_starts, self._line_count
        while line < count:
            start = starts[line]
            line += 1
            if between := _BLANK_OR_COMMENT.match(text, start):
                self.comments += [between.span(1)] if between[1] else []
            elif not text[start : self._end_of(line)].rstrip(" \t").endswith(self._escape):
                break
        return line

    def _end_of(self, line: int) -> int:
        end = self._text.find("\n", self._line_starts[line - 1])
        return end if end >= 0 else len(self._text)

    def _end_of_texts(self, start: int, end: int, last: int) -> int:
        """Return the last line of the heredocs below an instruction."""
        for marker in _MARKER.finditer(self._text, start, end):
            if marker[2] in self._endless:
                continue
            closing = re.compile(rf"^\t*{marker[2]}$", re.MULTILINE).search(self._text, end)
            if closing is None:
                self._endless.add(marker[2])
            else:
                last = max(last, bisect_right(self._line_starts, closing.start()))
        return last
