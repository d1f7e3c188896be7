"""The files of a lexical index: what was published, and whether they are still that.

The database records name, size and checksum of each file. While a writer adds documents, a mark in
the folder says that the files may be ahead of the record; a killed writer leaves the mark. Without
it the files are those of the record, except that another process may publish between two looks.
"""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple
from zlib import crc32

from cruxe.model.stored import StorePart
from cruxe.store.local.checksums import file_checksum
from cruxe.store.local.database import corrupt

_MARK: Final = "unpublished.lock"
_LOCK_SUFFIX: Final = ".lock"
# Tantivy's two files that change, are small and say which others count.
_MANIFESTS: Final = ("meta.json", ".managed.json")
# Tantivy ends a file of a segment with JSON, its length and a magic number.
_FOOTER_TAIL_BYTES: Final = 8
_FOOTER_MAGIC: Final = 1337
# How often another process may publish between two looks.
_LOOKS: Final = 5


class IndexFile(NamedTuple):
    """A file as published."""

    size_bytes: int
    checksum: int


Record = Mapping[str, IndexFile]


def mark_unpublished(folder: str) -> None:
    """Say that the files are being changed."""
    with open(os.path.join(folder, _MARK), "w", encoding="ascii"):
        pass


def unmark(folder: str) -> None:
    """Say that the files are as recorded; called once the record is published."""
    with suppress(FileNotFoundError):
        os.remove(os.path.join(folder, _MARK))


def is_marked(folder: str) -> bool:
    """Return whether the files may be ahead of the record."""
    return os.path.exists(os.path.join(folder, _MARK))


def take_record(folder: str, before: Record) -> dict[str, IndexFile]:
    """Return a record of the files; only those that are new or change are read."""
    return {
        name: before[name]
        if name in before and name not in _MANIFESTS and before[name].size_bytes == size
        else IndexFile(size, file_checksum(os.path.join(folder, name)))
        for name, size in _sizes(folder).items()
    }


def record_text(record: Record) -> str:
    """Return a record as the database holds it."""
    return "".join(f"{name} {size} {checksum}\n" for name, (size, checksum) in record.items())


def read_record(text: str) -> dict[str, IndexFile]:
    """Return a record from its text."""
    rows = (line.split(" ") for line in text.splitlines())
    return {name: IndexFile(int(size), int(checksum)) for name, size, checksum in rows}


def check_files(folder: str, published: Callable[[], str], *, is_deep: bool = False) -> None:
    """Raise if the files are not as published: sizes and manifests, or with `is_deep` all bytes.

    `published` returns the record of the folder as it is published now; empty if it has none.
    """
    for _ in range(_LOOKS):
        record = published()
        problem = _problem(folder, read_record(record), is_deep=is_deep)
        if problem is None:
            return
        if is_marked(folder):
            _check_footers(folder, is_deep=is_deep)
            return
        if published() == record:
            raise corrupt(problem, StorePart.LEXICAL)


def _problem(folder: str, record: Record, *, is_deep: bool) -> str | None:
    """Return what differs from the record, or None."""
    found = _sizes(folder)
    if found.keys() - record.keys():
        return f"lexical index: {min(found.keys() - record.keys())} was never published"
    for name, (size, checksum) in record.items():
        if found.get(name) != size:
            return f"lexical index: {name} is missing or cut"
        try:
            if (is_deep or name in _MANIFESTS) and checksum != _checksum_at(folder, name):
                return f"lexical index: the bytes of {name} have changed"
        except OSError as error:
            return f"lexical index: {name}: {error.strerror}"
    return None


def _checksum_at(folder: str, name: str) -> int:
    return file_checksum(os.path.join(folder, name))


def _sizes(folder: str) -> dict[str, int]:
    """Return the sizes of all files but locks."""
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if not entry.name.endswith(_LOCK_SUFFIX)]
            return {each.name: each.stat().st_size for each in sorted(found, key=_name_of)}
    except OSError:
        return {}


def _name_of(entry: os.DirEntry[str]) -> str:
    return entry.name


def _check_footers(folder: str, *, is_deep: bool) -> None:
    """Raise if a file that counts is not what Tantivy wrote, by Tantivy's own checksums."""
    for name in _files_of_segments(folder) if is_deep else ():
        if not _has_sound_footer(os.path.join(folder, name)):
            raise corrupt(f"lexical index: {name} is not what was written", StorePart.LEXICAL)


def _files_of_segments(folder: str) -> list[str]:
    """Return the files that `meta.json` counts; failed runs leave others half written."""
    try:
        with open(os.path.join(folder, _MANIFESTS[0]), encoding="utf-8") as file:
            segments = {each["segment_id"].replace("-", "") for each in json.load(file)["segments"]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise corrupt(f"lexical index: {error}", StorePart.LEXICAL) from error
    return [name for name in _sizes(folder) if name.partition(".")[0] in segments]


def _has_sound_footer(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            content = file.read()
        magic = int.from_bytes(content[-4:], "little")
        length = int.from_bytes(content[-_FOOTER_TAIL_BYTES:-4], "little")
        end = len(content) - _FOOTER_TAIL_BYTES
        told = json.loads(content[end - length : end])["crc"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return magic == _FOOTER_MAGIC and told == crc32(content[: end - length])
