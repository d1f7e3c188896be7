"""A publication and its lexical commit: neither shows without the other."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cruxe.model.errors import StorageError
from cruxe.store.local.lexical import LexicalWriter, read_manifest
from cruxe.store.local.lexical_files import check_files
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext
from tests.support.indexing import StoreContent, context_of, index, store_content
from tests.support.repositories import MakeRepo
from tests.support.stores import layout_of

SOURCES = "-- tide.py\ndef tide():\n    pass\n-- lamp.py\ndef lamp():\n    pass\n"
EDIT = "-- tide.py\ndef tide():\n    return 1\n"


def jobs_of(context: RepositoryContext) -> list[tuple[str, str, int, str | None]]:
    with open_snapshot(layout_of(context)) as snapshot:
        return [
            (job.mode, job.status, job.files_indexed, job.error_message)
            for job in snapshot.recent_jobs(9)
        ]


def edited_after_indexing(repo: MakeRepo) -> tuple[RepositoryContext, StoreContent]:
    """A repository with an edit that is not indexed, and what its store holds."""
    made = repo(SOURCES)
    context = context_of(made)
    index(context)
    before = store_content(context)
    made.write(EDIT)
    return context, before


def fails(writer: LexicalWriter) -> int:
    del writer
    raise StorageError("no room")


def test_a_lexical_commit_that_fails_publishes_nothing_and_is_told(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, before = edited_after_indexing(repo)

    with monkeypatch.context() as patch:
        patch.setattr(LexicalWriter, "commit", fails)
        with pytest.raises(StorageError, match="no room"):
            index(context)

    assert store_content(context) == before
    remedy = "(check the disk that holds the data directory)"
    assert jobs_of(context) == [
        ("incremental", "failed", 0, f"StorageError: no room {remedy}"),
        ("full", "published", 2, None),
    ]


def test_a_map_that_cannot_be_moved_waits_for_the_commit_and_the_next_run_makes_good(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, before = edited_after_indexing(repo)

    def die(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("cruxe.store.local.writer.edit_map", die)
        patch.setattr("cruxe.store.local.writer.ref_maps.write_map", die)
        with pytest.raises(KeyboardInterrupt):
            index(context)
    lost = store_content(context)
    index(context)

    assert lost == before
    assert store_content(context) != before
    assert [status for _, status, _, _ in jobs_of(context)] == ["published", "failed", "published"]


@pytest.mark.parametrize("count", [1, 9])
def test_every_edit_is_among_the_jobs(count: int, repo: MakeRepo) -> None:
    made = repo(SOURCES)
    context = context_of(made)
    index(context)
    made.write("".join(f"-- new{number}.py\nx = {number}\n" for number in range(count)))

    index(context)

    assert jobs_of(context) == [
        ("incremental", "published", count, None),
        ("full", "published", 2, None),
    ]


def test_after_an_edit_the_store_knows_its_lexical_index_as_it_is(repo: MakeRepo) -> None:
    made = repo(SOURCES)
    context = context_of(made)
    index(context)
    for number in range(3):
        made.write(f"-- tide.py\ndef tide():\n    return {number}\n")
        index(context)

    store = layout_of(context).current()
    assert store is not None
    with closing(sqlite3.connect(store.database_path)) as database:
        meta = dict(database.execute("SELECT key, value FROM meta WHERE key LIKE 'lexical%'"))
    opstamp = read_manifest(store.lexical_path(meta["lexical"])).opstamp
    check_files(store.lexical_path(1), lambda: meta.pop("lexical_files"), is_deep=True)
    assert meta == {"lexical": 1, "lexical_opstamp": opstamp, "lexical_dirty": 0}


def test_merges_that_fail_are_told_once_all_else_is_closed(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, before = edited_after_indexing(repo)

    with monkeypatch.context() as patch:
        patch.setattr(LexicalWriter, "close", fails)
        with pytest.raises(StorageError, match="no room"):
            index(context)

    store = layout_of(context).current()
    assert store is not None
    assert not Path(f"{store.database_path}-wal").exists()
    assert store_content(context) != before
