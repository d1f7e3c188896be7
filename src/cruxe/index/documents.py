"""A parsed file as lexical documents: one for each chunk, one for the whole file.

Documents are JSON texts that the lexical writer passes on unread, so a worker process does all
the splitting and encoding.
"""

from bisect import bisect_left, bisect_right
from typing import Protocol

from cruxe.index.records import VersionRecord
from cruxe.model.symbols import NO_SYMBOL, ROLE_OF_KIND, ParsedFile, ProseSpan, Symbol
from cruxe.text.identifiers import terms_of_text, terms_of_words, words_of
from cruxe.text.trigrams import trigram_terms


class LinedText(Protocol):
    """A text in UTF-8 that knows where its lines start."""

    @property
    def data(self) -> bytes:
        """The text."""
        ...

    @property
    def line_starts(self) -> list[int]:
        """Offset of each line's first byte."""
        ...


def build_documents(
    record: VersionRecord, source: LinedText, parsed: ParsedFile, mode: str
) -> tuple[str, ...]:
    """Write a file version's documents, the whole file's last."""
    from msgspec.json import encode

    text = _ChunkText(source, parsed)
    path_terms = terms_of_text(record.path)
    documents = []
    for ordinal, chunk in enumerate(parsed.chunks):
        code, doc, comment = text.of(chunk.line_start, chunk.line_end)
        symbols = text.symbols_starting(chunk.line_start, chunk.line_end)
        names = [symbol.name for symbol in symbols]
        document: dict[str, str | int] = {
            "version": record.version_key,
            "chunk": ordinal,
            "line_start": chunk.line_start,
            "line_end": chunk.line_end,
            "identifier": " ".join(names),
            "name": terms_of_words(names),
            "signature": terms_of_text(" ".join([symbol.signature for symbol in symbols])),
            "doc": terms_of_words(words_of(doc)),
            "comment": terms_of_words(words_of(comment)),
            "body": terms_of_words(words_of(code)),
            "path": path_terms,
            "language": parsed.language,
            "mode": mode,
        }
        if chunk.symbol != NO_SYMBOL:
            kind = parsed.symbols[chunk.symbol].kind
            document["kind"], document["role"] = kind, ROLE_OF_KIND[kind]
        documents.append(encode(document).decode())
    whole = {
        "version": record.version_key,
        "trigram": trigram_terms(source.data),
    }
    documents.append(encode(whole).decode())
    return tuple(documents)


class _ChunkText:
    """Cuts a file's text by chunk into code, doc and comment."""

    def __init__(self, source: LinedText, parsed: ParsedFile) -> None:
        self._data = source.data
        self._starts = source.line_starts
        self._prose = parsed.prose
        self._prose_ends = [span.end for span in parsed.prose]
        self._symbols = sorted(parsed.symbols, key=lambda symbol: symbol.name_line)
        self._name_lines = [symbol.name_line for symbol in self._symbols]

    def of(self, first: int, last: int) -> tuple[bytes, bytes, bytes]:
        """Code, doc and comment text of some lines."""
        start = self._starts[first - 1]
        end = self._starts[last] if last < len(self._starts) else len(self._data)
        spans = self._spans(start, end)
        if not spans:
            return self._data[start:end], b"", b""
        pieces: tuple[list[bytes], list[bytes], list[bytes]] = ([], [], [])
        position = start
        for span in spans:
            pieces[0].append(self._data[position : max(position, span.start)])
            pieces[1 if span.is_doc else 2].append(self._data[max(start, span.start) : span.end])
            position = max(position, span.end)
        pieces[0].append(self._data[position:end])
        return b" ".join(pieces[0]), b" ".join(pieces[1]), b" ".join(pieces[2])

    def symbols_starting(self, first: int, last: int) -> list[Symbol]:
        """Symbols whose names stand on some lines."""
        low = bisect_left(self._name_lines, first)
        return self._symbols[low : bisect_right(self._name_lines, last)]

    def _spans(self, start: int, end: int) -> list[ProseSpan]:
        found = []
        for span in self._prose[bisect_right(self._prose_ends, start) :]:
            if span.start >= end:
                break
            found.append(span if span.end <= end else span._replace(end=end))
        return found
