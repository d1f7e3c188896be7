"""Whatever happened to a repository, its index is the one that would be built now."""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, example, given, settings

from cruxe.ingest.sync_options import SyncOptions
from cruxe.ingest.sync_ref import sync
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext, commit_target, resolve_target
from tests.requirements import requirement
from tests.support.editing import (
    QUESTIONS,
    SETTINGS,
    Collect,
    Commit,
    Configure,
    Ignore,
    Remove,
    Step,
    Switch,
    Sync,
    SyncBranch,
    Write,
    histories,
    reopened,
    replay,
)
from tests.support.indexing import (
    Places,
    collect_now,
    context_of,
    index,
    places,
    ranked_hits,
    store_content,
)
from tests.support.repositories import Repo, write_repo
from tests.support.stores import layout_of

SLOW = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
LANTERN = "# copper\ndef find_lantern(meadow):\n    return meadow\n"


@requirement("INDEX-INCREMENTAL", "STORE-GC", "STORE-REFS")
@settings(SLOW, max_examples=10)
@given(history=histories(max_size=16))
@example(history=[Ignore("*.py\n"), Sync(), Ignore("")])
@example(
    history=[Sync(), Remove("a.py"), Sync(), Collect(), Write("b.py", LANTERN, is_settled=True)]
)
@example(history=[Sync(), Configure(SETTINGS[1]), Sync(), Configure(""), Collect()])
@example(history=[Write("b.py", LANTERN * 3, is_settled=True), Sync(), Configure(SETTINGS[2])])
@example(
    history=[
        Write("b.py", LANTERN, is_settled=True),
        Commit(),
        SyncBranch("main"),
        Switch("topic"),
        Write("b.py", f"{LANTERN}\n{LANTERN}", is_settled=True),
        Commit(),
        SyncBranch("topic"),
        Sync(),
        Switch("main"),
    ]
)
def test_any_history_gives_the_store_of_a_fresh_index(
    history: list[Step], tmp_path_factory: pytest.TempPathFactory
) -> None:
    _compare_with_a_fresh_index(history, tmp_path_factory)


@pytest.mark.long
@settings(SLOW, max_examples=400)
@given(history=histories(max_size=40))
def test_any_long_history_gives_the_store_of_a_fresh_index(
    history: list[Step], tmp_path_factory: pytest.TempPathFactory
) -> None:
    _compare_with_a_fresh_index(history, tmp_path_factory)


def _compare_with_a_fresh_index(history: list[Step], factory: pytest.TempPathFactory) -> None:
    # Tantivy watches its folders from a thread, which may put a lock file back while they go.
    with tempfile.TemporaryDirectory(
        dir=factory.getbasetemp(), ignore_cleanup_errors=True
    ) as folder:
        _compare_in(folder, history)


def _compare_in(folder: str, history: list[Step]) -> None:
    made = write_repo(os.path.join(folder, "repo"), "-- a.py\ndef start():\n    pass\n")
    context = context_of(made, os.path.join(folder, "store"))
    replay(history, made, context)
    context = reopened(made, context)
    index(context)
    hits_before = places(ranked_hits(context, QUESTIONS))
    maps_before = store_content(context).maps

    collect_now(context)
    fresh = _fresh_index(made, context, os.path.join(folder, "fresh"))

    content, hits = store_content(fresh), ranked_hits(fresh, QUESTIONS)
    assert store_content(context) == content
    assert ranked_hits(context, QUESTIONS) == hits
    # Branches that have moved are brought up to date by the collection; the working tree was.
    worktree = resolve_target(context.workspace, None).ref.name
    assert maps_before[worktree] == content.maps[worktree]
    assert _of_ref(hits_before, worktree) == _of_ref(places(hits), worktree)


def _fresh_index(made: Repo, context: RepositoryContext, data_dir: str) -> RepositoryContext:
    """Index every ref of a store into a new one."""
    fresh = context_of(made, data_dir)
    with open_snapshot(layout_of(context)) as snapshot:
        refs = snapshot.list_refs()
    for ref in refs:
        if ref.root is None:
            sync(fresh, commit_target(fresh.workspace, ref.name), SyncOptions())
        else:
            index(fresh)
    return fresh


def _of_ref(hits: Places, ref: str) -> Places:
    return {place: found for place, found in hits.items() if place[0] == ref}
