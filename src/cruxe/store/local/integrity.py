"""Verifies every byte of a store that counts, in steps of some milliseconds.

SQLite checks the structure of its file and its indexes; the checksums of rows, files and vectors
tell the rest. Bytes that no query reads, such as free pages, are not looked at.
"""

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

from cruxe.model.errors import EngineError, IndexIncompatibleError
from cruxe.model.identity import VersionKey
from cruxe.model.stored import Damage, StorePart, damage_of
from cruxe.store.local import redaction_rows, ref_maps, trigram_rows, vector_rows
from cruxe.store.local.checksums import check_versions, jobs_checksum
from cruxe.store.local.database import JOBS_CHECKSUM, corrupt
from cruxe.store.local.layout import StoreLayout
from cruxe.store.local.ref_maps import RefMap
from cruxe.store.local.schema import SYMBOL_INDEX, TABLES
from cruxe.store.local.vector_rows import VectorSpan
from cruxe.store.local.vector_writer import read_vectors
from cruxe.store.local.version_rows import verdict_row
from cruxe.store.local.views import VIEWS

# Rows of a step.
_FEW: Final = 100
_MANY: Final = 2_000
# The header of a database: bytes that are zero in those that we make.
_HEADER_BYTES: Final = 100
_ZEROS: Final = ((20, 21), (48, 56), (60, 72), (72, 92))
_CHANGE_COUNTER: Final = slice(24, 28)
_VERSION_VALID_FOR: Final = slice(92, 96)

_Steps = Iterator[None]


class Examined(Protocol):
    """What an examination reads of a snapshot, whose module imports this one."""

    store: StoreLayout
    connection: sqlite3.Connection
    meta: dict[str, str | int]

    @property
    def vectors_path(self) -> str:
        """The folder of the vectors."""
        ...

    def check_lexical(self, *, is_deep: bool = False) -> None:
        """Raise if the lexical index is not as published."""
        ...


def examine(snapshot: Examined) -> Iterator[Damage | None]:
    """Verify a store; yield what is damaged, at most once a part, and None after each sound step.

    Between two steps the snapshot may rest and be renewed.
    """
    examinations: tuple[tuple[StorePart, Callable[[Examined], _Steps]], ...] = (
        (StorePart.DATABASE, _examine_database),
        (StorePart.LEXICAL, _examine_lexical),
        (StorePart.VECTORS, _examine_vectors),
    )
    for part, examination in examinations:
        try:
            yield from examination(snapshot)
        except IndexIncompatibleError as error:
            yield damage_of(error) or Damage(part, error.message)
        except EngineError as error:
            yield Damage(part, error.message)
        except (sqlite3.Error, OSError, ValueError, TypeError, OverflowError) as error:
            yield Damage(part, str(error))


def _examine_database(snapshot: Examined) -> _Steps:
    _check_header(snapshot.store.database_path)
    yield
    ((verdict,),) = snapshot.connection.execute("PRAGMA integrity_check(1)").fetchall()
    if verdict != "ok":
        raise corrupt(str(verdict))
    yield
    _check_schema(snapshot.connection)
    if snapshot.meta[JOBS_CHECKSUM] != jobs_checksum(snapshot.connection):
        raise corrupt("the list of jobs has changed")
    yield
    for row in ref_maps.list_refs(snapshot.connection):
        _check_ref(snapshot.connection, row.ref_id)
        yield
    yield from _check_verdicts(snapshot)
    redaction_rows.read(snapshot.connection)
    yield
    yield from _check_versions(snapshot)
    yield from _check_trigrams(snapshot)


def _check_header(path: str) -> None:
    with open(path, "rb") as file:
        header = file.read(_HEADER_BYTES)
    log = f"{path}-wal"
    has_log = os.path.exists(log) and os.path.getsize(log) > 0
    is_whole = header[_CHANGE_COUNTER] == header[_VERSION_VALID_FOR] or has_log
    if not is_whole or any(any(header[first:end]) for first, end in _ZEROS):
        raise corrupt("the header of the database has changed")


def _check_schema(connection: sqlite3.Connection) -> None:
    """Raise if tables, views or indexes are not those that a new store gets."""
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
    found = connection.execute(query).fetchall()
    ours = sqlite3.connect(":memory:")
    ours.executescript(f"{TABLES} {VIEWS}")
    expected = [ours.execute(query).fetchall()]
    ours.execute(SYMBOL_INDEX)
    expected.append(ours.execute(query).fetchall())
    ours.close()
    if found not in expected:
        raise corrupt("the tables of the database have changed")


def _check_ref(connection: sqlite3.Connection, ref_id: int) -> None:
    """Raise if a ref's map is not as written, or what is derived from it does not agree."""
    held = RefMap(ref_maps.read_columns(connection, ref_id)).content_keys()
    query = "SELECT version_key FROM ref_versions WHERE ref_id = ?"
    if {key for (key,) in connection.execute(query, (ref_id,))} != held:
        raise corrupt("the versions of a ref have changed")
    vector_rows.read_packed(connection, ref_id)


def _check_verdicts(snapshot: Examined) -> _Steps:
    for rows in _batches(snapshot, "SELECT * FROM verdicts WHERE version_key", _MANY):
        if any(verdict_row(int(key), str(reason))[-1] != found for key, reason, found in rows):
            raise corrupt("the list of skipped files has changed")
        yield


def _check_versions(snapshot: Examined) -> _Steps:
    query = "SELECT version_key FROM file_versions WHERE version_key"
    for rows in _batches(snapshot, query, _FEW):
        check_versions(snapshot.connection, (VersionKey(key) for (key,) in rows))
        yield


def _check_trigrams(snapshot: Examined) -> _Steps:
    for table, key in (
        ("trigram_sets", "version_key"),
        ("trigram_blocks", "block"),
        ("trigram_holders", "place"),
    ):
        for rows in _batches(snapshot, f"SELECT * FROM {table} WHERE {key}", _MANY):
            deque(trigram_rows.checked(rows), maxlen=0)
            yield


def _examine_lexical(snapshot: Examined) -> _Steps:
    snapshot.check_lexical(is_deep=True)
    yield


def _examine_vectors(snapshot: Examined) -> _Steps:
    if not snapshot.meta["vector_model"]:
        return
    for rows in _batches(snapshot, "SELECT * FROM vector_spans WHERE version_key", _FEW):
        spans = [VectorSpan._make(row) for row in rows]
        dimensions = int(snapshot.meta["vector_dimensions"])
        found = read_vectors(snapshot.vectors_path, spans, dimensions)
        if any(vectors is None for _, vectors in found):
            raise corrupt("some vectors are missing or have changed", StorePart.VECTORS)
        yield


def _batches(snapshot: Examined, query: str, size: int) -> Iterator[list[Any]]:
    """Yield all rows of a table in order of their integer key, the first column."""
    last = -1
    ending = f"> ? ORDER BY 1 LIMIT {size}"
    while rows := snapshot.connection.execute(f"{query} {ending}", (last,)).fetchall():
        last = rows[-1][0]
        yield rows
