"""File versions and their symbols: places, scopes, codes, and what is left when some are gone."""

import sqlite3
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest

from cruxe.model.errors import StorageError
from cruxe.model.identity import VersionKey
from cruxe.model.symbols import ROLE_OF_KIND, SymbolKind, Visibility
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from cruxe.store.local.database import create_database
from cruxe.store.local.ref_maps import SKIP_REASONS
from cruxe.store.local.schema import SCHEMA_VERSION
from cruxe.store.local.version_rows import delete_versions, write_versions
from cruxe.store.records import (
    KIND_CODES,
    VISIBILITY_CODES,
    VersionRecord,
    parsed_record,
    skipped_record,
)
from tests.requirements import requirement
from tests.support.stores import DATABASE


@pytest.fixture
def database(tmp_path: Path) -> Iterable[sqlite3.Connection]:
    """An empty store's database."""
    connection = create_database(str(tmp_path / "store.db"), "some", 0, DATABASE)
    yield connection
    connection.close()


def record(key: int, text: str) -> VersionRecord:
    data, path = text.encode(), f"pkg/m{key}.py"
    parsed = parse_source(SourceText(path, data), registry().detect(path, data), 10_000)
    return parsed_record(VersionKey(key), path, "b10b", len(data), parsed)


def write(database: sqlite3.Connection, *records: VersionRecord) -> None:
    write_versions(database, [(each, 0) for each in records])


def told(database: sqlite3.Connection) -> list[tuple[object, ...]]:
    return database.execute(
        "SELECT version_key, ordinal, qualified_name, parent FROM stored_symbols"
        " ORDER BY version_key, ordinal"
    ).fetchall()


@requirement("STORE-SCHEMA")
def test_the_symbols_of_a_version_are_its_own_whatever_came_before(
    database: sqlite3.Connection,
) -> None:
    write(database, record(7, "class A:\n    def f(self): ...\n"), record(3, "x = 1\n"))
    write(database, skipped_record(VersionKey(4), "b", "b10b", 1, "binary"), record(5, ""))
    write(database, record(1, "def f():\n    def g(): ...\n"))

    assert told(database) == [
        (1, 0, "pkg.m1.f", None),
        (1, 1, "pkg.m1.f.g", 0),
        (3, 0, "pkg.m3.x", None),
        (7, 0, "pkg.m7.A", None),
        (7, 1, "pkg.m7.A.f", 0),
    ]


@requirement("STORE-SCHEMA")
def test_a_version_that_is_there_stays_as_it_is(database: sqlite3.Connection) -> None:
    write(database, record(3, "x = 1\ny = 1\n"))

    write(database, record(2, "a = 1\n"), record(3, "x = 2\nz = 2\n"), record(4, "b = 1\n"))

    names = [row[2] for row in told(database)]
    assert names == ["pkg.m2.a", "pkg.m3.x", "pkg.m3.y", "pkg.m4.b"]


@requirement("STORE-SCHEMA", "STORE-GC")
def test_versions_go_with_their_symbols_and_places_are_taken_again(
    database: sqlite3.Connection,
) -> None:
    write(database, *(record(key, f"x{key} = 1\ny{key} = 1\n") for key in (1, 2, 3, 4)))

    delete_versions(database, [VersionKey(2), VersionKey(4), VersionKey(9)])
    write(database, record(4, "again = 1\n"))

    names = [row[2] for row in told(database)]
    assert names == ["pkg.m1.x1", "pkg.m1.y1", "pkg.m3.x3", "pkg.m3.y3", "pkg.m4.again"]
    assert database.execute("SELECT count(*) FROM symbols").fetchone() == (5,)


@requirement("STORE-SCHEMA")
def test_numbers_and_their_names_belong_to_a_version_of_the_schema() -> None:
    """Stores have the names in their views: whoever changes this raises `SCHEMA_VERSION`."""
    kinds = {
        "function": "callable",
        "method": "callable",
        "struct": "type",
        "class": "type",
        "enum": "type",
        "trait": "type",
        "interface": "type",
        "constant": "value",
        "variable": "value",
        "type_alias": "alias",
        "module": "namespace",
        "section": "namespace",
    }
    visibilities = ["public", "protected", "internal", "private"]
    reasons = [
        *("binary", "too_large", "minified", "generated", "secret", "ignored", "vanished"),
        *("unreadable", "symlink", "not_regular", "path_not_utf8", "submodule_unavailable"),
        *("nested_repository", "lfs_pointer", "parse_timeout", "parser_crashed"),
    ]

    assert SCHEMA_VERSION == 7
    assert [reason.value for reason in SKIP_REASONS if reason] == reasons
    assert {kind.value: ROLE_OF_KIND[kind].value for kind in KIND_CODES} == kinds
    assert [(kind.value, code) for kind, code in KIND_CODES.items()] == [
        (kind, code) for code, kind in enumerate(kinds)
    ]
    assert [(each.value, code) for each, code in VISIBILITY_CODES.items()] == [
        (name, code) for code, name in enumerate(visibilities)
    ]


@requirement("STORE-SCHEMA")
def test_an_sqlite_without_json_is_refused_with_a_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Bare(sqlite3.Connection):
        """As if it had been built without these functions."""

        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            if "json_extract" in sql:
                raise sqlite3.OperationalError("no such function: json_extract")
            return super().execute(sql, *values)  # type: ignore[arg-type]

    connect = partial(sqlite3.connect, factory=Bare)
    monkeypatch.setattr("cruxe.store.local.database.sqlite3.connect", connect)

    with pytest.raises(StorageError, match="without its JSON functions") as refused:
        create_database(str(tmp_path / "store.db"), "some", 0, DATABASE)

    assert "use a Python" in refused.value.remedy


@requirement("STORE-SCHEMA")
def test_a_name_with_a_nul_is_the_same_for_every_sqlite(database: sqlite3.Connection) -> None:
    text = f'-- {"x" * 9000}\nCREATE TABLE "a\0b" (c int);\n'
    source = SourceText("a.sql", text.encode())
    parsed = parse_source(source, registry().detect("a.sql", source.data), 10_000)

    write(database, parsed_record(VersionKey(1), "a.sql", "b1", len(text), parsed))

    assert [row[2] for row in told(database)] == ["a\ufffdb", "a\ufffdb.c"]


@requirement("STORE-SCHEMA")
def test_kinds_roles_and_visibilities_come_back_by_name(database: sqlite3.Connection) -> None:
    pairs = [(kind, visibility) for kind in SymbolKind for visibility in Visibility]
    source = "\n".join(f"x{number} = 1" for number in range(len(pairs)))
    made = parse_source(SourceText("a.py", source.encode()), registry().detect("a.py", b""), 10_000)
    symbols = tuple(
        symbol._replace(kind=kind, visibility=visibility)
        for symbol, (kind, visibility) in zip(made.symbols, pairs, strict=True)
    )
    write(database, parsed_record(VersionKey(1), "a.py", "b1", 1, made._replace(symbols=symbols)))

    rows = database.execute("SELECT kind, visibility, role FROM stored_symbols ORDER BY ordinal")

    assert rows.fetchall() == [
        (kind.value, visibility.value, ROLE_OF_KIND[kind].value) for kind, visibility in pairs
    ]
