"""Cancelling a call that indexes: the work stops, what was published stays, and it can go on."""

import json
from typing import Final, cast

from cruxe.repository import open_repository
from cruxe.store.open import open_store
from tests.requirements import requirement
from tests.support.indexing import context_of, published
from tests.support.repositories import MakeRepo, Repo
from tests.support.waiting import wait_for
from tests.support.wires import (
    Json,
    StdioWire,
    decoded,
    initialize,
    payload_of,
    request,
    tool_call,
)

FILE_COUNT: Final = 1_200
# A busy machine may need long for the first file; after its deadline a call answers and is over.
PATIENT: Final = {"CRUXE_SERVER_CALL_DEADLINE_MS": "600000"}
TEXT: Final = "\n".join(f"def part_{number}():\n    return {number}" for number in range(60))


def many_files(prefix: str) -> str:
    """So many that they take seconds: a cancellation is there in the middle."""
    return "".join(
        f"-- {prefix}{number}.py\ndef {prefix}_{number}(): pass\n{TEXT}\n"
        for number in range(FILE_COUNT)
    )


def begin_and_cancel(wire: StdioWire, tool: str) -> None:
    """Ask for an index, wait until files are being read, and take the call back."""
    params: Json = {"name": tool, "arguments": {}, "_meta": {"progressToken": "far"}}
    wire.write(request("tools/call", params, "long"))
    told = decoded(wire.read_any())
    assert told["method"] == "notifications/progress", told
    cancelled = {"method": "notifications/cancelled", "params": {"requestId": "long"}}
    wire.write(json.dumps({"jsonrpc": "2.0", **cancelled}).encode())


def status_of(wire: StdioWire) -> Json:
    return payload_of(wire.ask(tool_call("index_status")))


def last_job(wire: StdioWire) -> Json:
    jobs = cast("list[Json]", status_of(wire).get("recent_jobs", []))
    return jobs[0] if jobs else {}


@requirement("JOB-CANCEL", "MCP-CANCEL")
def test_a_cancelled_index_stops_and_the_next_one_goes_on_from_there(repo: MakeRepo) -> None:
    made = repo(many_files("quay"))
    with StdioWire(made.root, "--no-prewarm", "--profile", "full", **PATIENT) as wire:
        wire.ask(initialize())
        begin_and_cancel(wire, "index_repo")
        wait_for(lambda: last_job(wire).get("status") == "interrupted", "the job to stop")
        stopped = status_of(wire)
        _, rest, _ = wire.end()
    again = published(open_repository(made.root).index_repo())

    assert "active_job" not in stopped
    report = cast("Json", stopped["interrupted_recovery_report"])
    assert report["interrupted_jobs"] == 1
    assert (again["status"], again["changed_files"]) == ("published", FILE_COUNT)
    assert 0 < again["indexed_files"] < FILE_COUNT
    assert b'"id":"long"' not in rest


@requirement("JOB-CANCEL")
def test_what_was_published_before_a_cancelled_sync_is_still_answered(repo: MakeRepo) -> None:
    made = repo("-- lamp.py\ndef lantern(): pass\n")
    generation = published(open_repository(made.root).sync_repo())["generation"]
    made.write(many_files("quay"))
    context = context_of(made)
    # Without the lock the server's watcher begins no other sync, which may be through soon.
    with (
        open_store(context.location).watcher_lock(context.workspace.root),
        StdioWire(made.root, "--no-prewarm", **PATIENT) as wire,
    ):
        wire.ask(initialize())
        begin_and_cancel(wire, "sync_repo")
        wait_for(lambda: last_job(wire).get("status") == "interrupted", "the job to stop")
        found = payload_of(
            wire.ask(
                tool_call("locate_symbol", {"name": "lantern", "freshness_policy": "best_effort"})
            )
        )

    assert [each["path"] for each in cast("list[Json]", found["results"])] == ["lamp.py"]
    assert cast("Json", found["metadata"])["freshness_status"] == "stale"
    assert is_intact(made, generation)


def is_intact(made: Repo, generation: int) -> bool:
    """Whether the store is sound, and of the generation that was published last."""
    repository = open_repository(made.root)
    status = repository.index_status()
    health = repository.health_check()
    return status["generation"] == generation and health["status"] == "ready"
