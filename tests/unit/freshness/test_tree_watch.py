"""Which events of a working tree a watch takes to concern the index."""

import os
from collections.abc import Callable
from contextlib import closing

import pytest

from cruxe.freshness import file_events, tree_watch
from cruxe.freshness.file_events import EventKind, FileEvent, WatchFailedError
from cruxe.freshness.tree_watch import TreeWatch
from cruxe.model.source import DiscoveryRules
from cruxe.workspace.context import find_workspace
from cruxe.workspace.folders import TreeFolders
from tests.requirements import requirement
from tests.support.repositories import MakeRepo, Repo

FILES = """
    -- .gitignore
    *.log
    /out/
    -- a.py
    x = 1
    -- deep/er/b.py
    y = 2
    -- empty/.keep
"""
WAIT_SECONDS = 60


@pytest.fixture(params=["inotify", "watchfiles"], autouse=True)
def _backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test with both sources of events."""
    if request.param == "watchfiles":
        monkeypatch.setattr(file_events, "has_inotify", lambda: False)
    elif not file_events.has_inotify():
        pytest.skip("needs Linux and the extension")


@pytest.fixture(params=[True, False], ids=["git", "no git"])
def made(repo: MakeRepo, request: pytest.FixtureRequest) -> Repo:
    """A repository or a plain folder with the same files, and an ignored folder."""
    written = repo(FILES, git=request.param)
    written.write("-- out/made.py\nz = 3\n-- noise.log\nnothing\n")
    return written


def concerns_index(made: Repo, edit: Callable[[], object]) -> bool:
    """Whether a watch takes an edit to concern the index; a later edit ends the wait."""
    with closing(TreeWatch(find_workspace(made.root), DiscoveryRules())) as tree:
        edit()
        made.write("-- deep/er/marker.py\nlast = 1\n")
        while True:
            assert tree.wait(WAIT_SECONDS), "there was no event"
            events = tree.drain()
            others = {event for event in events if not event.path.endswith("marker.py")}
            if others and tree.concern_index(others):
                return True
            if others != events:
                return False


EDITS: dict[str, Callable[[Repo], object]] = {
    "an edit": lambda made: made.write("-- a.py\nx = 2\n"),
    "a new file": lambda made: made.write("-- deep/new.py\nn = 1\n"),
    "a removed file": lambda made: made.remove("deep/er/b.py"),
    "a file in a new folder": lambda made: made.write("-- fresh/one/two/c.py\nc = 1\n"),
    "other rules": lambda made: made.write("-- .gitignore\n*.log\n"),
}


@requirement("SERVE-WATCH")
@pytest.mark.parametrize("name", EDITS)
def test_what_may_be_indexed_is_told(made: Repo, name: str) -> None:
    assert concerns_index(made, lambda: EDITS[name](made))


@requirement("SERVE-WATCH")
@pytest.mark.parametrize("text", ["-- noise.log\nmore\n", "-- out/made.py\nz = 4\n"])
def test_what_is_ignored_is_not_told(made: Repo, text: str) -> None:
    assert not concerns_index(made, lambda: made.write(text))


@requirement("SERVE-WATCH")
def test_a_file_that_comes_into_a_new_folder_later_is_told(made: Repo) -> None:
    with closing(TreeWatch(find_workspace(made.root), DiscoveryRules())) as tree:
        os.makedirs(made.path("fresh/er"))
        assert tree.wait(WAIT_SECONDS)
        assert tree.concern_index(tree.drain())

        made.write("-- fresh/er/late.py\nlate = 1\n")
        assert tree.wait(WAIT_SECONDS)
        events = tree.drain()

    assert [event for event in events if event.path.endswith("late.py")] != []


@requirement("SERVE-WATCH")
def test_lost_events_concern_the_index_and_the_tree_is_watched_anew(made: Repo) -> None:
    with closing(TreeWatch(find_workspace(made.root), DiscoveryRules())) as tree:
        assert tree.concern_index({FileEvent(EventKind.LOST, "", is_folder=False)})

        made.write("-- a.py\nx = 2\n")
        assert tree.wait(WAIT_SECONDS)
        assert tree.concern_index(tree.drain())


@requirement("SERVE-WATCH")
def test_what_git_tracks_in_a_linked_worktree_concerns_its_index(repo: MakeRepo) -> None:
    made = repo(FILES)
    linked = made.root + "-linked"
    made.git("worktree", "add", "--quiet", linked)
    with closing(TreeWatch(find_workspace(linked), DiscoveryRules())) as tree:
        made.git("-C", linked, "rm", "--quiet", "--cached", "a.py")
        assert tree.wait(WAIT_SECONDS)
        assert tree.concern_index(tree.drain())


@requirement("SERVE-WATCH")
def test_what_git_keeps_for_itself_is_no_event(repo: MakeRepo) -> None:
    made = repo(FILES)

    assert not concerns_index(made, lambda: made.write("-- .git/FETCH_HEAD\nnothing\n"))


@requirement("SERVE-WATCH")
@pytest.mark.parametrize(
    "arguments", [("checkout", "--quiet", "-b", "side"), ("commit", "--allow-empty", "-qm", "on")]
)
def test_what_git_has_checked_out_is_told(repo: MakeRepo, arguments: tuple[str, ...]) -> None:
    made = repo(FILES)

    assert concerns_index(made, lambda: made.git(*arguments))


@requirement("SERVE-WATCH")
def test_ignored_folders_are_not_watched_unless_they_hold_tracked_files(repo: MakeRepo) -> None:
    made = repo(FILES)
    made.write("-- out/kept/made.py\nz = 3\n-- out/lost/made.py\nz = 4\n-- a/b/c.txt\nc\n")
    made.git("add", "--force", "out/kept/made.py")

    folders = TreeFolders(find_workspace(made.root), DiscoveryRules())

    assert folders.paths == {"", "a", "a/b", "deep", "deep/er", "empty", "out", "out/kept"}
    assert folders.covers_tracked_files()

    made.git("add", "--force", "out/lost/made.py")

    assert not folders.covers_tracked_files()


@requirement("SERVE-WATCH")
def test_the_folders_of_a_submodule_are_watched_and_those_of_another_clone_are_not(
    repo: MakeRepo,
) -> None:
    library = repo("-- lib/one.py\nx = 1\n", name="library")
    made = repo("-- a.py\nx = 1\n")
    made.add_submodule(library, "vendored/library")
    made.git("clone", "--quiet", library.root, "beside")

    folders = TreeFolders(find_workspace(made.root), DiscoveryRules())

    assert folders.paths == {"", "vendored", "vendored/library", "vendored/library/lib"}


@requirement("SERVE-WATCH-FAILS")
def test_a_network_mount_is_refused_with_the_reason(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(FILES)
    monkeypatch.setattr(tree_watch, "file_system_of", lambda _: "nfs4")

    with pytest.raises(WatchFailedError, match="is on nfs4"):
        TreeWatch(find_workspace(made.root), DiscoveryRules())
