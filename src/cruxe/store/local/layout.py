"""The files of a repository's store, and which store folder is current.

    <data_dir>/data/<repository id>/CURRENT         name of the store folder in use
                                    writer.lock     held by the writer
                                    watch-*.lock    held by the server that follows a working tree
                                    s-<n>/store.db  structure, state and refs
                                    s-<n>/lexical-<m>/  Tantivy; store.db says which m
                                    s-<n>/vectors-<m>/  likewise, of one model
                                    s-<n>/witness-<r>   listing fingerprint of ref r
                                    s-<n>/damage        found and not repaired yet

A rebuild writes the next `s-<n>` and then replaces `CURRENT`; a collection writes the next
`lexical-<m>` and `vectors-<m>`. A reader sees the old state until the new one is complete.
"""

import os
import time
from contextlib import suppress
from typing import Final, NamedTuple

from cruxe.model.errors import StorageError
from cruxe.model.identity import DatabaseOptions, StoreLocation, digest_of

_CURRENT: Final = "CURRENT"
_DRAFT: Final = "CURRENT.next"
_STORE_PREFIX: Final = "s-"
LEXICAL_PREFIX: Final = "lexical-"
_VECTORS_PREFIX: Final = "vectors-"
_WITNESS_PREFIX: Final = "witness-"
# In a folder of vectors: the numbers, and codes of one bit a number.
ROWS_FILE: Final = "rows"
CODES_FILE: Final = "codes"
# Longer than any call takes: a reader that saw the old name has opened the folder by then.
RETIREMENT_SECONDS: Final = 60
_BLOCK_BYTES: Final = 1 << 20


class RepositoryLayout(NamedTuple):
    """The folder of one repository under the data directory, and how SQLite opens its stores."""

    folder: str
    database: DatabaseOptions

    @property
    def lock_path(self) -> str:
        """The lock file of the writer."""
        return os.path.join(self.folder, "writer.lock")

    def watch_path(self, root: str, kind: str) -> str:
        """Return the path of a watcher's file: `lock` or `state`."""
        name = digest_of(root.encode("utf-8", "surrogateescape"), 8).hex()
        return os.path.join(self.folder, f"watch-{name}.{kind}")

    def current(self) -> "StoreLayout | None":
        """Return the current store, or None."""
        try:
            with open(os.path.join(self.folder, _CURRENT), encoding="utf-8") as file:
                name = file.read().strip()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            name = ""
        except OSError as error:
            raise StorageError.from_os_error(error, self.folder) from error
        # Anything but the name of a store folder is damage and must not be followed.
        is_store = _store_number(name) is not None
        return self._store(name if is_store else f"{_STORE_PREFIX}0")

    def next_store(self) -> "StoreLayout":
        """Return the folder of the next store; it is not created yet."""
        os.makedirs(self.folder, exist_ok=True)
        numbers = [_store_number(name) or 0 for name in os.listdir(self.folder)]
        return self._store(f"{_STORE_PREFIX}{max(numbers, default=0) + 1}")

    def _store(self, name: str) -> "StoreLayout":
        return StoreLayout(os.path.join(self.folder, name), self.database)

    def make_current(self, store: "StoreLayout") -> None:
        """Make a store the current one, atomically."""
        draft = os.path.join(self.folder, _DRAFT)
        with open(draft, "w", encoding="ascii") as file:
            file.write(os.path.basename(store.folder))
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, os.path.join(self.folder, _CURRENT))

    def remove_outdated(self) -> None:
        """Remove replaced and abandoned folders; only the writer may call this."""
        remove_retired(self.outdated_stores())
        with suppress(FileNotFoundError):
            os.remove(os.path.join(self.folder, _DRAFT))

    def outdated_stores(self) -> list[str]:
        """Return the store folders other than the current one: replaced, or left by a crash."""
        current = self.current()
        return [
            entry.path
            for entry in os.scandir(self.folder)
            if _store_number(entry.name) is not None
            and (current is None or entry.path != current.folder)
        ]


class StoreLayout(NamedTuple):
    """One store folder."""

    folder: str
    database: DatabaseOptions

    @property
    def database_path(self) -> str:
        """The SQLite database."""
        return os.path.join(self.folder, "store.db")

    @property
    def damage_path(self) -> str:
        """The note on damage; absent if none is known."""
        return os.path.join(self.folder, "damage")

    def is_current(self) -> bool:
        """Return whether the repository still uses this store."""
        repository = RepositoryLayout(os.path.dirname(self.folder), self.database)
        return repository.current() == self

    def lexical_path(self, number: int) -> str:
        """The folder of a lexical index."""
        return os.path.join(self.folder, f"{LEXICAL_PREFIX}{number}")

    def fingerprint_path(self, ref_id: int) -> str:
        """The file that tells when git need not list a working tree again; it may be absent."""
        return os.path.join(self.folder, f"{_WITNESS_PREFIX}{ref_id}")

    def drafts_of_fingerprints(self) -> list[str]:
        """Witnesses that are being written, or that someone left who died over it."""
        return [
            entry.path
            for entry in os.scandir(self.folder)
            if entry.name.startswith(_WITNESS_PREFIX) and "." in entry.name
        ]

    def outdated_lexical(self, number: int) -> list[str]:
        """Return the lexical folders other than a given one."""
        return self._outdated(LEXICAL_PREFIX, number)

    def vectors_path(self, number: int) -> str:
        """The folder of a model's vectors."""
        return os.path.join(self.folder, f"{_VECTORS_PREFIX}{number}")

    def outdated_vectors(self, number: int) -> list[str]:
        """Return the folders of vectors other than a given one."""
        return self._outdated(_VECTORS_PREFIX, number)

    def _outdated(self, prefix: str, number: int) -> list[str]:
        return [
            entry.path
            for entry in os.scandir(self.folder)
            if entry.name.startswith(prefix) and entry.name != f"{prefix}{number}"
        ]


def repository_layout(location: StoreLocation) -> RepositoryLayout:
    """Return the layout of a repository's store."""
    folder = os.path.join(location.data_dir, "data", location.repository_id)
    return RepositoryLayout(folder, location.database)


def retire_folder(folder: str) -> None:
    """Mark a folder as replaced; readers of an older generation may still open it for a while."""
    if os.path.isdir(folder):
        os.utime(folder)


def remove_retired(paths: list[str]) -> None:
    """Remove replaced folders and drafts that are old enough for no reader to open them."""
    now = time.time()
    for path in paths:
        with suppress(FileNotFoundError):
            if now - os.stat(path).st_mtime <= RETIREMENT_SECONDS:
                continue
            if os.path.isdir(path):
                remove_folder(path)
            else:
                os.remove(path)


def remove_folder(folder: str) -> None:
    """Remove a folder; mapped files disappear when their last reader closes them."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def read_ahead(folder: str, max_bytes: int) -> None:
    """Let the system read the files of a folder into its cache, up to a size."""
    left = max_bytes
    with os.scandir(folder) as entries:
        files = [entry for entry in entries if entry.is_file()]
    for entry in files:
        left -= entry.stat().st_size
        if left < 0:
            return
        with open(entry.path, "rb", buffering=0) as file:
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)
            else:
                while file.read(_BLOCK_BYTES):
                    pass


def _store_number(name: str) -> int | None:
    digits = name.removeprefix(_STORE_PREFIX)
    return int(digits) if name != digits and digits.isdecimal() and digits.isascii() else None
