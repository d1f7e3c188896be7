"""A few rows of a map replaced give what the whole map written anew would give."""

import random
import sqlite3
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxe.model.errors import EngineError
from cruxe.model.identity import VersionKey
from cruxe.model.source import NAMED_SIZE, FileStat, SkipReason
from cruxe.model.stored import MapEdit, RefFile, RefState
from cruxe.store.local.database import create_database
from cruxe.store.local.ref_maps import RefMap, edit_map, find_ref, read_columns, read_map, write_map
from cruxe.store.local.vector_rows import VectorSpan, pack_ref, write_spans
from tests.requirements import requirement
from tests.support.stores import DATABASE

REF = RefState("worktree:/here", "/here", "main", "c0ffee")
PATHS = ("a.py", "b/c.py", "b/d.png", "b/e.py", "b/é.py", "link", "z.txt", "光.py")
LAST_INODE = (1 << 63) - 1

Files = dict[str, RefFile]
Columns = tuple[object, ...]


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    opened = create_database(str(tmp_path_factory.mktemp("store") / "store.db"), "id", 0, DATABASE)
    yield opened
    opened.close()


def _stat(number: int) -> FileStat:
    return FileStat(number, number * 10, number * 100, LAST_INODE - number)


def _file(path: str, number: int) -> RefFile:
    """One of the things that a path may be; each number of a path is another."""
    if path == "link":
        return RefFile(None, SkipReason.SYMLINK, None)
    if path.endswith(".png"):
        return RefFile(None, SkipReason.BINARY, _stat(number))
    key = VersionKey(PATHS.index(path) * 1_000 + number)
    skip = SkipReason.BINARY if number % 7 == 0 else None  # told by its content
    return RefFile(key, skip, _stat(number))


MAPS = st.dictionaries(st.sampled_from(PATHS), st.integers(1, 20)).map(
    lambda numbers: {path: _file(path, number) for path, number in numbers.items()}
)


@requirement("STORE-EDIT")
@given(before=MAPS, after=MAPS, missing=st.integers(0, 6_000))
@settings(deadline=None)
def test_an_edited_map_is_the_same_as_one_written_whole(
    connection: sqlite3.Connection, before: Files, after: Files, missing: int
) -> None:
    with _rolled_back(connection):
        _add_versions(connection, [before, after], missing)
        write_map(connection, REF, before)
        ref_id = _ref_id(connection)
        pack_ref(connection, ref_id)
        edit = _edit_of(before, after)

        has_changed = edit_map(connection, ref_id, RefMap(read_columns(connection, ref_id)), edit)
        edited = _columns(connection, ref_id), read_map(connection, ref_id)
        write_map(connection, REF, after)
        pack_ref(connection, ref_id)

        assert edited == (_columns(connection, ref_id), _as_told(after))
        assert has_changed == (_contents(before) != _contents(after))


def test_a_version_that_another_path_holds_by_chance_stays_alive(
    connection: sqlite3.Connection,
) -> None:
    shared = RefFile(VersionKey(7_001), None, _stat(1))
    before = {"a.py": shared, "z.txt": shared}
    with _rolled_back(connection):
        connection.execute(*_version_row(VersionKey(7_001), "z.txt"))
        write_map(connection, REF, before)
        ref_id = _ref_id(connection)
        ref_map = RefMap(read_columns(connection, ref_id))
        edit_map(connection, ref_id, ref_map, MapEdit({"a.py": shared}, {}))

        held = connection.execute("SELECT version_key FROM ref_versions").fetchall()
        assert held == [(7_001,)]


def test_rows_of_some_paths_are_read_alone(connection: sqlite3.Connection) -> None:
    files = {path: _file(path, 3) for path in PATHS}
    with _rolled_back(connection):
        write_map(connection, REF, files)
        ref_map = RefMap(read_columns(connection, _ref_id(connection)))
        found = ref_map.find_all(["z.txt", "a.py", "gone.py"])

    assert found == {path: files[path] for path in ("z.txt", "a.py")}
    assert list(found) == ["z.txt", "a.py"]


@requirement("STORE-REFS")
def test_the_map_of_a_commit_has_no_stamps(connection: sqlite3.Connection) -> None:
    files = {path: _file(path, 7)._replace(stat=None) for path in PATHS}
    with _rolled_back(connection):
        write_map(connection, REF._replace(root=None), files)
        columns = read_columns(connection, _ref_id(connection))

    assert columns.stamps == b""
    assert RefMap(columns).files() == files
    assert RefMap(columns).find("b/e.py") == files["b/e.py"]


@requirement("STORE-SCHEMA")
def test_a_map_that_cannot_be_read_is_damage_with_a_way_out(
    connection: sqlite3.Connection,
) -> None:
    with _rolled_back(connection):
        write_map(connection, REF, {"a.py": _file("a.py", 1)})
        columns = read_columns(connection, _ref_id(connection))

    whole = {"a.py": _file("a.py", 1)}
    assert RefMap(columns).files() == whole
    for column in columns._fields:
        cut = columns._replace(**{column: getattr(columns, column)[:-1]})
        with pytest.raises(EngineError, match="the map of a ref") as damaged:
            RefMap(cut)
        assert damaged.value.remedy


@requirement("STORE-REFS")
def test_a_map_is_told_from_the_one_before_whatever_the_clock_says(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cruxe.store.local.ref_maps.time.time_ns", lambda: 7)
    first, second = ({"a.py": _file("a.py", number)} for number in (1, 2))
    times: list[int] = []
    with _rolled_back(connection):
        for files in (first, second):
            write_map(connection, REF, files)
            times.append(_indexed_at(connection))
        ref_id = _ref_id(connection)
        ref_map = RefMap(read_columns(connection, ref_id))
        edit_map(connection, ref_id, ref_map, MapEdit(second, first))
        times.append(_indexed_at(connection))

    assert times == [7, 8, 9]


def _indexed_at(connection: sqlite3.Connection) -> int:
    row = find_ref(connection, REF.name)
    assert row is not None
    return row.indexed_at_ns


@contextmanager
def _rolled_back(connection: sqlite3.Connection) -> Generator[None]:
    """A transaction of which nothing stays."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.rollback()


def _edit_of(before: Files, after: Files) -> MapEdit:
    touched = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    random.Random(len(touched)).shuffle(touched)  # noqa: S311 - any order will do
    return MapEdit(
        {path: before[path] for path in touched if path in before},
        {path: after[path] for path in touched if path in after},
    )


def _add_versions(connection: sqlite3.Connection, maps: list[Files], without_vectors: int) -> None:
    versions = {file.version_key: (path, file) for each in maps for path, file in each.items()}
    row = 0
    for key, (path, file) in sorted(versions.items(), key=str):
        if key is None:
            continue
        if file.skip_reason is not None:
            connection.execute("INSERT INTO verdicts VALUES (?, ?, 0)", (key, file.skip_reason))
            continue
        connection.execute(*_version_row(key, path))
        if key != without_vectors:
            write_spans(connection, [VectorSpan(key, row, 2, 0)])
            row += 2


def _version_row(key: VersionKey, path: str) -> tuple[str, tuple[object, ...]]:
    values = (key, path, b"blob", 1, "python", 1, 0, 1, 1, "[]", "[]", "{}", "[]", "[]", 0)
    places = ", ".join("?" for _ in values)
    return f"INSERT INTO file_versions VALUES ({places})", values  # noqa: S608


def _ref_id(connection: sqlite3.Connection) -> int:
    row = find_ref(connection, REF.name)
    assert row is not None
    return row.ref_id


def _columns(connection: sqlite3.Connection, ref_id: int) -> Columns:
    row: Columns = connection.execute(
        "SELECT file_count, skipped_count, paths, version_keys, skip_reasons, stamps, spans"
        " FROM refs LEFT JOIN ref_vectors USING (ref_id) WHERE ref_id = ?",
        (ref_id,),
    ).fetchone()
    held = connection.execute("SELECT * FROM ref_versions").fetchall()
    return *row, held


def _as_told(files: Files) -> Files:
    """The same map but for stamps that are never compared: of files that their names rule out."""
    named = FileStat(NAMED_SIZE, 0, 0, 0)
    return {
        path: file._replace(stat=named) if path.endswith(".png") else file
        for path, file in files.items()
    }


def _contents(files: Mapping[str, RefFile]) -> dict[str, tuple[object, object]]:
    return {path: (file.version_key, file.skip_reason) for path, file in files.items()}
