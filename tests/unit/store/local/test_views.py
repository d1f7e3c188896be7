"""The contract's tables and views, read with plain SQLite as any program would."""

import json
import os
from typing import Final

import pytest

from cruxe.model.identity import VersionKey, parse_handle, symbol_id_of
from cruxe.repository import Repository
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.objects import blob_id_of
from tests.requirements import requirement
from tests.support.indexing import context_of, index, read_database, settle
from tests.support.repositories import MakeRepo
from tests.support.stores import layout_of

FILES: Final = """
    -- shop/cart.py
    import os

    class Cart(Base):
        # Adds up.
        def total(self):
            return os.path.join(sum_of(self.lines), "x")

    def sum_of(lines):
        return helper(lines)
    -- shop/store.py
    class Cart:
        pass
    -- data.bin
    \0\0
    -- .env
    SECRET=1
"""


@pytest.fixture
def shop(repo: MakeRepo) -> RepositoryContext:
    """A store with the working tree and its commit."""
    made = repo(FILES)
    settle(made, "shop/cart.py", "shop/store.py")
    context = context_of(made)
    index(context)
    index(context, "HEAD")
    return context


@requirement("STORE-SCHEMA", "FR-108")
def test_symbol_relations_says_what_locating_says(shop: RepositoryContext) -> None:
    repository = Repository(shop)
    worktree = f"worktree:{shop.workspace.root}"
    columns = (
        *("path", "line_start", "line_end", "kind", "name", "symbol_id"),
        *("qualified_name", "signature", "language", "visibility"),
    )
    with read_database(shop) as connection:
        rows = connection.execute(
            f"SELECT {', '.join(columns)} FROM symbol_relations"  # noqa: S608
            " WHERE ref = ? ORDER BY name, path",
            (worktree,),
        ).fetchall()

    assert [row[4] for row in rows] == ["Cart", "Cart", "sum_of", "total"]
    for row in rows:
        answer = repository.locate_symbol(row[4])
        assert isinstance(answer["results"], list)
        results = [{**each} for each in answer["results"] if each["path"] == row[0]]
        del results[0]["match"], results[0]["score"], results[0]["result_id"]
        assert results == [{name: value for name, value in zip(columns, row, strict=True) if value}]


@requirement("STORE-SCHEMA", "LOCATE-AMBIGUOUS")
def test_handles_in_the_view_are_those_of_the_api(shop: RepositoryContext) -> None:
    with read_database(shop) as connection:
        rows = connection.execute(
            "SELECT symbol_id, version_key, ordinal, parent_symbol_id, parent, symbol_stable_id,"
            " repo FROM symbol_relations"
        ).fetchall()

    assert len(rows) == 8
    assert len({row[0] for row in rows}) == 4
    assert len({row[5] for row in rows}) == 4
    for symbol_id, version_key, ordinal, parent_symbol_id, parent, _, repo in rows:
        assert symbol_id == symbol_id_of(version_key, ordinal)
        assert parse_handle(symbol_id) == (version_key, ordinal, True)
        expected = None if parent is None else symbol_id_of(version_key, parent)
        assert parent_symbol_id == expected
        assert repo == shop.workspace.repository_id


@requirement("STORE-SCHEMA")
def test_handles_are_right_to_the_last_bit(shop: RepositoryContext) -> None:
    keys, ordinals = (0, 1, (1 << 54) - 1, 0x2A5A5A5A5A5A5A), (0, 1, 63, 64, (1 << 17) - 1)
    extremes = [(key, ordinal) for key in keys for ordinal in ordinals]
    with read_database(shop) as connection:
        for number, key in enumerate(keys, 1):
            first, count = number << 20, 1 << 17
            connection.execute(
                "INSERT INTO file_versions"
                " VALUES (?, ?, x'', 0, '', 0, ?, 0, ?, '[\"\"]', '[]', '{}', '[]', '[]', 0)",
                (key, f"x{key}", count, first),
            )
            connection.executemany(
                "INSERT INTO symbols VALUES"
                " (?, ?, 'x', 'x', 0, 0, 0, NULL, 1, 1, 1, '', '', x'00')",
                [(first + ordinal, key) for ordinal in ordinals],
            )
            connection.execute("INSERT INTO ref_versions VALUES (1, ?)", (key,))
        rows = connection.execute(
            "SELECT DISTINCT version_key, ordinal, symbol_id FROM symbol_relations WHERE name = 'x'"
        ).fetchall()
        connection.rollback()

    assert sorted(rows) == sorted(
        (key, ordinal, symbol_id_of(VersionKey(key), ordinal)) for key, ordinal in extremes
    )


@requirement("STORE-SCHEMA", "PARSE-SITES")
def test_symbol_edges_are_the_sites_with_the_symbols_around_them(shop: RepositoryContext) -> None:
    with read_database(shop) as connection:
        rows = connection.execute(
            "SELECT edge_type, to_qualifier, to_name, source_file, source_line, name,"
            " to_symbol_id, resolution_outcome"
            " FROM symbol_edges AS edge LEFT JOIN symbol_relations AS symbol"
            " ON symbol.symbol_id = edge.from_symbol_id AND symbol.ref = edge.ref"
            " WHERE edge.ref LIKE 'worktree:%' AND edge_type IN ('call', 'extends')"
            " ORDER BY source_line, to_name"
        ).fetchall()

    assert rows == [
        ("extends", "", "Base", "shop/cart.py", 3, "Cart", None, "unresolved"),
        ("call", "os.path", "join", "shop/cart.py", 6, "total", None, "unresolved"),
        ("call", "", "sum_of", "shop/cart.py", 6, "total", None, "unresolved"),
        ("call", "", "helper", "shop/cart.py", 9, "sum_of", None, "unresolved"),
    ]


@requirement("STORE-SCHEMA", "PARSE-SITES")
def test_symbol_edges_tell_names_and_qualifiers_as_they_are_written(repo: MakeRepo) -> None:
    text = 'a["x"].go()\nb["\\\\n\t€😀"].go()\nc.größe()\nc.größe()'
    context = context_of(repo(f"-- a.py\n{text}\n"))
    index(context)
    with read_database(context) as connection:
        rows = connection.execute(
            "SELECT to_qualifier, to_name, source_line, from_symbol_id FROM symbol_edges"
            " WHERE edge_type = 'call' ORDER BY source_line"
        ).fetchall()

    assert rows == [
        ('a["x"]', "go", 1, None),
        ('b["\\\\n\t€😀"]', "go", 2, None),
        ("c", "größe", 3, None),
        ("c", "größe", 4, None),
    ]


@requirement("STORE-SCHEMA")
def test_a_symbol_is_found_by_its_place_however_it_is_asked_for(shop: RepositoryContext) -> None:
    """A scan of all symbols would answer the same, in a hundred times as long."""
    with read_database(shop) as connection:
        plans = [
            [step[3] for step in connection.execute(f"EXPLAIN QUERY PLAN {question}")]
            for question in (
                "SELECT * FROM stored_symbols WHERE version_key = 1 AND place = first_symbol + 2",
                "SELECT * FROM stored_symbols WHERE version_key = 1 AND line_start >= 3",
                "SELECT * FROM symbol_relations WHERE ref_id = 1 AND version_key = 7",
                "SELECT * FROM stored_symbols WHERE name_folded = 'cart'",
            )
        ]

    assert not [step for plan in plans for step in plan if step.startswith("SCAN")], plans
    assert any("symbols_by_name (name_folded=?)" in step for step in plans[-1])


@requirement("STORE-SCHEMA", "STORE-REFS")
def test_file_manifest_lists_what_is_indexed_of_every_ref(shop: RepositoryContext) -> None:
    with read_database(shop) as connection:
        rows = connection.execute(
            "SELECT ref, path, language, size_bytes FROM file_manifest ORDER BY ref, path"
        ).fetchall()
        ((content_hash,),) = connection.execute(
            "SELECT DISTINCT content_hash FROM file_manifest WHERE path = 'shop/store.py'"
        ).fetchall()
    commit, worktree = sorted({row[0] for row in rows}, key=lambda ref: "worktree" in ref)
    store = os.path.join(shop.workspace.root, "shop", "store.py")

    assert worktree == f"worktree:{shop.workspace.root}"
    for ref in (commit, worktree):
        assert [row[1:3] for row in rows if row[0] == ref] == [
            ("shop/cart.py", "python"),
            ("shop/store.py", "python"),
        ]
    assert {row[3] for row in rows if row[1] == "shop/store.py"} == {21}
    with open(store, "rb") as file:
        assert content_hash == blob_id_of(file.read(), shop.workspace.object_format)


@requirement("STORE-SCHEMA", "INDEX-JOBS")
def test_index_jobs_says_what_the_status_says(shop: RepositoryContext) -> None:
    answer = Repository(shop).index_status()
    with read_database(shop) as connection:
        cursor = connection.execute("SELECT * FROM index_jobs ORDER BY created_at_ns DESC")
        names = [column[0] for column in cursor.description]
        jobs = [dict(zip(names, row, strict=True)) for row in cursor]

    assert isinstance(answer["recent_jobs"], list)
    shown = [{**job} for job in answer["recent_jobs"]]
    for job in shown:
        del job["duration_ms"]
    assert shown == [
        {name: value for name, value in job.items() if value is not None} for job in jobs
    ]


@requirement("STORE-SCHEMA", "PARSE-CHUNKS")
def test_what_is_kept_as_json_can_be_read_by_sql(shop: RepositoryContext) -> None:
    with read_database(shop) as connection:
        (row,) = connection.execute(
            "SELECT chunks, sites, imports, problems, line_count, symbol_count"
            " FROM file_versions WHERE path = 'shop/cart.py'"
        ).fetchall()
        valid = connection.execute(
            "SELECT min(json_valid(chunks) AND json_valid(sites) AND json_valid(imports)"
            " AND json_valid(problems)) FROM file_versions"
        ).fetchone()

    assert valid == (1,)
    assert json.loads(row[0]) == [[1, 9, -1]]
    assert json.loads(row[1])["call"] == {
        "join": {"os.path": [[6, 1]]},
        "sum_of": {"": [[6, 1]]},
        "helper": {"": [[9, 2]]},
    }
    assert json.loads(row[2]) == [["os", "", "os", 1, False]]
    assert (json.loads(row[3]), row[4], row[5]) == ([], 9, 3)


def test_a_snapshot_and_the_views_agree_on_outlines(shop: RepositoryContext) -> None:
    with open_snapshot(layout_of(shop)) as snapshot:
        for ref in snapshot.list_refs():
            rows = snapshot.outline_rows(ref.ref_id, "shop/cart.py", top_only=False)
            assert [row.name for row in rows] == ["Cart", "total", "sum_of"]
            top = snapshot.outline_rows(ref.ref_id, "shop/cart.py", top_only=True)
            assert [row.name for row in top] == ["Cart", "sum_of"]
