"""What happens while a call is under way: progress, cancellation, and refs that a session keeps."""

import json
import threading
from typing import cast

import pytest

from cruxe.model.deadlines import CallCancelledError, Deadline, cancellable, stop_if_cancelled
from cruxe.repository import open_repository
from cruxe.serve.mcp.calls import Call, Client, Progress
from cruxe.serve.mcp.messages import ProtocolError
from cruxe.serve.mcp.protocol import ServerOptions
from tests.requirements import requirement
from tests.support.polyglot import FEATURE_BRANCH
from tests.support.repositories import MakeRepo, Repo
from tests.support.wires import (
    Json,
    MemoryWire,
    StdioWire,
    decoded,
    initialize,
    payload_of,
    request,
    stateless,
    tool_call,
)


@requirement("MCP-PROGRESS")
def test_progress_is_told_under_the_clients_token_and_only_rises() -> None:
    told: list[Json] = []

    def work(progress: Progress) -> str:
        for done in (1, 2, 2, 1, 3):
            progress(done, 3)
        return "{}"

    response = Call(1, work, "token").run(lambda sent: told.append(json.loads(sent)))

    assert response == b'{"jsonrpc":"2.0","id":1,"result":{}}'
    assert [cast("Json", each["params"])["progress"] for each in told] == [1, 3]
    assert told[-1] == {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {
            "progressToken": "token",
            "progress": 3,
            "total": 3,
            "message": "3 of 3 files",
        },
    }


@requirement("MCP-PROGRESS")
def test_nobody_is_told_who_gave_no_token() -> None:
    told: list[bytes] = []

    def work(progress: Progress) -> str:
        progress(1, 1)
        return "{}"

    Call(1, work, None).run(told.append)

    assert told == []


@requirement("MCP-PROGRESS")
def test_indexing_tells_its_progress(repo: MakeRepo) -> None:
    files = "".join(f"-- m{number}.py\ndef f{number}(): pass\n" for number in range(40))
    made = repo(files)
    params: Json = {"name": "sync_repo", "arguments": {}, "_meta": {"progressToken": 7}}
    with StdioWire(made.root, "--no-prewarm") as wire:
        wire.ask(initialize())
        answer = payload_of(wire.ask(request("tools/call", params, "s")))

    told = [cast("Json", each["params"]) for each in wire.notified]
    assert answer["status"] == "published"
    assert {each["progressToken"] for each in told} <= {7}
    steps = [cast("int", each["progress"]) for each in told]
    assert steps == sorted(set(steps))


@requirement("MCP-CANCEL")
def test_a_cancelled_call_stops_working_and_is_not_answered() -> None:
    client = Client()
    under_way, cancelled = threading.Event(), threading.Event()
    steps: list[int] = []

    def work(progress: Progress) -> str:
        for step in range(1_000):
            steps.append(step)
            under_way.set()
            cancelled.wait(30)
            progress(step, 1_000)
        return "{}"

    call = client.begin(Call("long", work, None))
    answers: list[bytes | None] = []
    worker = threading.Thread(target=lambda: answers.append(call.run(lambda _: None)))
    worker.start()
    under_way.wait(30)
    client.cancel("long")
    cancelled.set()
    worker.join(30)

    assert (answers, steps) == ([None], [0])
    assert client.begin(Call("long", work, None)) is not call  # the id is free again


@requirement("MCP-CANCEL")
def test_a_call_that_is_cancelled_before_it_runs_never_runs() -> None:
    call = Call(1, lambda _: pytest.fail("it ran"), None)
    call.cancel()

    assert call.run(lambda _: None) is None


@requirement("MCP-CANCEL")
def test_deadlines_end_with_the_call_they_were_made_in() -> None:
    is_cancelled = False
    with cancellable(lambda: is_cancelled):
        deadline = Deadline(60_000)
        before = deadline.has_passed
        is_cancelled = True
        after = deadline.has_passed
        with pytest.raises(CallCancelledError):
            stop_if_cancelled()

    assert (before, after) == (False, True)
    assert not Deadline(60_000).has_passed


@requirement("MCP-CANCEL")
def test_cancelling_over_stdio_leaves_the_call_unanswered_and_the_server_up(
    repo: MakeRepo,
) -> None:
    made = repo("".join(f"-- m{number}.py\ndef f{number}(): pass\n" for number in range(400)))
    with StdioWire(made.root, "--no-prewarm") as wire:
        wire.ask(initialize())
        wire.write(
            tool_call("sync_repo", {"force": True}, "slow"),
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}',
            request("ping", request_id="after"),
        )
        first = decoded(wire.read_any())
        _, rest, _ = wire.end()

    assert first["id"] == "after"
    assert [line for line in rest.splitlines() if decoded(line).get("id") == "slow"] == []


@requirement("MCP-BROKEN")
def test_an_id_cannot_be_used_twice_at_once() -> None:
    client = Client()
    client.begin(Call(1, lambda _: "{}", None))

    with pytest.raises(ProtocolError):
        client.begin(Call(1, lambda _: "{}", None))


@requirement("MCP-REFS")
def test_a_session_keeps_the_ref_it_switched_to(harbour: Repo) -> None:
    wire = MemoryWire(harbour.root, ServerOptions("full"))
    wire.ask(initialize())

    switched = payload_of(wire.ask(tool_call("switch_ref", {"ref": FEATURE_BRANCH})))
    there = _matches(wire, "AuditTrail")
    named = _matches(wire, "AuditTrail", ref="main")
    back = payload_of(wire.ask(tool_call("switch_ref", {"ref": "main"})))
    here = _matches(wire, "AuditTrail")

    assert (there, named, here) == ({"exact": 1}, {}, {})
    assert (switched["ref"], switched["previous_ref"]) == (FEATURE_BRANCH, "main")
    assert (back["ref"], back["previous_ref"]) == ("main", FEATURE_BRANCH)
    assert switched["last_indexed_commit"] == harbour.git("rev-parse", FEATURE_BRANCH).strip()


@requirement("MCP-REFS")
def test_the_refs_that_have_an_index_are_listed_by_the_names_that_switch_to_them(
    harbour: Repo,
) -> None:
    wire = MemoryWire(harbour.root, ServerOptions("full"))
    wire.ask(initialize())
    listed = payload_of(wire.ask(tool_call("list_refs")))

    refs = cast("list[Json]", listed["refs"])
    assert [(ref["ref"], ref["is_default"], ref["status"]) for ref in refs] == [
        (FEATURE_BRANCH, False, "ready"),
        ("main", True, "ready"),
    ]
    assert listed.keys() == {"refs", "total_refs", "vcs_mode", "metadata"}
    for ref in refs:
        switched = payload_of(wire.ask(tool_call("switch_ref", {"ref": ref["ref"]})))
        assert switched["last_indexed_commit"] == ref["last_indexed_commit"]


@requirement("MCP-REFS")
def test_sessions_do_not_share_their_refs(harbour: Repo) -> None:
    first, second = (MemoryWire(harbour.root, ServerOptions("full")) for _ in range(2))
    for wire in (first, second):
        wire.ask(initialize())
    first.ask(tool_call("switch_ref", {"ref": FEATURE_BRANCH}))

    assert (_matches(first, "AuditTrail"), _matches(second, "AuditTrail")) == ({"exact": 1}, {})


@requirement("MCP-REFS")
def test_the_stateless_revision_keeps_nothing(harbour: Repo) -> None:
    wire = MemoryWire(harbour.root, ServerOptions("full"))
    switch: Json = {"name": "switch_ref", "arguments": {"ref": FEATURE_BRANCH}}
    locate: Json = {"name": "locate_symbol", "arguments": {"name": "AuditTrail"}}

    switched = payload_of(wire.ask(stateless("tools/call", switch)))

    assert switched["ref"] == FEATURE_BRANCH
    assert payload_of(wire.ask(stateless("tools/call", locate)))["matches"] == {}


@requirement("MCP-REFS")
def test_a_ref_without_an_index_cannot_be_switched_to(harbour: Repo) -> None:
    harbour.git("branch", "--force", "bare-branch", "HEAD")
    wire = MemoryWire(harbour.root, ServerOptions("full"))
    wire.ask(initialize())

    error = cast(
        "Json", payload_of(wire.ask(tool_call("switch_ref", {"ref": "bare-branch"})))["error"]
    )

    assert error["code"] == "ref_not_indexed"
    assert open_repository(harbour.root).list_refs()["total_refs"] == 2


def _matches(wire: MemoryWire, name: str, **arguments: str) -> object:
    return payload_of(wire.ask(tool_call("locate_symbol", {"name": name, **arguments})))["matches"]
