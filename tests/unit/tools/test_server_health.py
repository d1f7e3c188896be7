"""What a server says of itself: warming, indexing, broken, or ready."""

import os
import sqlite3
import threading
from collections.abc import Callable, Generator, Mapping

import pytest

import cruxe
from cruxe.embed.table import read_card, shipped_folder
from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.hosting.prewarm import Prewarm
from cruxe.hosting.workspaces import ServingOptions, Workspaces
from cruxe.ingest.sync_options import SyncOptions
from cruxe.model.errors import IndexIncompatibleError, Remedy
from cruxe.model.jobs import JobMode
from cruxe.store.local.layout import StoreLayout
from cruxe.store.local.lock import WriterLock
from cruxe.store.local.schema import REQUIRED_VERSION
from cruxe.store.local.snapshot import open_snapshot
from cruxe.store.open import open_store
from cruxe.tools.host_state import PrewarmState
from cruxe.workspace.context import open_context
from tests.requirements import requirement
from tests.support.indexing import context_of, index, read_database
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of
from tests.support.waiting import wait_for

FILES = "-- lamp.py\ndef lantern():\n    return 1\n"
Answer = Mapping[str, object]
Serve = Callable[..., HostedWorkspace]


@pytest.fixture
def serve() -> Generator[Serve]:
    """Serve repositories until the test ends; nothing watches them."""
    opened: list[HostedWorkspace] = []

    def start(made: Repo, *, has_prewarm: bool = True) -> HostedWorkspace:
        context = open_context(made.root)
        opened.append(HostedWorkspace(context, has_watcher=False, has_prewarm=has_prewarm))
        return opened[-1]

    yield start
    for served in opened:
        served.close()


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    """A repository that is indexed."""
    written = repo(FILES)
    index(context_of(written))
    return written


def store_of(made: Repo) -> StoreLayout:
    store = layout_of(context_of(made)).current()
    assert store is not None
    return store


def warmed(served: HostedWorkspace) -> HostedWorkspace:
    served.prewarm.start()
    wait_for(lambda: served.prewarm.state is not PrewarmState.WARMING, "the end of warming up")
    return served


def _discard(_: object) -> None:
    """Take a value that no one wants."""


def part_of(answer: Answer, name: str) -> Answer:
    part = answer[name]
    assert isinstance(part, dict)
    return part


@requirement("FR-110", "FR-122")
def test_a_sound_server_reports_every_part(made: Repo, serve: Serve) -> None:
    health = warmed(serve(made)).repository.health_check()
    row = context_of(made).workspace

    grammars = part_of(health, "grammars")
    assert "python" in str(grammars["available"])
    projects = health["projects"]
    assert isinstance(projects, list)
    assert health | {"grammars": None, "projects": None, "metadata": None} == {
        "status": "ready",
        "version": cruxe.__version__,
        "uptime_seconds": 0.0,
        "tantivy_ok": True,
        "sqlite_ok": True,
        "vectors_ok": True,
        "sqlite_check": "opened",
        "prewarm_status": "complete",
        "watcher": {"status": "off"},
        "grammars": None,
        "startup_checks": {
            "index": {
                "status": "compatible",
                "current_schema_version": REQUIRED_VERSION,
                "required_schema_version": REQUIRED_VERSION,
            }
        },
        "workspace_warmset": {"enabled": False, "capacity": 1, "members": [row.root]},
        "semantic": {
            "mode": "hybrid",
            "profile": "fast_local",
            "provider": "local",
            "rerank_provider": "none",
            "status": "ready",
            "model": "codevec-static-256",
            "model_version": read_card(shipped_folder()).version,
            "dimensions": 256,
            "vectors": "ready",
        },
        "projects": None,
        "metadata": None,
    }
    (project,) = projects
    assert project | {"last_indexed_at_ns": None} == {
        "project_id": row.repository_id,
        "repo_root": row.root,
        "status": "ready",
        "index_status": "ready",
        "schema_status": "compatible",
        "current_schema_version": REQUIRED_VERSION,
        "required_schema_version": REQUIRED_VERSION,
        "ref": "main",
        "last_indexed_at_ns": None,
        "file_count": 1,
    }


@requirement("FR-113")
def test_health_is_warming_while_prewarming_runs_and_ready_afterwards(
    made: Repo, serve: Serve
) -> None:
    served = serve(made)
    may_end = threading.Event()
    served.prewarm = Prewarm(lambda: _discard(may_end.wait(60)), is_wanted=True)

    assert served.repository.health_check()["prewarm_status"] == "pending"
    served.prewarm.start()
    during = served.repository.health_check()
    answered = served.repository.locate_symbol("lantern")
    may_end.set()
    wait_for(lambda: served.prewarm.state is PrewarmState.COMPLETE, "the end of warming up")
    after = served.repository.health_check()

    assert (during["status"], during["prewarm_status"]) == ("warming", "warming")
    assert answered["results"]
    assert (after["status"], after["prewarm_status"]) == ("ready", "complete")


@requirement("FR-111", "FR-112")
@pytest.mark.parametrize(("wanted", "expected"), [(True, "complete"), (False, "skipped")])
def test_a_workspace_is_warmed_up_unless_that_is_turned_off(
    made: Repo, *, wanted: bool, expected: str
) -> None:
    workspaces = Workspaces(ServingOptions(made.root, has_prewarm=wanted, has_watcher=False))
    try:
        served = workspaces.open()
        wait_for(lambda: served.prewarm.state == expected, expected)
        assert served.repository.health_check()["status"] == "ready"
    finally:
        workspaces.close()


@requirement("S002-PREWARM-FAILS")
def test_a_damaged_segment_shows_as_an_error_while_other_questions_are_answered(
    made: Repo, serve: Serve
) -> None:
    folder = store_of(made).lexical_path(1)
    for name in os.listdir(folder):
        if name.endswith(".term"):
            with open(os.path.join(folder, name), "r+b") as file:
                file.truncate(3)
    served = warmed(serve(made))

    health = served.repository.health_check()
    answered = served.repository.locate_symbol("lantern")

    assert (health["status"], health["prewarm_status"]) == ("error", "failed")
    assert "lexical index" in str(health["prewarm_error"])
    assert answered["results"]
    assert health["suggested_next_actions"] == [{"tool": "sync_repo"}]


@requirement("STORE-INTEGRITY")
def test_an_error_goes_away_once_what_is_damaged_is_repaired(made: Repo, serve: Serve) -> None:
    folder = store_of(made).lexical_path(1)
    for name in os.listdir(folder):
        if name.endswith(".term"):
            os.truncate(os.path.join(folder, name), 3)
    served = warmed(serve(made))
    before = served.repository.health_check()["status"]

    served.repository.sync_repo(wait_ms=60_000)
    wait_for(lambda: served.prewarm.state is PrewarmState.COMPLETE, "the end of warming up")
    after = served.repository.health_check()

    assert (before, after["status"]) == ("error", "ready")
    assert "prewarm_error" not in after


@requirement("FR-111")
def test_a_workspace_without_an_index_is_warmed_up_once_it_has_one(
    repo: MakeRepo, serve: Serve
) -> None:
    served = warmed(serve(repo(FILES)))
    before = served.repository.health_check()

    served.repository.sync_repo(wait_ms=60_000)
    wait_for(lambda: served.prewarm.state is PrewarmState.COMPLETE, "the end of warming up")

    assert (before["status"], before["prewarm_status"]) == ("ready", "pending")
    assert part_of(before, "startup_checks") == {
        "index": {
            "status": "not_indexed",
            "current_schema_version": None,
            "required_schema_version": REQUIRED_VERSION,
        }
    }


def _write_older_stamp(made: Repo) -> None:
    with read_database(context_of(made)) as connection:
        connection.execute("UPDATE meta SET value = 0 WHERE key = 'schema_version'")


def _overwrite_the_database(made: Repo) -> None:
    path = store_of(made).database_path
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with open(path, "r+b") as file:
        file.write(b"this is no database" * 100)


@requirement("FR-122", "FR-123")
@pytest.mark.parametrize(
    ("damage", "schema"),
    [
        (_write_older_stamp, "reindex_required"),
        (_overwrite_the_database, "corrupt_manifest"),
    ],
)
def test_a_store_that_cannot_be_used_is_told_by_health_status_and_every_question(
    made: Repo, serve: Serve, damage: Callable[[Repo], None], schema: str
) -> None:
    damage(made)
    served = serve(made, has_prewarm=False)

    health, status = served.repository.health_check(), served.repository.index_status()
    with pytest.raises(IndexIncompatibleError) as caught:
        served.repository.search_code("lantern")

    for answer in (health, status):
        checked = part_of(part_of(answer, "startup_checks"), "index")
        assert (checked["status"], checked["required_schema_version"]) == (schema, REQUIRED_VERSION)
        assert checked["message"]
        assert answer["suggested_next_actions"] == [{"tool": "sync_repo", "force": True}]
        metadata = part_of(answer, "metadata")
        assert (metadata["indexing_status"], metadata["schema_status"]) == ("failed", schema)
    assert health["status"] == "error"
    assert caught.value.data["schema_status"] == schema
    assert caught.value.remedies == Remedy(
        "call sync_repo with force true", "run `cruxe index --force`"
    )


@requirement("SERVE-JOBS")
def test_how_far_a_job_is_can_be_read_from_the_store_while_it_runs(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cruxe.store.local.writer._TELL_SECONDS", 0.0)
    context = context_of(repo("".join(f"-- m{n}.py\nx{n} = {n}\n" for n in range(5))))
    seen: list[int] = []

    def look(_done: int, _total: int) -> None:
        with open_snapshot(layout_of(context)) as snapshot:
            (job,) = snapshot.recent_jobs(1)
        seen.append(job.files_indexed)

    index(context, None, SyncOptions(progress=look))

    assert seen == [1, 2, 3, 4, 5]


@requirement("FR-110")
def test_a_job_of_another_process_shows_as_indexing_and_a_dead_one_as_interrupted(
    made: Repo, serve: Serve
) -> None:
    context = context_of(made)
    served = serve(made, has_prewarm=False)
    with WriterLock(layout_of(context), 0):
        writer = open_store(context.location).open_writer()
        writer.start_job("main", JobMode.INCREMENTAL, 10)
        writer.close()
        during, status = served.repository.health_check(), served.repository.index_status()
    after = served.repository.health_check()

    assert during["status"] == "indexing"
    for answer in (during, status):
        active = part_of(answer, "active_job")
        assert (active["status"], active["files_total"]) == ("running", 10)
        assert active["progress_token"] == f"index-job-{active['job_id']}"
        assert active["estimated_completion_pct"] == 0
    report = part_of(after, "interrupted_recovery_report")
    assert (after["status"], report["interrupted_jobs"]) == ("ready", 1)
