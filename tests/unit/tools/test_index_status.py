"""Stores that cannot be read: found out, said by name, and mended by a forced run."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from typing import Final

import pytest

from cruxe.ingest.sync_options import SyncOptions
from cruxe.model.errors import IndexIncompatibleError, IndexNotReadyError
from cruxe.repository import Repository, open_repository
from cruxe.store.local.layout import StoreLayout
from cruxe.store.local.lexical import LexicalReader
from cruxe.store.local.schema import EXTRACTION_VERSION, SCHEMA_VERSION
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext
from tests.requirements import requirement
from tests.support.indexing import (
    Question,
    context_of,
    index,
    published,
    ranked_hits,
    settle,
    store_content,
)
from tests.support.programs import start_program
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of

REQUIRED: Final = f"{SCHEMA_VERSION}.{EXTRACTION_VERSION}"
FILES: Final = "-- a.py\ndef lantern():\n    pass\n-- b.py\ndef harbour():\n    pass\n"


def store_of(context: RepositoryContext) -> StoreLayout:
    store = layout_of(context).current()
    assert store is not None
    return store


def metadata_of(answer: Mapping[str, object]) -> dict[str, object]:
    metadata = answer["metadata"]
    assert isinstance(metadata, dict)
    return metadata


def _write_garbage(store: StoreLayout) -> None:
    _drop_wal(store)
    with open(store.database_path, "wb") as file:
        file.write(b"this is no database " * 1000)


def _cut_the_database(store: StoreLayout) -> None:
    _drop_wal(store)
    with open(store.database_path, "r+b") as file:
        file.truncate(5000)


def _empty_the_database(store: StoreLayout) -> None:
    _drop_wal(store)
    with open(store.database_path, "wb"):
        pass


def _remove_the_database(store: StoreLayout) -> None:
    _drop_wal(store)
    os.remove(store.database_path)


def _remove_the_store(store: StoreLayout) -> None:
    shutil.rmtree(store.folder)


def _remove_a_stamp(store: StoreLayout) -> None:
    _change(store, "DELETE FROM meta WHERE key = 'generation'")


def _remove_the_lexical_index(store: StoreLayout) -> None:
    shutil.rmtree(store.lexical_path(1))


def _break_the_lexical_manifest(store: StoreLayout) -> None:
    with open(os.path.join(store.lexical_path(1), "meta.json"), "w", encoding="utf-8") as file:
        file.write("{")


def _age_the_lexical_index(store: StoreLayout) -> None:
    _change(store, "UPDATE meta SET value = value + 10 WHERE key = 'lexical_opstamp'")


DAMAGES: Final = (
    _write_garbage,
    _cut_the_database,
    _empty_the_database,
    _remove_the_database,
    _remove_the_store,
    _remove_a_stamp,
    _remove_the_lexical_index,
    _break_the_lexical_manifest,
    _age_the_lexical_index,
)
# Of what a sync makes anew.
REPAIRED: Final = (_remove_the_lexical_index, _break_the_lexical_manifest)
LASTING: Final = tuple(each for each in DAMAGES if each not in REPAIRED)


def _drop_wal(store: StoreLayout) -> None:
    for ending in ("-wal", "-shm"):
        if os.path.exists(store.database_path + ending):
            os.remove(store.database_path + ending)


def _change(store: StoreLayout, statement: str) -> None:
    connection = sqlite3.connect(store.database_path)
    with connection:
        connection.execute(statement)
    connection.close()


@requirement("STORE-SCHEMA")
def test_a_repository_without_an_index_says_so(repo: MakeRepo) -> None:
    made = open_repository(repo(FILES).root)
    answer = made.index_status()

    assert (answer["index_status"], answer["schema_status"]) == ("not_indexed", "not_indexed")
    assert metadata_of(answer) == {
        "codecompass_protocol_version": "1.0",
        "freshness_status": "stale",
        "indexing_status": "not_indexed",
        "result_completeness": "partial",
        "ref": "main",
        "schema_status": "not_indexed",
    }
    for ask in _questions(made):
        with pytest.raises(IndexNotReadyError) as caught:
            ask()
        assert caught.value.data == {"schema_status": "not_indexed"}
        assert caught.value.remedy == "run `cruxe index`"


@requirement("STORE-SCHEMA")
@pytest.mark.parametrize("stamp", ["schema_version", "extraction_version"])
def test_a_store_of_another_version_is_refused_with_the_way_out(stamp: str, repo: MakeRepo) -> None:
    context = context_of(repo(FILES))
    index(context)
    _change(store_of(context), f"UPDATE meta SET value = value + 1 WHERE key = '{stamp}'")  # noqa: S608
    found = {
        "schema_version": f"{SCHEMA_VERSION + 1}.{EXTRACTION_VERSION}",
        "extraction_version": f"{SCHEMA_VERSION}.{EXTRACTION_VERSION + 1}",
    }[stamp]
    made = Repository(context)
    answer = made.index_status()

    assert answer["schema_status"] == "reindex_required"
    assert (answer["current_schema_version"], answer["required_schema_version"]) == (
        found,
        REQUIRED,
    )
    assert metadata_of(answer)["indexing_status"] == "failed"
    for ask in (*_questions(made), made.sync_repo):
        with pytest.raises(IndexIncompatibleError) as caught:
            ask()
        assert caught.value.data == {
            "schema_status": "reindex_required",
            "current_schema_version": found,
            "required_schema_version": REQUIRED,
        }
        assert caught.value.remedy == "run `cruxe index --force`"
    _mend_and_compare(made)


@requirement("STORE-SCHEMA", "STORE-DISK")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_is_found_out_and_mended(
    damage: Callable[[StoreLayout], None], repo: MakeRepo
) -> None:
    context = context_of(repo(FILES))
    index(context)
    damage(store_of(context))
    made = Repository(context)
    answer = made.index_status()

    assert (answer["index_status"], answer["schema_status"]) == ("not_ready", "corrupt_manifest")
    assert metadata_of(answer)["schema_status"] == "corrupt_manifest"
    _mend_and_compare(made)


@requirement("STORE-SCHEMA", "STORE-DISK")
@pytest.mark.parametrize("damage", LASTING)
def test_a_sync_with_nothing_to_do_does_not_call_a_damaged_store_up_to_date(
    damage: Callable[[StoreLayout], None], repo: MakeRepo
) -> None:
    made = repo(FILES)
    settle(made, "a.py", "b.py")
    context = context_of(made)
    index(context)
    assert published(Repository(context).sync_repo())["changed_files"] == 0
    damage(store_of(context))

    with pytest.raises(IndexIncompatibleError) as caught:
        Repository(context).sync_repo()
    assert caught.value.data["schema_status"] == "corrupt_manifest"
    assert caught.value.remedy == "run `cruxe index --force`"


@requirement("STORE-SCHEMA", "STORE-DISK")
@pytest.mark.parametrize("damage", LASTING)
def test_a_damaged_store_is_written_by_nobody(
    damage: Callable[[StoreLayout], None], repo: MakeRepo
) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    damage(store_of(context))
    made.write("-- c.py\ndef copper():\n    pass\n")

    with pytest.raises(IndexIncompatibleError) as caught:
        index(context)
    assert caught.value.data["schema_status"] == "corrupt_manifest"
    assert caught.value.remedy == "run `cruxe index --force`"


@requirement("STORE-SCHEMA", "STORE-DISK")
@pytest.mark.parametrize("damage", REPAIRED)
def test_a_damaged_lexical_index_is_made_anew_by_a_sync(
    damage: Callable[[StoreLayout], None], repo: MakeRepo
) -> None:
    made = repo(FILES)
    settle(made, "a.py", "b.py")
    context = context_of(made)
    index(context)
    expected = ranked_hits(context, [Question("name", ("lantern",))])
    damage(store_of(context))
    repository = Repository(context)
    status = repository.index_status()
    repository.sync_repo()

    assert status["schema_status"] == "corrupt_manifest"
    assert status["suggested_next_actions"] == [{"tool": "sync_repo"}]
    assert repository.index_status()["schema_status"] == "compatible"
    assert repository.health_check()["status"] == "ready"
    assert ranked_hits(context, [Question("name", ("lantern",))]) == expected


@requirement("STORE-DISK")
@pytest.mark.parametrize("text", ["", "nonsense", "s-", "s-9", "../elsewhere"])
def test_a_pointer_to_no_store_can_be_mended(text: str, repo: MakeRepo) -> None:
    context = context_of(repo(FILES))
    index(context)
    with open(os.path.join(layout_of(context).folder, "CURRENT"), "w", encoding="utf-8") as file:
        file.write(text)
    made = Repository(context)

    assert made.index_status()["index_status"] in ("not_indexed", "not_ready")
    _mend_and_compare(made)


@requirement("STORE-READERS")
def test_a_reader_goes_on_with_the_old_store_while_it_is_replaced(repo: MakeRepo) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    with open_snapshot(layout_of(context)) as snapshot:
        lexical = LexicalReader(snapshot.lexical_path)
        made.write("-- a.py\ndef copper():\n    pass\n")
        index(context, options=SyncOptions(force=True))

        assert [each.path for each in snapshot.symbols_named(["lantern"])["lantern"]] == ["a.py"]
        assert snapshot.symbols_named(["copper"])["copper"] == []
        (hit,) = lexical.search("name", [("lantern", 1.0)], 10, lambda _: True)
        assert hit.version_key in {
            each.version_key for each in snapshot.symbols_named(["lantern"])["lantern"]
        }
    with open_snapshot(layout_of(context)) as snapshot:
        assert [each.path for each in snapshot.symbols_named(["copper"])["copper"]] == ["a.py"]


@requirement("INDEX-JOBS")
def test_a_job_whose_process_died_is_not_shown_as_running(repo: MakeRepo) -> None:
    made = repo(FILES)
    code = """
        import os, sys
        from cruxe.store.local.writer import StoreWriter
        StoreWriter.add = lambda *_: os._exit(9)
        import cruxe
        cruxe.open(sys.argv[1]).sync_repo()
    """
    with start_program(code, made.root) as program:
        program.communicate()
    answer = open_repository(made.root).index_status()

    assert "active_job" not in answer
    (job,) = _jobs_of(answer)
    assert (job["status"], job["pid"]) == ("interrupted", program.pid)
    assert isinstance(answer["interrupted_recovery_report"], dict)
    index(context_of(made))
    answer = open_repository(made.root).index_status()
    assert [each["status"] for each in _jobs_of(answer)] == ["published", "interrupted"]


@requirement("INDEX-JOBS")
def test_a_running_job_is_shown_with_its_progress(repo: MakeRepo) -> None:
    made = repo(FILES)
    made_repository = open_repository(made.root)
    seen: list[object] = []
    made_repository.sync_repo(
        progress=lambda *_: seen.append(made_repository.index_status().get("active_job"))
    )

    first = seen[0]
    assert isinstance(first, dict)
    assert (first["status"], first["files_total"], first["pid"]) == ("running", 2, os.getpid())


def test_an_empty_repository_is_indexed_and_answers(repo: MakeRepo) -> None:
    made = open_repository(repo("").root)
    made.sync_repo()

    assert made.locate_symbol("anything")["results"] == []
    assert made.index_status()["schema_status"] == "compatible"
    assert made.health_check()["status"] == "ready"
    with open_snapshot(layout_of(made.context)) as snapshot:
        reader = LexicalReader(snapshot.lexical_path)
    assert reader.search("name", [("anything", 1.0)], 10, lambda _: True) == []


def _questions(made: Repository) -> tuple[Callable[[], object], ...]:
    return (
        lambda: made.locate_symbol("lantern"),
        lambda: made.get_file_outline("a.py"),
        made.list_refs,
        made.collect,
    )


def _jobs_of(answer: Mapping[str, object]) -> list[dict[str, object]]:
    jobs = answer["recent_jobs"]
    assert isinstance(jobs, list)
    return jobs


def _mend_and_compare(made: Repository) -> None:
    """Build the store anew and check that it is what a fresh one in another place is."""
    made.sync_repo(force=True)
    elsewhere = context_of(Repo(made.root), os.path.join(os.environ["HOME"], "elsewhere"))
    index(elsewhere)
    questions = [Question("name", ("lantern", "harbour"))]

    assert made.index_status()["schema_status"] == "compatible"
    assert made.health_check()["status"] == "ready"
    assert store_content(made.context) == store_content(elsewhere)
    assert ranked_hits(made.context, questions) == ranked_hits(elsewhere, questions)
    stores = {name for name in os.listdir(layout_of(made.context).folder) if name.startswith("s-")}
    assert os.path.basename(store_of(made.context).folder) in stores
