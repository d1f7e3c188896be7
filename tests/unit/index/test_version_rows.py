"""File versions and their symbols: places, scopes, codes, and what is left when some are gone."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest

from cruxe.index.database import create_database
from cruxe.index.records import VersionRecord, parsed_record, skipped_record
from cruxe.index.symbol_codes import KIND_CODES, VISIBILITY_CODES
from cruxe.index.version_rows import delete_versions, write_versions
from cruxe.model.identity import VersionKey
from cruxe.model.symbols import ROLE_OF_KIND, SymbolKind, Visibility
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source import SourceText
from tests.requirements import requirement


@pytest.fixture
def database(tmp_path: Path) -> Iterable[sqlite3.Connection]:
    """An empty store's database."""
    connection = create_database(str(tmp_path / "store.db"), "some", 0)
    yield connection
    connection.close()


def record(key: int, text: str) -> VersionRecord:
    data, path = text.encode(), f"pkg/m{key}.py"
    parsed = parse_source(SourceText(path, data), registry().detect(path, data), 10_000)
    return parsed_record(VersionKey(key), path, "blob", len(data), parsed)


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
    write(database, skipped_record(VersionKey(4), "b", "blob", 1, "binary"), record(5, ""))
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
def test_a_number_never_gets_another_meaning() -> None:
    """Whoever changes one of these raises `SCHEMA_VERSION`; what is added comes last."""
    assert [kind.value for kind in KIND_CODES] == [
        *("function", "method", "struct", "class", "enum", "trait", "interface", "constant"),
        *("variable", "type_alias", "module", "section"),
    ]
    assert [each.value for each in VISIBILITY_CODES] == [
        *("public", "protected", "internal", "private")
    ]
    for codes in (KIND_CODES, VISIBILITY_CODES):
        assert [*codes.values()] == [*range(len(codes))]


@requirement("STORE-SCHEMA")
def test_kinds_roles_and_visibilities_come_back_by_name(database: sqlite3.Connection) -> None:
    pairs = [(kind, visibility) for kind in SymbolKind for visibility in Visibility]
    source = "\n".join(f"x{number} = 1" for number in range(len(pairs)))
    made = parse_source(SourceText("a.py", source.encode()), registry().detect("a.py", b""), 10_000)
    symbols = tuple(
        symbol._replace(kind=kind, visibility=visibility)
        for symbol, (kind, visibility) in zip(made.symbols, pairs, strict=True)
    )
    write(database, parsed_record(VersionKey(1), "a.py", "b", 1, made._replace(symbols=symbols)))

    rows = database.execute("SELECT kind, visibility, role FROM stored_symbols ORDER BY ordinal")

    assert rows.fetchall() == [
        (kind.value, visibility.value, ROLE_OF_KIND[kind].value) for kind, visibility in pairs
    ]
