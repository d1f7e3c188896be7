"""An answer includes what was changed before the call, or says that it does not."""

import os
from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Final, cast

import pytest

import cruxe
from cruxe.model.errors import IndexStaleError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.indexing import context_of, index, settle
from tests.support.live_edits import FIRST_FILES, EditedRepo, Seen, edit_and_ask
from tests.support.repositories import LAMP_AND_PORT, MakeRepo, Repo
from tests.support.waiting import wait_for
from tests.support.wires import (
    HttpWire,
    Json,
    MemoryWire,
    StdioWire,
    Wire,
    initialize,
    payload_of,
    tool_call,
)

# A busy machine needs more than a fraction of a second for what takes 25 ms.
_PATIENT: Final = {"CRUXE_SEARCH_CATCH_UP_MS": "60000"}
_STEPS: Final = 36
# By default the whole lane of the requirement; fewer to try it.
_LONG_STEPS: Final = int(os.environ.get("READ_YOUR_WRITES_STEPS", "10000"))
_LONG_WAIT_MS: Final = os.environ.get("READ_YOUR_WRITES_MS", "150")
_LEAST_INCLUDED: Final = 0.99
_TRIES: Final = 10

Clients = Callable[[Repo, dict[str, str]], "tuple[Wire, Wire]"]


@pytest.fixture(params=["stdio", "http"])
def clients(request: pytest.FixtureRequest) -> Generator[Clients]:
    """Two clients of one store: of two servers over stdio, of one over HTTP."""
    with ExitStack() as stack:

        def start(made: Repo, variables: dict[str, str]) -> tuple[Wire, Wire]:
            first: StdioWire | HttpWire
            second: StdioWire | HttpWire
            if request.param == "stdio":
                first = stack.enter_context(StdioWire(made.root, **variables))
                second = stack.enter_context(StdioWire(made.root, **variables))
            else:
                first = stack.enter_context(HttpWire(made.root, **variables))
                second = stack.enter_context(first.beside())
            for wire in (first, second):
                wire.ask(initialize())
            return first, second

        yield start


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    """A repository that is indexed."""
    written = repo(LAMP_AND_PORT)
    settle(written, "lamp.py", "port.py")
    index(context_of(written))
    return written


@pytest.fixture
def opened(made: Repo, monkeypatch: pytest.MonkeyPatch) -> Generator[Repository]:
    """The Python API, with the patience of a busy machine."""
    for name, value in _PATIENT.items():
        monkeypatch.setenv(name, value)
    repository = cruxe.open(made.root)
    yield repository
    repository.close()


@requirement("READ-YOUR-WRITES")
def test_a_call_right_after_an_edit_includes_it_over_every_transport(
    repo: MakeRepo, clients: Clients
) -> None:
    seen = _run(repo, clients, _STEPS, _PATIENT)

    assert (seen.wrong_and_fresh, seen.wrong_kept) == ([], 0), seen.told()
    assert seen.share == 1.0, seen.told()


@pytest.mark.long
@requirement("READ-YOUR-WRITES")
def test_of_ten_thousand_calls_none_is_fresh_and_wrong(repo: MakeRepo, clients: Clients) -> None:
    seen = _run(repo, clients, _LONG_STEPS, {"CRUXE_SEARCH_CATCH_UP_MS": _LONG_WAIT_MS})

    print(seen.told())  # noqa: T201 - the figures of a run that takes long
    assert (seen.wrong_and_fresh, seen.wrong_kept) == ([], 0), seen.told()
    assert seen.share >= _LEAST_INCLUDED, seen.told()


def _run(repo: MakeRepo, clients: Clients, steps: int, variables: dict[str, str]) -> Seen:
    made = repo(FIRST_FILES)
    index(context_of(made))
    first, second = clients(made, variables)
    for wire in (first, second):
        wire.ask(tool_call("locate_symbol", {"name": "first_1"}))
    return edit_and_ask(EditedRepo(made, steps), first, second, steps)


@requirement("READ-YOUR-WRITES", "SERVE-PYTHON")
def test_the_python_api_includes_an_edit_a_new_file_and_a_deletion(
    made: Repo, opened: Repository
) -> None:
    made.write("-- port.py\ndef lighthouse():\n    return 3\n-- quay.py\ndef quay(): pass\n")
    made.remove("lamp.py")

    found = [_paths(opened.locate_symbol(name)) for name in ("lighthouse", "quay", "lantern")]
    answer = opened.search_code("lighthouse")

    assert found == [["port.py"], ["quay.py"], []]
    assert _freshness(answer) == "fresh"
    assert opened.index_status()["generation"] == 2


@requirement("READ-YOUR-WRITES")
def test_a_checkout_of_another_branch_is_included(made: Repo, opened: Repository) -> None:
    made.git("checkout", "--quiet", "-b", "side")
    made.write("-- port.py\ndef sidewalk():\n    return 4\n")
    made.commit()
    made.checkout("main")
    opened.locate_symbol("lantern")

    made.checkout("side")
    answer = opened.locate_symbol("sidewalk")

    assert (_paths(answer), _freshness(answer)) == (["port.py"], "fresh")
    assert _metadata(answer)["ref"] == "side"
    (row,) = opened.list_refs()["refs"]
    assert (row["ref"], row["last_indexed_commit"]) == ("side", made.git("rev-parse", "side")[:-1])


@requirement("READ-YOUR-WRITES-BOUND")
def test_beyond_the_bound_an_answer_is_stale_and_names_what_it_lacks(
    made: Repo, opened: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEARCH_CATCH_UP_FILES", "4")
    bounded = cruxe.open(made.root)
    made.write("".join(f"-- new{number}.py\ndef new_{number}(): pass\n" for number in range(12)))

    answer = bounded.locate_symbol("new_1")
    with pytest.raises(IndexStaleError):
        bounded.locate_symbol("new_1", freshness_policy="strict")

    named = sorted(f"new{number}.py" for number in range(12))[:10]
    assert (_paths(answer), _freshness(answer)) == ([], "stale")
    assert _metadata(answer)["pending_changes"] == {"files": 12, "paths": named}
    assert _paths(opened.locate_symbol("new_1", freshness_policy="strict")) == ["new1.py"]


@requirement("READ-YOUR-WRITES-BOUND", "FR-119")
def test_best_effort_neither_waits_nor_syncs(made: Repo, opened: Repository) -> None:
    made.write("-- port.py\ndef lighthouse():\n    return 3\n")

    answer = opened.locate_symbol("lighthouse", freshness_policy="best_effort")

    assert (_paths(answer), _freshness(answer)) == ([], "stale")
    assert opened.index_status()["generation"] == 1


@requirement("READ-YOUR-WRITES", "SEARCH-EMPTY")
def test_what_was_just_written_is_never_called_absent(made: Repo) -> None:
    with StdioWire(made.root) as wire:
        wire.ask(initialize())
        wire.ask(tool_call("locate_symbol", {"name": "lantern"}))
        answers: list[Json] = []
        for number in range(_TRIES):
            made.write(f"-- port.py\ndef harbour():\n    return 'sighted{number}'\n")
            query = {"query": f'"sighted{number}"'}
            answers.append(payload_of(wire.ask(tool_call("search_code", query))))

    assert [answer.get("empty_reason") for answer in answers].count("confirmed_absent") == 0
    wrong = [each for each in answers if not each["results"] and _freshness(each) == "fresh"]
    assert wrong == []


@requirement("STALE-BRANCH", "FR-117", "FR-118", "MCP-REFS")
def test_a_branch_whose_tip_moved_is_stale_and_is_brought_up_to_date(made: Repo) -> None:
    made.branch("topic")
    opened = open_repository(made.root)
    opened.sync_repo(ref="topic")
    indexed = made.git("rev-parse", "topic").strip()
    elsewhere = made.worktree("topic")
    elsewhere.write("-- port.py\ndef lighthouse():\n    return 3\n")
    elsewhere.commit()

    before = opened.locate_symbol("harbour", ref="topic")
    with pytest.raises(IndexStaleError) as refused:
        opened.locate_symbol("harbour", ref="topic", freshness_policy="strict")
    listed = {ref["ref"]: ref["status"] for ref in opened.list_refs()["refs"]}
    served = cruxe.open(made.root, background=True)
    try:
        served.locate_symbol("harbour", ref="topic")
        wait_for(lambda: _paths(served.locate_symbol("lighthouse", ref="topic")), "the new tip")
    finally:
        served.close()

    assert (_paths(before), _freshness(before)) == (["port.py"], "stale")
    assert refused.value.data["last_indexed_commit"] == indexed
    assert listed == {"main": "ready", "topic": "stale"}
    assert {ref["status"] for ref in opened.list_refs()["refs"]} == {"ready"}


@requirement("MCP-REFS")
def test_a_branch_that_is_indexed_as_tree_and_as_commit_is_listed_once(made: Repo) -> None:
    made.branch("side")
    opened = open_repository(made.root)
    opened.sync_repo(ref="side")
    beside = open_repository(made.worktree("side").root)
    beside.sync_repo()
    made.checkout("--detach")
    opened.sync_repo(ref="main")
    made.checkout("main")

    here = [(ref["ref"], ref["is_default"]) for ref in opened.list_refs()["refs"]]
    there = [(ref["ref"], ref["is_default"]) for ref in beside.list_refs()["refs"]]

    assert here == [("main", True), ("side", False)]
    assert there == [("main", False), ("side", True)]


@requirement("MCP-REFS", "READ-YOUR-WRITES")
def test_after_another_branch_and_back_refs_are_listed_as_an_answer_would_have_them(
    made: Repo, opened: Repository
) -> None:
    made.git("checkout", "--quiet", "-b", "side")
    made.write("-- port.py\ndef sidewalk():\n    return 4\n")
    made.commit()
    opened.locate_symbol("sidewalk")
    made.checkout("main")

    listed = opened.list_refs()

    assert [(ref["ref"], ref["status"]) for ref in listed["refs"]] == [("main", "ready")]
    assert listed["metadata"]["freshness_status"] == "fresh"
    assert _paths(opened.locate_symbol("harbour")) == ["port.py"]


@requirement("FR-110")
def test_the_health_of_a_fresh_index_is_fresh_before_anything_is_asked(made: Repo) -> None:
    with StdioWire(made.root, "--no-prewarm") as wire:
        wire.ask(initialize())
        fresh = payload_of(wire.ask(tool_call("health_check")))
        made.write("-- port.py\ndef lighthouse():\n    return 3\n")
        stale = payload_of(wire.ask(tool_call("health_check")))

    assert (_freshness(fresh), _freshness(stale)) == ("fresh", "stale")


@requirement("SERVE-AUTO-INDEX")
def test_a_server_begins_to_index_after_initialize_without_a_question(repo: MakeRepo) -> None:
    made = repo(LAMP_AND_PORT)
    with StdioWire(made.root) as wire:
        wire.ask(initialize())

        def status() -> object:
            return open_repository(made.root).index_status()["index_status"]

        wait_for(lambda: status() == "ready", "the first index")


@requirement("SERVE-AUTO-INDEX")
@pytest.mark.parametrize(
    ("variables", "options"), [({}, ["--no-prewarm"]), ({"CRUXE_INDEX_AUTO": "false"}, [])]
)
def test_a_server_that_is_told_not_to_begins_nothing(
    repo: MakeRepo, variables: dict[str, str], options: list[str]
) -> None:
    made = repo(LAMP_AND_PORT)
    with StdioWire(made.root, *options, **variables) as wire:
        wire.ask(initialize())
        wire.ask(tool_call("health_check"))  # opens the workspace, and asks nothing of its index

    assert open_repository(made.root).index_status()["index_status"] == "not_indexed"


def test_the_memory_wire_includes_an_edit_without_a_watcher(
    made: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(*next(iter(_PATIENT.items())))
    wire = MemoryWire(made.root)
    wire.ask(initialize())
    made.write("-- port.py\ndef lighthouse():\n    return 3\n")

    answer = payload_of(wire.ask(tool_call("locate_symbol", {"name": "lighthouse"})))
    wire.workspaces.close()

    assert (_paths(answer), _freshness(answer)) == (["port.py"], "fresh")


def _metadata(answer: object) -> Json:
    return cast("Json", cast("Json", answer)["metadata"])


def _freshness(answer: object) -> object:
    return _metadata(answer)["freshness_status"]


def _paths(answer: object) -> list[str]:
    results = cast("list[Json]", cast("Json", answer)["results"])
    return [str(each["path"]) for each in results]
