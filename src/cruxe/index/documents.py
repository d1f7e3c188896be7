"""A parsed file as lexical documents: one for each chunk, one for the whole file.

Documents are JSON texts, in bytes, that the lexical writer passes on unread, so a worker process
does all the splitting and encoding.
"""

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import Final

from cruxe.index.records import VersionRecord
from cruxe.model.named import NamedTuple
from cruxe.model.symbols import ROLE_OF_KIND, ParsedFile, Symbol, SymbolRole
from cruxe.text.identifiers import terms_of_each
from cruxe.text.paths import folders_of, stem_of_path

# What a file's head is made of: enough to say what it is about, the same for short and long files.
_HEAD_STEM_TIMES: Final = 2
_HEAD_TYPES: Final = 6
_HEAD_DOCS: Final = 3
_HEAD_DOC_CHARACTERS: Final = 300
_PATH_FOLDERS: Final = 3


def build_documents(
    record: VersionRecord, parsed: ParsedFile, mode: str, terms: list[bytes]
) -> tuple[bytes, ...]:
    """Write a file version's documents, the whole file's last.

    `terms` are those of each chunk's words that are worth finding it by.
    """
    # Terms are letters and digits alone, so that nothing here needs to be escaped.
    version = f'{{"version":{record.version_key}'
    kind = f'"language":"{parsed.language}","mode":"{mode}"'
    (stem, near, parent, summary), names = _terms_of_file(record.path, parsed.symbols)
    named = _NamedLines(parsed, names)
    documents: list[bytes] = []
    for ordinal, ((first, last, _), own) in enumerate(zip(parsed.chunks, terms, strict=True)):
        place = f'{version},"chunk":{ordinal},"line_start":{first},"line_end":{last},{kind},'
        name = named.between(first, last)
        parts = [place.encode(), b'"text":"', near, b" ", own, b'"}']
        if name:
            parts[1:4] = (b'"name":"', name, b'","text":"', near, b" ", name, b" ")
        documents.append(b"".join(parts))
    head = b" ".join((*(stem,) * _HEAD_STEM_TIMES, parent, summary))
    start = f'{version},"head":"'.encode()
    documents.append(b"".join((start, head, b'","defines":"', b" ".join(names), b'"}')))
    return tuple(documents)


class _FileTerms(NamedTuple):
    """What the words of a path add to every chunk of its file, and what a file says of itself."""

    stem: bytes
    near: bytes  # the file's name and the folders next to it
    parent: bytes
    summary: bytes


def _terms_of_file(path: str, symbols: tuple[Symbol, ...]) -> tuple[_FileTerms, list[bytes]]:
    """The terms of a file and of the names of its symbols."""
    folders = folders_of(path)
    stem, near, parent, summary, *names = terms_of_each(
        [
            stem_of_path(path),
            " ".join(folders[-_PATH_FOLDERS:]),
            folders[-1] if folders else "",
            _summary(symbols),
            *[symbol.name for symbol in symbols],
        ]
    )
    return _FileTerms(stem, b"%b %b" % (stem, near), parent, summary), names


def _summary(symbols: tuple[Symbol, ...]) -> str:
    """What a file says of itself first, beside its name and folder: its types, its first docs."""
    types = (each.name for each in symbols if ROLE_OF_KIND[each.kind] is SymbolRole.TYPE)
    docs = (each.doc[:_HEAD_DOC_CHARACTERS] for each in symbols if each.doc)
    said = (*islice(types, _HEAD_TYPES), *islice(docs, _HEAD_DOCS))
    return " ".join(said).replace("\n", " ")


class _NamedLines:
    """The names of a file's symbols, by line."""

    def __init__(self, parsed: ParsedFile, name_terms: list[bytes]) -> None:
        lines = [symbol.name_line for symbol in parsed.symbols]
        named = sorted(zip(lines, name_terms, strict=True))
        self._lines = [line for line, _ in named]
        self._terms = [terms for _, terms in named]

    def between(self, first: int, last: int) -> bytes:
        """The terms of the names of what some lines define."""
        low = bisect_left(self._lines, first)
        return b" ".join(self._terms[low : bisect_right(self._lines, last, low)])
