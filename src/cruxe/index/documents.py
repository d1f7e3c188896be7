"""A parsed file as lexical documents: one for each chunk, one for the whole file.

Documents are JSON texts that the lexical writer passes on unread, so a worker process does all
the splitting and encoding.
"""

from bisect import bisect_left, bisect_right
from typing import Final, Protocol

from cruxe.index.records import VersionRecord
from cruxe.model.named import NamedTuple
from cruxe.model.symbols import ROLE_OF_KIND, ParsedFile, Symbol, SymbolRole
from cruxe.text.identifiers import space_out, terms_of_names, terms_of_spaced, terms_of_text
from cruxe.text.paths import folders_of, stem_of_path
from cruxe.text.trigrams import trigram_terms

# What a file's head is made of: enough to say what it is about, the same for short and long files.
_HEAD_STEM_TIMES: Final = 2
_HEAD_TYPES: Final = 6
_HEAD_DOCS: Final = 3
_HEAD_DOC_CHARACTERS: Final = 300
_PATH_FOLDERS: Final = 3


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
    record: VersionRecord, source: LinedText, parsed: ParsedFile, mode: str, searchable: bytes
) -> tuple[str, ...]:
    """Write a file version's documents, the whole file's last.

    `searchable` is the text with blanks for what is not worth finding by its words, such as the
    pictures in a notebook; a literal search finds all of it.
    """
    from msgspec.json import encode

    path = _path_terms(record.path)
    names = terms_of_names([symbol.name for symbol in parsed.symbols])
    text = _ChunkText(searchable, source, parsed, names)
    documents: list[str] = []
    for ordinal, chunk in enumerate(parsed.chunks):
        document: dict[str, str | int] = {
            "version": record.version_key,
            "chunk": ordinal,
            "line_start": chunk.line_start,
            "line_end": chunk.line_end,
            "language": parsed.language,
            "mode": mode,
        }
        text.add_terms(document, chunk.line_start, chunk.line_end, path)
        documents.append(encode(document).decode())
    whole = {
        "version": record.version_key,
        "trigram": trigram_terms(source.data),
        "head": _head(path, parsed.symbols),
        "defines": " ".join(names),
    }
    documents.append(encode(whole).decode())
    return tuple(documents)


class _PathTerms(NamedTuple):
    """What the words of a path add to every chunk of its file."""

    stem: str
    parent: str
    near: str  # the file's name and the folders next to it


def _path_terms(path: str) -> _PathTerms:
    stem, folders = terms_of_text(stem_of_path(path)), folders_of(path)
    near = terms_of_text(" ".join(folders[-_PATH_FOLDERS:]))
    parent = terms_of_text(folders[-1]) if folders else ""
    return _PathTerms(stem, parent, f"{stem} {near}")


def _head(path: _PathTerms, symbols: tuple[Symbol, ...]) -> str:
    """What a file says of itself first: its name, its folder, its types, its first docs."""
    types = [each.name for each in symbols if ROLE_OF_KIND[each.kind] is SymbolRole.TYPE]
    docs = [symbol.doc[:_HEAD_DOC_CHARACTERS] for symbol in symbols if symbol.doc]
    return " ".join(
        (
            *(path.stem,) * _HEAD_STEM_TIMES,
            path.parent,
            terms_of_text(" ".join((*types[:_HEAD_TYPES], *docs[:_HEAD_DOCS]))),
        )
    )


class _ChunkText:
    """Cuts a file's words by chunk, beside the names of the symbols defined there."""

    def __init__(
        self, searchable: bytes, source: LinedText, parsed: ParsedFile, name_terms: list[str]
    ) -> None:
        self._spaced = space_out(searchable)
        self._starts = source.line_starts
        lines = [symbol.name_line for symbol in parsed.symbols]
        named = sorted(zip(lines, name_terms, strict=True))
        self._name_lines = [line for line, _ in named]
        self._name_terms = [terms for _, terms in named]

    def add_terms(
        self, document: dict[str, str | int], first: int, last: int, path: _PathTerms
    ) -> None:
        """Add the text fields of some lines; an empty one is left out."""
        start = self._starts[first - 1]
        end = self._starts[last] if last < len(self._starts) else len(self._spaced)
        terms = terms_of_spaced(self._spaced[start:end])
        low = bisect_left(self._name_lines, first)
        high = bisect_right(self._name_lines, last, low)
        if low < high:
            document["name"] = name = " ".join(self._name_terms[low:high])
            document["text"] = f"{path.near} {name} {terms}"
        else:
            document["text"] = f"{path.near} {terms}"
