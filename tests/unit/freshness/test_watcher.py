"""A watcher in a server: the index follows the tree, and answers say on what they rest."""

import os
import threading
from collections.abc import Generator, Mapping

import pytest

from cruxe.freshness import file_events, tree_watch
from cruxe.freshness.check import FullCheck
from cruxe.freshness.watcher import WatchState
from cruxe.hosting.hosted_workspace import HostedRepository, HostedWorkspace
from cruxe.ingest.catch_up import CaughtUp
from cruxe.model.errors import IndexStaleError
from cruxe.store.local.lock import WatcherLock
from cruxe.store.local.snapshot import Snapshot, open_snapshot
from cruxe.workspace.context import open_context
from tests.requirements import requirement
from tests.support.indexing import context_of, index, settle
from tests.support.native import needs_folder_events
from tests.support.repositories import LAMP_AND_PORT, MakeRepo, Repo
from tests.support.stores import layout_of
from tests.support.waiting import wait_for

Answer = Mapping[str, object]


@pytest.fixture
def made(repo: MakeRepo) -> Repo:
    """A repository that is indexed."""
    written = repo(LAMP_AND_PORT)
    settle(written, "lamp.py", "port.py")
    index(context_of(written))
    return written


@pytest.fixture
def served(made: Repo) -> Generator[HostedWorkspace]:
    """The repository, served."""
    opened = HostedWorkspace(open_context(made.root))
    yield opened
    opened.close()


def names_of(answer: Answer) -> list[str]:
    results = answer["results"]
    assert isinstance(results, list)
    return [result["name"] for result in results]


def freshness_of(answer: Answer) -> tuple[object, object]:
    metadata = answer["metadata"]
    assert isinstance(metadata, dict)
    return metadata["freshness_status"], metadata["freshness_basis"]


def ask(repository: HostedRepository, name: str = "lantern") -> Answer:
    return repository.locate_symbol(name, freshness_policy="best_effort")


def wait_until_vouched(served: HostedWorkspace) -> None:
    """Wait for a fresh answer; it rests on the watcher if its events can be drained."""
    basis = "watcher" if file_events.has_inotify() else "stat"

    def is_vouched() -> bool:
        return freshness_of(ask(served.repository)) == ("fresh", basis)

    wait_for(is_vouched, "a watcher that vouches")


@requirement("SERVE-WATCH", "SERVE-BASIS")
def test_a_saved_file_is_found_without_any_sync_being_asked_for(
    made: Repo, served: HostedWorkspace
) -> None:
    assert freshness_of(ask(served.repository)) == ("fresh", "stat")
    wait_until_vouched(served)

    made.write("-- port.py\ndef lighthouse():\n    return 3\n")

    wait_for(lambda: names_of(ask(served.repository, "lighthouse")), "the edit")
    wait_until_vouched(served)


@requirement("SERVE-WATCH")
def test_a_branch_switch_is_followed(made: Repo, served: HostedWorkspace) -> None:
    made.git("checkout", "--quiet", "-b", "side")
    made.write("-- port.py\ndef sidewalk():\n    return 4\n")
    made.commit("side")
    made.checkout("main")
    ask(served.repository)
    wait_until_vouched(served)

    made.checkout("side")
    wait_for(lambda: names_of(ask(served.repository, "sidewalk")), "the branch")
    wait_until_vouched(served)

    metadata = ask(served.repository)["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["ref"] == "side"
    assert names_of(ask(served.repository, "harbour")) == []


@needs_folder_events
@requirement("SERVE-WATCH")
def test_nothing_is_vouched_for_between_a_change_and_its_indexing(
    made: Repo, served: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(served.repository)
    wait_until_vouched(served)
    held_up = threading.Event()
    served.watching._request_sync = held_up.set

    made.write("-- port.py\ndef lighthouse():\n    return 3\n")

    assert held_up.wait(60)
    assert freshness_of(ask(served.repository)) == ("stale", "watcher")
    monkeypatch.setattr(served.catch_up, "wait", CaughtUp)  # as if there were no time
    with pytest.raises(IndexStaleError):
        served.repository.locate_symbol("lantern", freshness_policy="strict")


@needs_folder_events
@requirement("SERVE-WATCH")
def test_a_call_drains_the_events_so_that_a_write_before_it_is_never_called_fresh(
    made: Repo, served: HostedWorkspace
) -> None:
    wait_until_vouched(served)

    for number in range(5):
        made.write(f"-- port.py\ndef lighthouse():\n    return {number}\n")

        assert freshness_of(ask(served.repository)) == ("stale", "watcher")
        wait_until_vouched(served)


@needs_folder_events
@requirement("SERVE-WATCH", "READ-YOUR-WRITES")
def test_what_another_process_publishes_is_compared_by_the_touched_paths(
    made: Repo, served: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_until_vouched(served)
    monkeypatch.setattr(served.watching, "_request_sync", lambda: None)
    for number in range(2):  # the state before the first one was published at an unknown time
        made.write(f"-- port.py\ndef lighthouse():\n    return {number}\n")
        index(context_of(made))
        if not number:
            wait_until_vouched(served)

    with open_snapshot(layout_of(served.context)) as snapshot:
        doubt = served.watching.doubt(snapshot.list_refs()[0])
    assert doubt is not None
    assert doubt.paths == frozenset({"port.py"})
    assert freshness_of(ask(served.repository)) == ("fresh", "stat")
    assert freshness_of(ask(served.repository)) == ("fresh", "watcher")


@needs_folder_events
@requirement("READ-YOUR-WRITES-BOUND")
def test_a_call_waits_for_a_look_at_the_whole_tree_no_longer_than_its_bound(
    made: Repo, served: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_until_vouched(served)
    monkeypatch.setattr(served.watching, "_request_sync", lambda: None)
    made.write("-- .git/info/exclude\nnothing\n-- port.py\ndef lighthouse(): pass\n")
    index(context_of(made))
    may_look, is_fresh = threading.Event(), FullCheck.is_fresh

    def look(check: FullCheck, snapshot: Snapshot) -> bool:
        assert may_look.wait(60)
        return is_fresh(check, snapshot)

    with monkeypatch.context() as slow:
        slow.setattr(FullCheck, "is_fresh", look)
        answer = served.repository.locate_symbol("lighthouse")
        may_look.set()

    assert freshness_of(answer) == ("stale", "stat")
    wait_until_vouched(served)


@requirement("SERVE-WATCH", "SERVE-BASIS")
def test_without_a_queue_to_drain_a_tree_is_followed_but_fresh_needs_a_look_at_the_files(
    made: Repo, served: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_events, "has_inotify", lambda: False)
    ask(served.repository)
    wait_for(lambda: served.watching.state is WatchState.WATCHING, "the watcher")

    assert freshness_of(ask(served.repository)) == ("fresh", "stat")
    made.write("-- port.py\ndef lighthouse():\n    return 3\n")
    assert freshness_of(ask(served.repository))[0] == "stale"
    wait_for(lambda: names_of(ask(served.repository, "lighthouse")), "the edit")
    assert served.watching.doubt(None) is None


@needs_folder_events
@requirement("SERVE-WATCH", "FR-117")
def test_an_event_that_git_is_still_asked_about_counts_as_a_change_but_strict_compares(
    made: Repo, served: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_until_vouched(served)
    asked, answered = threading.Event(), threading.Event()

    def concern_index(*_: object) -> bool:
        asked.set()
        answered.wait()
        return False

    monkeypatch.setattr(tree_watch.TreeWatch, "concern_index", concern_index)
    made.write("-- lamp.log\non\n")
    os.remove(os.path.join(made.root, "lamp.log"))
    assert asked.wait(10)
    meanwhile = ask(served.repository)
    strict = served.repository.locate_symbol("lantern", freshness_policy="strict")
    answered.set()

    assert freshness_of(meanwhile) == ("stale", "watcher")
    assert freshness_of(strict) == ("fresh", "watcher")
    wait_until_vouched(served)


@requirement("SERVE-BASIS")
def test_a_committed_ref_rests_on_its_commit(made: Repo, served: HostedWorkspace) -> None:
    made.branch("other")
    index(context_of(made), "other")

    answer = served.repository.locate_symbol("lantern", ref="other")

    assert freshness_of(answer) == ("fresh", "head")


@requirement("SERVE-ONE-WATCHER")
def test_while_another_process_follows_the_tree_this_one_drains_its_own_events(
    made: Repo, served: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cruxe.freshness.watcher._TAKE_OVER_SECONDS", 0.1)
    with WatcherLock(layout_of(served.context), os.path.realpath(made.root)):
        ask(served.repository)
        wait_for(lambda: served.watching.state is WatchState.ELSEWHERE, "the other watcher")
        wait_until_vouched(served)
        made.write("-- port.py\ndef lighthouse():\n    return 3\n")
        assert freshness_of(ask(served.repository))[0] == "stale"
        wait_for(lambda: not served.watching._pending, "the decision")
        assert served.background.last is None

    wait_for(lambda: served.watching.state is WatchState.WATCHING, "the take-over")
    wait_for(lambda: names_of(ask(served.repository, "lighthouse")), "the edit")


@requirement("SERVE-WATCH-FAILS")
def test_where_watching_fails_it_is_told_and_stamps_are_compared(
    made: Repo, served: HostedWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_watch, "file_system_of", lambda _: "nfs")
    ask(served.repository)

    wait_for(lambda: served.watching.state is WatchState.FAILED, "the failure")
    made.write("-- port.py\ndef lighthouse():\n    return 3\n")
    first = ask(served.repository)
    served.repository.locate_symbol("lantern", freshness_policy="balanced")

    assert served.watching.problem is not None
    assert "is on nfs" in served.watching.problem
    assert freshness_of(first) == ("stale", "stat")
    wait_for(lambda: names_of(ask(served.repository, "lighthouse")), "the edit")
