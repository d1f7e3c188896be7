"""SQLite is opened as `storage.busy_timeout_ms` and `storage.cache_size` say."""

import sqlite3
from pathlib import Path

from cruxe.model.identity import DatabaseOptions
from cruxe.store.local.database import create_database, open_for_reading, open_for_writing

OPTIONS = DatabaseOptions(busy_timeout_ms=70, cache_size=-500)


def test_a_writer_waits_and_caches_as_the_settings_say(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    created = create_database(path, "some", 0, OPTIONS)
    opened = open_for_writing(path, OPTIONS)

    for connection in (created, opened):
        assert _pragma(connection, "busy_timeout") == 70
        assert _pragma(connection, "cache_size") == -500
        connection.close()


def test_a_reader_waits_as_the_settings_say(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    create_database(path, "some", 0, OPTIONS).close()
    reader = open_for_reading(path, OPTIONS)

    assert _pragma(reader, "busy_timeout") == 70
    reader.close()


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return value
