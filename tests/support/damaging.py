"""Damages bytes of a store, and tells whether a byte counts at all."""

import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from typing import Final, NamedTuple

from cruxe.workspace.context import RepositoryContext
from tests.support.indexing import context_of
from tests.support.repositories import Repo

# Locks and SQLite's shared memory hold no data.
_WITHOUT_DATA: Final = (".lock", "-shm")
_DATABASE: Final = "store.db"


class Corruption(NamedTuple):
    """One byte of a file that is changed."""

    path: str  # below the data directory
    offset: int
    mask: int

    @property
    def file(self) -> str:
        """The kind of file: segments have names of their own."""
        return os.path.basename(self.path).rpartition(".")[2]


class Damaged(NamedTuple):
    """A copy of a store with one damaged byte."""

    corruption: Corruption
    context: RepositoryContext


def damaged_copies(made: Repo, sound: str, folder: str, count: int, seed: int) -> Iterator[Damaged]:
    """Yield copies of a sound data directory, each with one byte damaged that counts.

    Every file gets as many. A byte of the database counts if some query could see it.
    """
    chance = random.Random(seed)  # noqa: S311 - no secret
    files = [*_files_of(sound)]
    content = [_content_of(os.path.join(sound, each)) for each in files if each.endswith(_DATABASE)]
    number = 0
    while number < count:
        path = files[number % len(files)]
        size = os.path.getsize(os.path.join(sound, path))
        corruption = Corruption(path, chance.randrange(size), chance.randrange(1, 256))
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sound, folder)
        _damage(os.path.join(folder, path), corruption)
        if path.endswith(_DATABASE) and [_content_of(os.path.join(folder, path))] == content:
            continue
        number += 1
        yield Damaged(corruption, context_of(made, folder))


def damage_file(path: str, offset: int = 0, mask: int = 1) -> None:
    """Change one byte of a file."""
    _damage(path, Corruption(path, offset, mask))


def _damage(path: str, corruption: Corruption) -> None:
    with open(path, "r+b") as file:
        file.seek(corruption.offset)
        (byte,) = file.read(1)
        file.seek(corruption.offset)
        file.write(bytes([byte ^ corruption.mask]))


def _files_of(folder: str) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(parent, name)
            if os.path.getsize(path) and not name.endswith(_WITHOUT_DATA):
                yield os.path.relpath(path, folder)


def _content_of(path: str) -> object:
    """Return everything that queries could read, by rows and by the index; None if none can."""
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        schema = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        rows = sorted(map(repr, schema))
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        found = [
            connection.execute(f"SELECT * FROM {name} NOT INDEXED").fetchall()  # noqa: S608
            for name in sorted(name for (name,) in tables)
        ]
        names = connection.execute(
            "SELECT name_folded, place FROM symbols INDEXED BY symbols_by_name"
            " WHERE name_folded > ''"
        )
        return rows, found, names.fetchall()
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    finally:
        connection.close()
