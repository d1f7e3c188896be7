"""What a worker hands to the writer for one file version.

The parts that are only ever read with their file (scopes, sites, imports, chunks, problems) are
kept as JSON in one row each: millions of sites stay out of the B-trees, and SQL still looks inside.
"""

from typing import NamedTuple

from cruxe.model.identity import VersionKey
from cruxe.model.stored import Vectors
from cruxe.model.symbols import NO_SITES, NO_SYMBOL, ParsedFile
from cruxe.native import kernels
from cruxe.store.local.symbol_codes import KIND_CODES, VISIBILITY_CODES
from cruxe.text.identifiers import fold_name

# A symbol as the database has it, but for its place: version, name, folded name, scope, kind,
# visibility, parent, three lines, signature, doc, stable id. Made by workers, side by side.
SymbolRow = tuple[int, str, str, int, int, int, int | None, int, int, int, str, str, bytes]


class VersionRecord(NamedTuple):
    """All that the store keeps of one file version."""

    version_key: VersionKey
    path: str
    blob_id: str
    size_bytes: int
    skip_reason: str | None  # a verdict on the content; such a version has nothing else
    language: str | None
    line_count: int
    symbol_count: int
    symbols: (
        bytes  # `SymbolRow`s in MessagePack: unpacked one file at a time, when they are written
    )
    scopes: bytes  # JSON: what stands before the names of symbols, each once
    sites: bytes  # JSON: {kind: {name: {qualifier: [[line, symbol], …]}}}
    imports: bytes  # JSON: [[module, name, alias, line, is_reexport], …]
    chunks: bytes  # JSON: [[line_start, line_end, symbol], …]
    problems: bytes  # JSON: [[kind, line], …]
    documents: tuple[bytes, ...]  # JSON
    trigrams: bytes = b""  # of all its text, packed
    vectors: Vectors | None = None  # of its chunks and docs; absent where no model is used


def skipped_record(
    version_key: VersionKey, path: str, blob_id: str, size_bytes: int, skip_reason: str
) -> VersionRecord:
    """The record of a file whose content rules it out."""
    return VersionRecord(
        version_key, path, blob_id, size_bytes, skip_reason, None, 0, 0, b"", b"[]", NO_SITES,
        b"[]", b"[]", b"[]", (),
    )  # fmt: skip


def parsed_record(
    version_key: VersionKey, path: str, blob_id: str, size_bytes: int, parsed: ParsedFile
) -> VersionRecord:
    """The record of a parsed file, still without its documents."""
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
    """The rows of symbols, and the scopes that they name by number."""
    in_c = kernels()
    if in_c is not None:
        codes = KIND_CODES, VISIBILITY_CODES
        return in_c.pack_symbols(version_key, parsed.symbols, codes, fold_name)
    from msgspec import json, msgpack

    scopes: dict[str, int] = {}
    rows = _symbol_rows(version_key, parsed, scopes)
    return msgpack.encode(rows), json.encode([*scopes])


def _symbol_rows(
    version_key: VersionKey, parsed: ParsedFile, scopes: dict[str, int]
) -> list[SymbolRow]:
    """The rows of symbols; scopes are numbered as they first come."""
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
