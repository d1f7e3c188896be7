"""What the seeds promise about errors, states and start-up, asked over the real transports."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, cast

import pytest

from cruxe.serve.mcp.protocol import ServerOptions
from tests.contract.parity_requests import parity_requests
from tests.requirements import requirement
from tests.support.indexing import context_of, index
from tests.support.programs import SOURCE_FOLDER
from tests.support.repositories import MakeRepo, Repo
from tests.support.stores import layout_of
from tests.support.wires import (
    HttpWire,
    Json,
    MemoryWire,
    StdioWire,
    initialize,
    payload_of,
    payload_text,
    request,
    result_of,
    stateless,
    tool_call,
)

LANTERN: Final = "-- a.py\ndef lantern():\n    return 1\n"
LOCATE: Final = tool_call("locate_symbol", {"name": "lantern"})
ANOTHER_VERSION: Final = "UPDATE meta SET value = value + 1 WHERE key = 'schema_version'"
NO_LEXICAL: Final = "DELETE FROM meta WHERE key = 'lexical'"
STATES: Final = {
    "freshness_status": {"fresh", "stale", "syncing"},
    "indexing_status": {"not_indexed", "indexing", "ready", "failed"},
    "result_completeness": {"complete", "partial", "truncated"},
    "schema_status": {"compatible", "not_indexed", "reindex_required", "corrupt_manifest"},
}
_PATIENCE_SECONDS: Final = 60
# Stops whoever imports the lexical index, until it is let go.
HOLD_UP: Final = """
import os, sys, time

def hold_up(event, arguments):
    if event == "import" and arguments[0] == "tantivy":
        open(os.environ["HELD"], "w").close()
        while not os.path.exists(os.environ["RELEASED"]):
            time.sleep(0.01)

sys.addaudithook(hold_up)
"""


@requirement("S000-ERROR-INPUT")
@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("search_code", {"query": "x", "ranking_explain_level": "loud"}, "invalid_input"),
        ("search_code", {}, "invalid_input"),
        ("locate_symbol", {"name": ""}, "invalid_input"),
        ("read_symbol", {"symbol": "x", "max_tokens": -1}, "invalid_max_tokens"),
        ("read_symbol", {"symbol": "no_such_symbol_here"}, "symbol_not_found"),
        ("get_file_outline", {"path": "no.py"}, "file_not_found"),
    ],
)
def test_the_same_wrong_input_has_the_same_code_on_both_transports(
    stdio: StdioWire, http: HttpWire, tool: str, arguments: Json, code: str
) -> None:
    call = tool_call(tool, arguments, "c")
    over_stdio, over_http = payload_of(stdio.ask(call)), payload_of(http.ask(call))

    # Each server has a watcher of its own, which may have begun or not.
    for payload in (over_stdio, over_http):
        cast("Json", payload["metadata"]).pop("freshness_basis", None)
    assert over_stdio == over_http
    assert cast("Json", over_stdio["error"])["code"] == code


@requirement("S000-ERROR-COMPATIBILITY")
@pytest.mark.parametrize(
    ("spoil", "code", "status"),
    [
        (ANOTHER_VERSION, "index_incompatible", "reindex_required"),
        (NO_LEXICAL, "index_incompatible", "corrupt_manifest"),
        (None, "project_not_found", "not_indexed"),
    ],
)
def test_an_index_that_cannot_be_used_has_the_same_code_and_remedy_on_both_transports(
    repo: MakeRepo, spoil: str | None, code: str, status: str
) -> None:
    made = repo(LANTERN)
    if spoil is not None:
        _index_and_spoil(made, spoil)
    with (
        StdioWire(made.root, CRUXE_INDEX_AUTO="false") as stdio,
        HttpWire(made.root, CRUXE_INDEX_AUTO="false") as http,
    ):
        for wire in (stdio, http):
            wire.ask(initialize())
        answers = [payload_of(wire.ask(LOCATE)) for wire in (stdio, http)]

    error, metadata = cast("Json", answers[0]["error"]), cast("Json", answers[0]["metadata"])
    assert answers[0] == answers[1]
    assert (error["code"], metadata["schema_status"]) == (code, status)
    assert "sync_repo" in str(cast("Json", error["data"])["remediation"])


@requirement("S001-CANONICAL-WRITE")
def test_only_canonical_states_are_ever_written(harbour: Repo) -> None:
    wire = MemoryWire(harbour.root, ServerOptions("full"))
    wire.ask(initialize())
    written: dict[str, set[object]] = {name: set() for name in STATES}
    for message in parity_requests():
        answer = wire.ask(message)
        if answer is None or b'"content":' not in answer:
            continue
        metadata = cast("Json", payload_of(answer)["metadata"])
        for name in STATES:
            written[name].add(metadata[name])
    wire.workspaces.close()

    assert {name: found - STATES[name] for name, found in written.items()} == {
        name: set() for name in STATES
    }
    assert len(written["result_completeness"]) > 1


@requirement("S001-BUDGET-FIRST")
def test_an_answer_within_its_token_budget_is_not_cut_by_the_hard_limit(repo: MakeRepo) -> None:
    body = "".join(f"    total += {number}  # step {number}\n" for number in range(200))
    made = repo(f"-- a.py\ndef lantern():\n    total = 0\n{body}    return total\n")
    index(context_of(made))
    call = tool_call("read_symbol", {"symbol": "lantern", "max_tokens": 4_000})
    answers: list[str] = []
    for limit in ("1600", "65536"):
        with StdioWire(made.root, CRUXE_SEARCH_MAX_RESPONSE_BYTES=limit) as wire:
            wire.ask(initialize())
            answers.append(payload_text(wire.ask(call)))

    assert answers[0] == answers[1]
    assert len(answers[0]) > 1_600


@requirement("FR-121")
def test_hands_are_shaken_and_tools_listed_while_prewarming_is_under_way(
    repo: MakeRepo, tmp_path: Path
) -> None:
    made = repo(LANTERN)
    index(context_of(made))
    (tmp_path / "sitecustomize.py").write_text(HOLD_UP, encoding="utf-8")
    held, released = tmp_path / "held", tmp_path / "released"
    paths = os.pathsep.join((str(tmp_path), SOURCE_FOLDER))
    with StdioWire(made.root, PYTHONPATH=paths, HELD=str(held), RELEASED=str(released)) as wire:
        wire.ask(initialize())
        wire.ask(request("tools/list"))
        _wait_for(held.exists)
        again = result_of(wire.ask(initialize()))
        listed = result_of(wire.ask(stateless("tools/list")))
        warming = payload_of(wire.ask(tool_call("health_check")))
        released.touch()
        _wait_for(lambda: _prewarm_status(wire) == "complete")
        located = payload_of(wire.ask(LOCATE))

    assert (again["protocolVersion"], len(cast("list[Json]", listed["tools"])) > 5) == (
        "2025-11-25",
        True,
    )
    assert (warming["status"], warming["prewarm_status"]) == ("warming", "warming")
    assert located["matches"] == {"exact": 1}


def _index_and_spoil(made: Repo, statement: str) -> None:
    context = context_of(made)
    index(context)
    store = layout_of(context).current()
    assert store is not None
    with closing(sqlite3.connect(store.database_path)) as connection, connection:
        connection.execute(statement)


def _prewarm_status(wire: StdioWire) -> object:
    return payload_of(wire.ask(tool_call("health_check")))["prewarm_status"]


def _wait_for(has_come: Callable[[], bool]) -> None:
    for _ in _ticks():
        if has_come():
            return
    pytest.fail("it did not come")


def _ticks() -> Iterator[None]:
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end:
        yield
        time.sleep(0.02)
