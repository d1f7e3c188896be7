"""Opens SQLite databases for one writer or many readers, and translates SQLite errors."""

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from cruxe.model.errors import EngineError, IndexIncompatibleError, StorageError
from cruxe.model.identity import DatabaseOptions
from cruxe.model.stored import Damage, StorePart
from cruxe.store.local.schema import (
    EXTRACTION_VERSION,
    REQUIRED_VERSION,
    SCHEMA_VERSION,
    TABLES,
)

# SQLite result codes for faults of the disk rather than of the data.
_FULL: Final = 13
_READ_ONLY: Final = 8
_CANNOT_OPEN: Final = 14
_IO_ERROR: Final = 10
# A folder that Linux keeps in memory.
_IN_MEMORY: Final = "/dev/shm"  # noqa: S108 - for a folder with a random name
# With less free space than this a failed write is reported as a full disk.
ROOM_BYTES: Final = 1_000_000


# The keys of `meta` that hold checksums: of its other rows, and of the jobs.
META_CHECKSUM: Final = "checksum"
JOBS_CHECKSUM: Final = "jobs_checksum"
# The keys of `meta` that every store has.
STAMPS: Final = frozenset(
    {
        "schema_version",
        "extraction_version",
        "repository_id",
        "generation",
        "lexical",
        "lexical_opstamp",
        "lexical_dirty",
        "vectors",
        "vector_model",
        "vector_dimensions",
        "vector_rows",
        "lexical_files",
        META_CHECKSUM,
        JOBS_CHECKSUM,
    }
)


def create_database(
    path: str, repository_id: str, generation: int, options: DatabaseOptions
) -> sqlite3.Connection:
    """Create an empty database whose next generation follows a given one; open it for writing."""
    from cruxe.store.local.views import VIEWS

    with storage_errors(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        connection = _connect(f"file:{_quoted(path)}", options)
        _check_functions(connection)
        _prepare_writer(connection, options)
        connection.executescript(f"BEGIN; {TABLES} {VIEWS} COMMIT;")
        stamps = {
            "schema_version": SCHEMA_VERSION,
            "extraction_version": EXTRACTION_VERSION,
            "repository_id": repository_id,
            "generation": generation,
            "lexical": 1,
            "lexical_opstamp": 0,
            "lexical_dirty": 0,  # holds documents of versions that were never written
            "vectors": 0,
            "vector_model": "",
            "vector_dimensions": 0,
            "vector_rows": 0,  # that count
            "lexical_files": "",  # as in `lexical_files.py`
        }
        connection.executemany("INSERT INTO meta VALUES (?, ?)", stamps.items())
        return connection


def open_for_writing(path: str, options: DatabaseOptions) -> sqlite3.Connection:
    """Open an existing database for writing; raises if its schema is another."""
    with storage_errors(path):
        _check_exists(path)
        connection = _connect(f"file:{_quoted(path)}?mode=rw", options)
        check_stamps(connection)
        _prepare_writer(connection, options)
        return connection


def open_for_reading(path: str, options: DatabaseOptions) -> sqlite3.Connection:
    """Open an existing database for reading; nothing on disk changes."""
    with storage_errors(path):
        _check_exists(path)
        connection = _open_shared(path, options) or _open_alone(path, options)
        check_stamps(connection)
        return connection


def _open_shared(path: str, options: DatabaseOptions) -> sqlite3.Connection | None:
    """Open in WAL mode; None if the shared-memory file cannot be created."""
    if not os.access(os.path.dirname(path), os.W_OK):
        return None
    connection = _connect(f"file:{_quoted(path)}?mode=ro", options)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if _code(error) != _IO_ERROR:
            raise
        return None
    return connection


def _open_alone(path: str, options: DatabaseOptions) -> sqlite3.Connection:
    """Open on a disk that is full or read-only, where there can be no writer.

    A log that a killed writer left must be replayed to be read, which needs a copy: in memory where
    the folder for temporary files is on a full disk too.
    """
    log = f"{path}-wal"
    if not os.path.exists(log) or not os.path.getsize(log):
        return _connect(f"file:{_quoted(path)}?mode=ro&immutable=1", options)
    import shutil
    import tempfile

    memory = _connect("file::memory:", options)
    needed = os.path.getsize(path) + os.path.getsize(log) + ROOM_BYTES
    has_room = shutil.disk_usage(tempfile.gettempdir()).free > needed
    spare = None if has_room or not os.path.isdir(_IN_MEMORY) else _IN_MEMORY
    with tempfile.TemporaryDirectory(dir=spare) as folder:
        for name in (path, log):
            shutil.copy(name, folder)
        copied = os.path.join(folder, os.path.basename(path))
        copy = _connect(f"file:{_quoted(copied)}", options)
        copy.backup(memory)
        copy.close()
    return memory


def _check_exists(path: str) -> None:
    try:
        os.stat(path)
    except FileNotFoundError as error:
        raise corrupt("its database is missing") from error


def check_stamps(connection: sqlite3.Connection) -> None:
    """Raise if this version cannot read a store."""
    query = "SELECT key, value FROM meta WHERE key IN ('schema_version', 'extraction_version')"
    try:
        stamps = dict(connection.execute(query).fetchall())
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        raise corrupt("the database has no stamps") from error
    found = (stamps.get("schema_version"), stamps.get("extraction_version"))
    if found != (SCHEMA_VERSION, EXTRACTION_VERSION):
        current = f"{found[0]}.{found[1]}"
        raise IndexIncompatibleError(
            f"the index is of version {current}, this program needs {REQUIRED_VERSION}",
            data={
                "schema_status": "reindex_required",
                "current_schema_version": current,
                "required_schema_version": REQUIRED_VERSION,
            },
        )


def corrupt(reason: str, part: StorePart = StorePart.DATABASE) -> IndexIncompatibleError:
    """Return the error for a damaged part of a store."""
    return Damage(part, reason).to_error(REQUIRED_VERSION)


@contextmanager
def storage_errors(path: str) -> Generator[None]:
    """Translate errors of the disk and of SQLite into `EngineError`s."""
    try:
        yield
    except EngineError:
        raise
    except OSError as error:
        raise StorageError.from_os_error(error, path) from error
    except sqlite3.DatabaseError as error:
        raise _explain(error, path) from error
    except UnicodeDecodeError as error:  # of a message that quotes what is damaged
        raise corrupt("the text of the database cannot be read") from error


def explained(error: Exception, path: str) -> EngineError | None:
    """Return an error of SQLite as one of ours; None for any other."""
    return _explain(error, path) if isinstance(error, sqlite3.DatabaseError) else None


def _explain(error: sqlite3.DatabaseError, path: str) -> EngineError:
    code = _code(error)
    if code == _FULL or (code == _IO_ERROR and _has_no_room(path)):
        return StorageError.disk_full(path)
    if code == _READ_ONLY or (code == _CANNOT_OPEN and os.path.exists(os.path.dirname(path))):
        return StorageError.read_only(path)
    if isinstance(error, sqlite3.OperationalError):
        return StorageError(f"{path}: {error}", data={"path": path})
    return corrupt(str(error))


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _has_no_room(path: str) -> bool:
    import shutil

    folder = os.path.dirname(path)
    return os.path.isdir(folder) and shutil.disk_usage(folder).free < ROOM_BYTES


def _connect(uri: str, options: DatabaseOptions) -> sqlite3.Connection:
    return sqlite3.connect(
        uri,
        uri=True,
        isolation_level=None,  # transactions are explicit
        timeout=options.busy_timeout_ms / 1000,
        check_same_thread=False,  # a request may end on another thread
    )


def _check_functions(connection: sqlite3.Connection) -> None:
    """Raise if this SQLite has no JSON functions."""
    try:
        connection.execute("SELECT json_extract('[0]', '$[0]')")
    except sqlite3.OperationalError as error:
        connection.close()
        raise StorageError(
            f"SQLite {sqlite3.sqlite_version} was built without its JSON functions",
            remedy="use a Python whose sqlite3 has them, as SQLite 3.38 and newer do",
        ) from error


def _prepare_writer(connection: sqlite3.Connection, options: DatabaseOptions) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    # WAL with NORMAL: a power cut may lose the last transactions but corrupts nothing.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = {options.cache_size}")
    connection.execute("PRAGMA temp_store = MEMORY")


def compact(connection: sqlite3.Connection, options: DatabaseOptions) -> None:
    """Give free pages back to the disk; do not wait for readers that still use the log."""
    connection.execute("VACUUM")
    connection.execute("PRAGMA busy_timeout = 0")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute(f"PRAGMA busy_timeout = {options.busy_timeout_ms}")


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
