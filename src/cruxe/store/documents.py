"""A parsed file as lexical documents: one for each chunk, one for the whole file.

Documents are JSON texts, in bytes, that the lexical writer passes on unread, so a worker process
does all the splitting and encoding.
"""

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import Final, NamedTuple

from cruxe.model.symbols import ROLE_OF_KIND, Chunk, ParsedFile, Symbol, SymbolRole
from cruxe.store.records import VersionRecord
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
    version = b'{"version":%d,' % record.version_key
    kind = f',"language":"{parsed.language}","mode":"{mode}",'.encode()
    (stem, near, parent, summary), names = _terms_of_file(record.path, parsed.symbols)
    lines = [symbol.name_line for symbol in parsed.symbols]
    named = sorted(zip(lines, names, strict=True))
    shared = b'%b"chunk":' % version, kind, near
    documents = _chunk_documents(shared, parsed.chunks, terms, named)
    head = b" ".join((*(stem,) * _HEAD_STEM_TIMES, parent, summary))
    written = version, b'"head":"', head, b'","defines":"', b" ".join(names), b'"}'
    return (*documents, b"".join(written))


def _chunk_documents(
    shared: tuple[bytes, bytes, bytes],
    chunks: tuple[Chunk, ...],
    terms: list[bytes],
    named: list[tuple[int, bytes]],
) -> list[bytes]:
    """Documents of chunks, each with what all share: the start, the kind and the path's terms."""
    version, kind, near = shared
    lines = [line for line, _ in named]
    documents: list[bytes] = []
    for ordinal, ((first, last, _), own) in enumerate(zip(chunks, terms, strict=True)):
        place = b'%b%d,"line_start":%d,"line_end":%d%b' % (version, ordinal, first, last, kind)
        low = bisect_left(lines, first)
        name = b" ".join([each for _, each in named[low : bisect_right(lines, last, low)]])
        field = b'"name":"%b",' % name if name else b""
        text = b" ".join((near, name, own) if name else (near, own))
        documents.append(b'%b%b"text":"%b"}' % (place, field, text))
    return documents


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
