"""The comments of a file, with a lookup of those directly above a line."""

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from cruxe.parse.source_text import SourceText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cruxe.model.symbols import Span
    from cruxe.parse.language import Rules


class CommentsAbove(NamedTuple):
    """The comments directly above a definition, in file order."""

    line: int  # first line of the first comment
    spans: list[tuple[int, int]]
    texts: list[str]


class Comments:
    """Comments indexed by the line that follows them."""

    def __init__(self, spans: "Iterable[Span]", source: SourceText) -> None:
        """Take the spans of comments in any order; of two that end on one line, keep the last."""
        self._source, find = source, source.data.find
        self.spans = tuple(sorted({*spans}))
        # Keyed by the offset of the next line. Some grammars include the line feed in the comment.
        # A comment at the end of the file has no next line.
        self._by_next_line = {
            line_feed + 1: span
            for span in self.spans
            if (line_feed := find(b"\n", span[1] - 1)) >= 0
        }

    def above(self, line: int, rules: "Rules") -> CommentsAbove | None:
        """Return the doc comments directly above a line, or None."""
        by_next_line, starts = self._by_next_line, self._source.line_starts
        line_start = starts[line - 1] if line <= len(starts) else len(self._source.data)
        if line_start not in by_next_line:  # the usual case
            return None
        return self._ending_at(line_start, rules)

    def _ending_at(self, line_start: int, rules: "Rules") -> CommentsAbove | None:
        source, data, by_next_line = self._source, self._source.data, self._by_next_line
        span = by_next_line.get(line_start)
        spans: list[tuple[int, int]] = []
        texts: list[str] = []
        while span is not None:
            start, end = span
            text = source.text_between(start, end).rstrip()
            first = data.rfind(b"\n", 0, start) + 1
            # A trailing comment belongs to the code before it.
            if data[first:start].strip() or not rules.is_doc_comment(text):
                break
            spans.append(span)
            texts.append(text)
            line_start, span = first, by_next_line.get(first)
        if not spans:
            return None
        return CommentsAbove(bisect_right(source.line_starts, line_start), spans[::-1], texts[::-1])
