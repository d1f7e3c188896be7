"""Trigrams in the database: whoever holds all that is asked for is found, wherever it is kept."""

import random
import sqlite3
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxe.model.identity import VersionKey
from cruxe.model.stored import pack_numbers
from cruxe.store.local.database import create_database
from cruxe.store.local.inversion import holders_of_all, invert_sets, restore_sets
from cruxe.store.local.trigram_rows import TrigramSet, replace_sets, versions_with, write_sets
from tests.support.native import needs_kernels, without_kernels
from tests.support.stores import DATABASE

LAST_TRIGRAM = (1 << 15) - 1


def packed(codes: Iterable[int]) -> bytes:
    return pack_numbers(array("H", sorted(codes)))


# Few trigrams in many sets, so that some are held by most.
SETS = st.lists(
    st.sets(st.sampled_from([0, 1, 2, 300, LAST_TRIGRAM])).map(packed),
    max_size=70,
)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = create_database(str(tmp_path / "store.db"), "id", 0, DATABASE)
    yield opened
    opened.close()


def sets_by_chance(keys: Iterable[int]) -> dict[int, frozenset[int]]:
    chance = random.Random(7)  # noqa: S311 - no secret
    codes = [0, 7, 8, 500, LAST_TRIGRAM]
    return {key: frozenset(chance.sample(codes, chance.randint(1, 5))) for key in keys}


def rows_of(sets: dict[int, frozenset[int]]) -> list[TrigramSet]:
    return [(VersionKey(key), packed(codes)) for key, codes in sets.items()]


def holders(sets: dict[int, frozenset[int]], wanted: set[int]) -> list[int]:
    return sorted(key for key, codes in sets.items() if wanted <= codes)


def block_sizes(connection: sqlite3.Connection) -> list[int]:
    query = "SELECT length(version_keys) / 8 FROM trigram_blocks ORDER BY block"
    return [size for (size,) in connection.execute(query)]


@given(sets=SETS)
def test_sets_turned_round_twice_are_the_same(sets: list[bytes]) -> None:
    assert restore_sets(invert_sets(sets, 0), len(sets)) == sets


@given(sets=SETS, wanted=st.sets(st.sampled_from([0, 1, 300, LAST_TRIGRAM]), min_size=1))
def test_who_holds_all_trigrams_is_told_by_who_holds_each(
    sets: list[bytes], wanted: set[int]
) -> None:
    rows = dict(invert_sets(sets, 0))

    found = holders_of_all([rows.get(code, b"") for code in wanted], len(sets)) if sets else []

    assert found == [number for number, each in enumerate(sets) if wanted <= set(array("H", each))]


@needs_kernels
@given(sets=SETS, first_place=st.integers(0, 1 << 50))
def test_python_turns_sets_round_as_c_does(sets: list[bytes], first_place: int) -> None:
    expected = invert_sets(sets, first_place)

    with without_kernels():
        assert invert_sets(sets, first_place) == expected


@needs_kernels
def test_what_is_no_trigram_is_refused() -> None:
    for wrong in (b"\0", b"\0\x80"):
        with pytest.raises(ValueError, match="no trigram"):
            invert_sets([b"", wrong], 0)


@settings(deadline=None, max_examples=8)
@given(counts=st.lists(st.sampled_from([1, 100, 200, 300, 700]), min_size=1, max_size=5))
def test_versions_are_found_whether_they_came_one_by_one_or_many_at_once(
    tmp_path_factory: pytest.TempPathFactory, counts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("store")
    connection = create_database(str(folder / "store.db"), "id", 0, DATABASE)
    sets = sets_by_chance(range(sum(counts)))
    rows = iter(rows_of(sets))
    for count in counts:
        write_sets(connection, [next(rows) for _ in range(count)])

    for wanted in ({0}, {7, 500}, {0, 7, 8, 500, LAST_TRIGRAM}, {9}, {9, 0}):
        assert sorted(versions_with(connection, sorted(wanted))) == holders(sets, wanted)
    connection.close()


def test_few_versions_stay_as_they_came_until_they_make_a_block(
    connection: sqlite3.Connection,
) -> None:
    sets = rows_of(sets_by_chance(range(600)))
    sizes: list[list[int]] = []
    for place in range(0, 600, 100):
        write_sets(connection, sets[place : place + 100])
        sizes.append(block_sizes(connection))

    # The second block takes in the first, which is as large.
    assert sizes == [[], [], [300], [300], [300], [600]]


def test_a_large_block_is_not_written_anew_for_a_few_versions(
    connection: sqlite3.Connection,
) -> None:
    sets = rows_of(sets_by_chance(range(1_000)))
    write_sets(connection, sets[:700])
    for place in range(700, 1_000):
        write_sets(connection, sets[place : place + 1])

    assert block_sizes(connection) == [700, 257]


def test_more_versions_than_a_block_takes_make_several(connection: sqlite3.Connection) -> None:
    sets = sets_by_chance(range(9_000))
    write_sets(connection, rows_of(sets))

    assert block_sizes(connection) == [8_192, 808]
    assert versions_with(connection, [8]) == holders(sets, {8})


def test_a_version_written_again_is_found_as_before(connection: sqlite3.Connection) -> None:
    sets = sets_by_chance(range(400))
    write_sets(connection, rows_of(sets))
    write_sets(connection, rows_of(sets)[:5])

    assert sorted(set(versions_with(connection, [8]))) == holders(sets, {8})


def test_all_sets_are_replaced_wherever_they_were(connection: sqlite3.Connection) -> None:
    sets = sets_by_chance(range(400))
    write_sets(connection, rows_of(sets)[:300])
    write_sets(connection, rows_of(sets)[300:])
    left = {key: codes for key, codes in sets.items() if key % 7 == 0}

    replace_sets(connection, rows_of(left))

    assert sorted(versions_with(connection, [8])) == holders(left, {8})
    assert sorted(versions_with(connection, [0])) == holders(left, {0})
