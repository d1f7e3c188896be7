"""What a worker sends to the writer for one file version.

Parts that are only read with their file (scopes, sites, imports, chunks, problems) are stored as
JSON in its row. This avoids tables of millions of sites, and SQL can still query them.
"""

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import Final, NamedTuple

from cruxe.model.identity import VersionKey
from cruxe.model.stored import Vectors
from cruxe.model.symbols import (
    NO_SITES,
    NO_SYMBOL,
    ROLE_OF_KIND,
    Chunk,
    ParsedFile,
    Symbol,
    SymbolKind,
    SymbolRole,
    Visibility,
    fold_name,
)
from cruxe.text.identifiers import terms_of_each
from cruxe.text.paths import folders_of, stem_of_path

# The codes are in every store, and the names in the views of the local one. A change here needs a
# new `SCHEMA_VERSION`.
KIND_CODES: Final = {kind: code for code, kind in enumerate(SymbolKind)}
VISIBILITY_CODES: Final = {visibility: code for code, visibility in enumerate(Visibility)}

# A database row of a symbol, without rowid: version, name, folded name, scope, kind, visibility,
# parent, three lines, signature, doc, stable id. Built by workers, in parallel.
SymbolRow = tuple[int, str, str, int, int, int, int | None, int, int, int, str, str, bytes]


class VersionRecord(NamedTuple):
    """Everything that the store holds about one file version."""

    version_key: VersionKey
    path: str
    blob_id: str
    size_bytes: int
    skip_reason: str | None  # why the content is skipped; such a version has no other data
    language: str | None
    line_count: int
    symbol_count: int
    symbols: (
        bytes  # `SymbolRow`s in MessagePack: unpacked one file at a time, when they are written
    )
    scopes: bytes  # JSON: the distinct prefixes of qualified names
    sites: bytes  # JSON: {kind: {name: {qualifier: [[line, symbol], …]}}}
    imports: bytes  # JSON: [[module, name, alias, line, is_reexport], …]
    chunks: bytes  # JSON: [[line_start, line_end, symbol], …]
    problems: bytes  # JSON: [[kind, line], …]
    documents: tuple[bytes, ...]  # JSON
    trigrams: bytes = b""  # of all its text, packed
    vectors: Vectors | None = None  # of its chunks and docs; None without a model
    redacted_count: int = 0  # secrets that were replaced before it was parsed


def skipped_record(
    version_key: VersionKey, path: str, blob_id: str, size_bytes: int, skip_reason: str
) -> VersionRecord:
    """Return the record of a file whose content is skipped."""
    return VersionRecord(
        version_key=version_key,
        path=path,
        blob_id=blob_id,
        size_bytes=size_bytes,
        skip_reason=skip_reason,
        language=None,
        line_count=0,
        symbol_count=0,
        symbols=b"",
        scopes=b"[]",
        sites=NO_SITES,
        imports=b"[]",
        chunks=b"[]",
        problems=b"[]",
        documents=(),
    )


def parsed_record(
    version_key: VersionKey, path: str, blob_id: str, size_bytes: int, parsed: ParsedFile
) -> VersionRecord:
    """Return the record of a parsed file, without documents."""
    from msgspec.json import encode

    symbols, scopes = _packed_symbols(version_key, parsed)
    return VersionRecord(
        version_key=version_key,
        path=path,
        blob_id=blob_id,
        size_bytes=size_bytes,
        skip_reason=None,
        language=parsed.language,
        line_count=parsed.line_count,
        symbol_count=len(parsed.symbols),
        symbols=symbols,
        scopes=scopes,
        sites=parsed.written_sites,
        imports=encode(parsed.imports),
        chunks=encode(parsed.chunks),
        problems=encode(parsed.problems),
        documents=(),
    )


def _packed_symbols(version_key: VersionKey, parsed: ParsedFile) -> tuple[bytes, bytes]:
    """Return the packed rows of symbols, and the scopes that they refer to."""
    from msgspec import json, msgpack

    scopes: dict[str, int] = {}
    rows = _symbol_rows(version_key, parsed, scopes)
    return msgpack.encode(rows), json.encode([*scopes])


def _symbol_rows(
    version_key: VersionKey, parsed: ParsedFile, scopes: dict[str, int]
) -> list[SymbolRow]:
    """Return the rows of symbols; scopes are numbered in order of appearance."""
    return [
        (
            version_key,
            symbol.name,
            fold_name(symbol.name),
            scopes.setdefault(symbol.scope, len(scopes)),
            KIND_CODES[symbol.kind],
            VISIBILITY_CODES[symbol.visibility],
            None if symbol.parent == NO_SYMBOL else symbol.parent,
            symbol.line_start,
            symbol.line_end,
            symbol.name_line,
            symbol.signature,
            symbol.doc,
            bytes.fromhex(symbol.stable_id),
        )
        for symbol in parsed.symbols
    ]


# The content of a file's head: enough to identify its topic, of similar size for all files.
_HEAD_STEM_TIMES: Final = 2
_HEAD_TYPES: Final = 6
_HEAD_DOCS: Final = 3
_HEAD_DOC_CHARACTERS: Final = 300
_PATH_FOLDERS: Final = 3


def build_documents(
    record: VersionRecord, parsed: ParsedFile, mode: str, terms: list[bytes]
) -> tuple[bytes, ...]:
    """Build a file version's documents; that of the whole file is last.

    `terms` are the indexed terms of each chunk.
    """
    # Terms are letters and digits only, so nothing needs escaping.
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
    """Build the documents of chunks; `shared` is their common start, kind and path terms."""
    version, kind, near = shared
    lines = [line for line, _ in named]
    documents: list[bytes] = []
    for ordinal, ((first, last, _), own) in enumerate(zip(chunks, terms, strict=True)):
        head = b'%b%d,"line_start":%d,"line_end":%d%b' % (version, ordinal, first, last, kind)
        low = bisect_left(lines, first)
        name = b" ".join([each for _, each in named[low : bisect_right(lines, last, low)]])
        field = b'"name":"%b",' % name if name else b""
        text = b" ".join((near, name, own) if name else (near, own))
        documents.append(b'%b%b"text":"%b"}' % (head, field, text))
    return documents


class _FileTerms(NamedTuple):
    """The terms that a path adds to every chunk of its file, and those of the file's head."""

    stem: bytes
    near: bytes  # the file name and its nearest folders
    parent: bytes
    summary: bytes


def _terms_of_file(path: str, symbols: tuple[Symbol, ...]) -> tuple[_FileTerms, list[bytes]]:
    """Return the terms of a file and of the names of its symbols."""
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
    return _FileTerms(
        stem=stem, near=b"%b %b" % (stem, near), parent=parent, summary=summary
    ), names


def _summary(symbols: tuple[Symbol, ...]) -> str:
    """Return a file's first types and docs: its head beside file name and folder."""
    types = (each.name for each in symbols if ROLE_OF_KIND[each.kind] is SymbolRole.TYPE)
    docs = (each.doc[:_HEAD_DOC_CHARACTERS] for each in symbols if each.doc)
    said = (*islice(types, _HEAD_TYPES), *islice(docs, _HEAD_DOCS))
    return " ".join(said).replace("\n", " ")
