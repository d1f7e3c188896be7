"""Collection: what is dead goes, what lives stays, and the statistics are those of the living."""

import os
import time
from collections.abc import Iterator

import pytest

from cruxe.ingest import rewriting
from cruxe.ingest.collect import CollectOutcome, collect
from cruxe.ingest.processing import FileOutcome, ProcessingPlan
from cruxe.ingest.processing_runs import process_in_pool
from cruxe.ingest.sync_options import SyncOptions
from cruxe.model.errors import IndexNotReadyError
from cruxe.model.source import FileTask
from cruxe.repository import Repository, open_repository
from cruxe.store.local import ref_maps
from cruxe.store.local.lexical import LexicalReader
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext
from tests.requirements import requirement
from tests.support.indexing import (
    Question,
    collect_now,
    context_of,
    index,
    ranked_hits,
    read_database,
    settle,
    store_content,
)
from tests.support.repositories import MakeRepo
from tests.support.stores import layout_of

FILES = "-- a.py\ndef lantern():\n    pass\n-- b.py\ndef harbour():\n    lantern = 1\n"
QUESTIONS = [Question(field, ("lantern", "harbour")) for field in ("name", "text")]


def summary(outcome: CollectOutcome) -> tuple[int, int, bool]:
    return outcome.generation, outcome.dropped_versions, outcome.rewrote_lexical


@requirement("STORE-GC")
def test_a_store_without_dead_versions_is_left_as_it_is(repo: MakeRepo) -> None:
    made = repo(FILES)
    settle(made, "a.py", "b.py")
    context = context_of(made)
    index(context)

    assert summary(collect_now(context)) == (1, 0, False)


@requirement("STORE-GC")
def test_dead_versions_leave_and_the_scores_become_those_of_a_fresh_index(
    repo: MakeRepo, tmp_path: os.PathLike[str]
) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    for word in ("meadow", "copper", "lantern"):
        made.write(f"-- a.py\ndef {word}():\n    return lantern\n")
        index(context)
    fresh = context_of(made, os.path.join(tmp_path, "fresh"))
    index(fresh)
    assert ranked_hits(context, QUESTIONS) != ranked_hits(fresh, QUESTIONS)

    assert summary(collect_now(context)) == (5, 3, True)
    assert ranked_hits(context, QUESTIONS) == ranked_hits(fresh, QUESTIONS)
    assert store_content(context) == store_content(fresh)
    assert summary(collect_now(context)) == (5, 0, False)


@requirement("STORE-GC")
def test_a_store_that_holds_nothing_any_more_is_emptied(
    repo: MakeRepo, tmp_path: os.PathLike[str]
) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    made.remove("a.py")
    made.remove("b.py")
    index(context)

    assert summary(collect_now(context)) == (3, 2, True)
    assert summary(collect_now(context)) == (3, 0, False)
    made.write(FILES)
    index(context)
    fresh = context_of(made, os.path.join(tmp_path, "fresh"))
    index(fresh)
    assert ranked_hits(context, QUESTIONS) == ranked_hits(fresh, QUESTIONS)


@requirement("STORE-GC")
def test_branches_that_were_deleted_are_forgotten(repo: MakeRepo) -> None:
    made = repo(FILES)
    made.git("checkout", "--quiet", "-b", "topic")
    made.write("-- c.py\ndef copper():\n    pass\n")
    made.commit()
    made.checkout("main")
    context = context_of(made)
    index(context)
    index(context, "topic")
    index(context, made.git("rev-parse", "topic").strip())
    made.git("branch", "--quiet", "-D", "topic")
    outcome = collect_now(context)

    # The commit is still in git, so whoever asked for it by its id may ask again.
    assert (outcome.dropped_refs, outcome.dropped_versions) == (("refs/heads/topic",), 0)


@requirement("STORE-GC")
def test_commits_that_nobody_asked_for_in_a_long_time_are_forgotten(repo: MakeRepo) -> None:
    made = repo(FILES)
    made.write("-- c.py\ndef copper():\n    pass\n")
    first = made.commit()
    made.remove("c.py")
    made.commit()
    context = context_of(made)
    index(context)
    index(context, first)
    index(context, "HEAD")
    long_ago = time.time_ns() - 40 * 86_400 * 1_000_000_000
    with read_database(context) as connection:
        for row in ref_maps.list_refs(connection):
            if row.name == first or row.root is not None:
                update = "UPDATE refs SET indexed_at_ns = ? WHERE ref_id = ?"
                connection.execute(update, (long_ago, row.ref_id))
                columns = ref_maps.read_columns(connection, row.ref_id)
                ref_maps.seal_row(connection, row.ref_id, columns)
    outcome = collect_now(context)

    assert (outcome.dropped_refs, outcome.dropped_versions) == ((first,), 1)


@requirement("STORE-GC")
def test_a_collection_brings_the_living_up_to_date_first(repo: MakeRepo) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    made.write("-- a.py\ndef copper():\n    pass\n")
    collect(context, wait_ms=0)

    answer = open_repository(made.root).locate_symbol("copper")
    assert isinstance(answer["results"], list)
    assert [each["path"] for each in answer["results"]] == ["a.py"]
    assert len(store_content(context).file_versions) == 2


@requirement("STORE-READERS", "STORE-GC")
def test_a_reader_that_began_before_a_collection_can_still_open_its_lexical_index(
    repo: MakeRepo,
) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    made.write("-- a.py\ndef copper():\n    pass\n")
    index(context)
    with open_snapshot(layout_of(context)) as snapshot:
        live = snapshot.live_keys(snapshot.list_refs()[0].ref_id)
        collect_now(context)
        reader = LexicalReader(snapshot.lexical_path)
        hits = reader.search("name", [("cop", 1.0)], 10, live.__contains__)

    assert [hit.version_key in live for hit in hits] == [True]


@requirement("STORE-GC")
def test_bytes_that_only_a_commit_holds_are_read_from_git(repo: MakeRepo) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    index(context, "HEAD")
    made.write("-- a.py\ndef copper():\n    pass\n")
    index(context)
    made.write("-- a.py\ndef meadow():\n    pass\n")
    outcome = collect_now(context)

    assert (outcome.dropped_versions, outcome.rewrote_lexical) == (1, True)
    hits = ranked_hits(context, [Question("name", (w,)) for w in ("lantern", "meadow", "cop")])
    head = made.git("rev-parse", "HEAD").strip()
    assert {(ref, question.terms[0]) for ref, question in hits} == {
        (head, "lantern"),
        (f"worktree:{context.workspace.root}", "meadow"),
    }


@requirement("STORE-GC", "STORE-CRASH")
def test_folders_that_were_replaced_long_ago_are_removed_by_the_next_writer(
    repo: MakeRepo,
) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    index(context, options=SyncOptions(force=True))
    made.write("-- a.py\ndef copper():\n    pass\n")
    collect_now(context)
    store = layout_of(context).current()
    assert store is not None
    for folder in (*layout_of(context).outdated_stores(), *store.outdated_lexical(2)):
        os.utime(folder, (0, 0))
    made.write("-- b.py\ndef meadow():\n    pass\n")
    index(context)

    assert sorted(os.listdir(layout_of(context).folder)) == ["CURRENT", "s-2", "writer.lock"]
    assert [name for name in os.listdir(store.folder) if "lexical" in name] == ["lexical-2"]


@requirement("STORE-CRASH")
def test_drafts_of_the_dead_are_removed_by_the_next_writer(repo: MakeRepo) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    store = layout_of(context).current()
    assert store is not None
    current = os.path.join(layout_of(context).folder, "CURRENT.next")
    old, fresh = (f"{store.fingerprint_path(1)}.{number}" for number in (77, 78))
    for path in (current, old, fresh):
        with open(path, "wb") as file:
            file.write(b"s-")
    os.utime(old, (0, 0))
    made.write("-- b.py\ndef meadow():\n    pass\n")

    index(context)

    # Whoever takes witnesses holds no lock: a fresh one may be someone's at this moment.
    assert [os.path.exists(path) for path in (current, old, fresh)] == [False, False, True]


def test_there_is_nothing_to_collect_without_an_index(repo: MakeRepo) -> None:
    with pytest.raises(IndexNotReadyError):
        collect_now(context_of(repo(FILES)))


@requirement("STORE-GC")
def test_a_collection_succeeds_while_files_change(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(FILES)
    context = context_of(made)
    index(context)
    made.write("-- b.py\ndef brass():\n    pass\n")
    index(context)

    def read_after_an_edit(
        context: RepositoryContext, plan: ProcessingPlan, tasks: list[FileTask]
    ) -> Iterator[FileOutcome]:
        made.write("-- a.py\ndef edited():\n    pass\n")
        return process_in_pool(context, plan, tasks)

    with monkeypatch.context() as patch:
        patch.setattr(rewriting, "process_in_pool", read_after_an_edit)
        collect_now(context)
    stale = Repository(context).index_status()["metadata"]["freshness_status"]
    index(context)
    collect_now(context)
    fresh = context_of(made, os.path.join(os.path.dirname(made.root), "elsewhere"))
    index(fresh)

    assert stale == "stale"
    assert store_content(context) == store_content(fresh)
    assert Repository(context).health_check()["status"] == "ready"
