"""The trigram index in the database: which versions have a trigram in their text.

Many versions are written as a block with one posting list a trigram (`inversion.py`). A few are
written as loose sets, until there are enough for a block; blocks that are not larger are merged
into it. So an edit writes one row, and a question reads few blocks.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cruxe.model.identity import VersionKey
from cruxe.model.stored import pack_sorted_keys, unpack_numbers
from cruxe.store.local.checksums import row_checksum
from cruxe.store.local.database import corrupt
from cruxe.store.local.inversion import MOST_SETS, holders_of_all, invert_sets, restore_sets
from cruxe.text.trigrams import TRIGRAM_BITS

# Scanning so many sets takes a third of a millisecond.
_MOST_LOOSE: Final = 256
_KEY_BYTES: Final = 8

TrigramSet = tuple[VersionKey, bytes]  # a version and its trigrams, packed


def write_sets(connection: sqlite3.Connection, sets: Sequence[TrigramSet]) -> None:
    """Write the trigrams of versions."""
    if len(sets) > _MOST_LOOSE:
        _write_blocks(connection, sets)
        return
    rows = map(_with_checksum, sets)
    connection.executemany("INSERT OR IGNORE INTO trigram_sets VALUES (?, ?, ?)", rows)
    ((loose,),) = connection.execute("SELECT count(*) FROM trigram_sets").fetchall()
    if loose > _MOST_LOOSE:
        _gather_loose(connection)


def replace_sets(connection: sqlite3.Connection, sets: Sequence[TrigramSet]) -> None:
    """Replace the trigrams of all versions."""
    for table in ("trigram_sets", "trigram_blocks", "trigram_holders"):
        connection.execute(f"DELETE FROM {table}")
    write_sets(connection, sets)


def versions_with(connection: sqlite3.Connection, trigrams: Sequence[int]) -> list[VersionKey]:
    """Return the versions whose text has all of some trigrams, perhaps with duplicates."""
    found = list(_loose_with(connection, trigrams))
    for block, set_count in _blocks(connection):
        first = block << TRIGRAM_BITS
        marks = ", ".join("?" * len(trigrams))
        rows = connection.execute(
            f"SELECT * FROM trigram_holders WHERE place IN ({marks})",
            [first + trigram for trigram in trigrams],
        ).fetchall()
        if len(rows) == len(trigrams):  # else no version of the block has one of them
            numbers = holders_of_all([holders for _, holders in checked(rows)], set_count)
            keys = _block_keys(connection, block) if numbers else ()
            found += [VersionKey(keys[number]) for number in numbers]
    return found


def _loose_with(connection: sqlite3.Connection, trigrams: Sequence[int]) -> Iterator[VersionKey]:
    for key, packed in checked(connection.execute("SELECT * FROM trigram_sets")):
        own = unpack_numbers("H", packed)
        if all(_holds(own, trigram) for trigram in trigrams):
            yield VersionKey(key)


def _holds(own: Sequence[int], trigram: int) -> bool:
    index = bisect_left(own, trigram)
    return index < len(own) and own[index] == trigram


def _blocks(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    """Return the blocks, each with the number of its versions."""
    query = f"SELECT block, length(version_keys) / {_KEY_BYTES} FROM trigram_blocks ORDER BY block"
    return connection.execute(query).fetchall()


def _block_keys(connection: sqlite3.Connection, block: int) -> Sequence[int]:
    query = "SELECT * FROM trigram_blocks WHERE block = ?"
    ((_, packed),) = checked(connection.execute(query, (block,)))
    return unpack_numbers("Q", packed)


def checked(rows: Iterable[tuple[int, bytes, int]]) -> Iterator[tuple[int, bytes]]:
    """Yield rows of one of the tables without their checksums; raise if one has changed."""
    for number, packed, checksum in rows:
        if row_checksum(number, packed) != checksum:
            raise corrupt("the trigram index has changed")
        yield number, packed


def _with_checksum(row: tuple[int, bytes]) -> tuple[int, bytes, int]:
    number, packed = row
    return number, packed, row_checksum(number, packed)


def _write_blocks(connection: sqlite3.Connection, sets: Sequence[TrigramSet]) -> None:
    """Write sets as blocks, in the order of their versions."""
    in_order = sorted(sets)
    ((last,),) = connection.execute("SELECT max(block) FROM trigram_blocks").fetchall()
    block = -1 if last is None else last
    for start in range(0, len(in_order), MOST_SETS):
        block += 1
        keys, packed = zip(*in_order[start : start + MOST_SETS], strict=True)
        connection.execute(
            "INSERT INTO trigram_blocks VALUES (?, ?, ?)",
            _with_checksum((block, pack_sorted_keys(keys))),
        )
        connection.executemany(
            "INSERT INTO trigram_holders VALUES (?, ?, ?)",
            map(_with_checksum, invert_sets(list(packed), block << TRIGRAM_BITS)),
        )


def _gather_loose(connection: sqlite3.Connection) -> None:
    """Merge the loose sets and the blocks that are not larger into a block."""
    loose = checked(connection.execute("SELECT * FROM trigram_sets"))
    gathered = {VersionKey(key): packed for key, packed in loose}
    connection.execute("DELETE FROM trigram_sets")
    for block, set_count in sorted(_blocks(connection), key=lambda each: each[1]):
        if set_count > len(gathered):
            break
        gathered |= _take_block(connection, block, set_count)
    _write_blocks(connection, list(gathered.items()))


def _take_block(
    connection: sqlite3.Connection, block: int, set_count: int
) -> dict[VersionKey, bytes]:
    """Delete a block; return its sets."""
    first, end = block << TRIGRAM_BITS, (block + 1) << TRIGRAM_BITS
    found = connection.execute(
        "SELECT * FROM trigram_holders WHERE place >= ? AND place < ?", (first, end)
    )
    rows = [(place - first, holders) for place, holders in checked(found)]
    keys = map(VersionKey, _block_keys(connection, block))
    connection.execute("DELETE FROM trigram_holders WHERE place >= ? AND place < ?", (first, end))
    connection.execute("DELETE FROM trigram_blocks WHERE block = ?", (block,))
    return dict(zip(keys, restore_sets(rows, set_count), strict=True))
