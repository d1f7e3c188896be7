"""Which changes of a working tree a watch tells of."""

import os
import threading
from collections.abc import Callable, Generator
from contextlib import closing

import pytest

from cruxe.freshness import file_events as watch
from cruxe.freshness.file_events import TreeWatch, WatchFailedError
from cruxe.model.source import DiscoveryRules
from cruxe.workspace.find import find_workspace
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
Tells = Callable[[Repo], bool]


@pytest.fixture(params=[True, False], ids=["git", "no git"])
def made(repo: MakeRepo, request: pytest.FixtureRequest) -> Repo:
    """A repository or a plain folder with the same files, and an ignored folder."""
    written = repo(FILES, git=request.param)
    written.write("-- out/made.py\nz = 3\n-- noise.log\nnothing\n")
    return written


def edits_matter(made: Repo, edit: Callable[[], object]) -> bool:
    """Whether a watch tells of an edit, by looking until it tells of a later one at least."""
    stop = threading.Event()
    threading.Timer(60, stop.set).start()
    with closing(TreeWatch(find_workspace(made.root), DiscoveryRules())) as tree:
        edit()
        made.write("-- deep/er/marker.py\nlast = 1\n")
        while True:
            changes = tree.wait(stop, 60)
            assert changes, "nothing was told"
            seen = {os.path.basename(path) for _, path in changes}
            others = {change for change in changes if not change[1].endswith("marker.py")}
            if others and tree.matter(others):
                return True
            if "marker.py" in seen:
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
    assert edits_matter(made, lambda: EDITS[name](made))


@requirement("SERVE-WATCH")
@pytest.mark.parametrize("text", ["-- noise.log\nmore\n", "-- out/made.py\nz = 4\n"])
def test_what_is_ignored_is_not_told(made: Repo, text: str) -> None:
    assert not edits_matter(made, lambda: made.write(text))


@requirement("SERVE-WATCH")
def test_a_file_that_comes_into_a_new_folder_later_is_told(made: Repo) -> None:
    stop = threading.Event()
    threading.Timer(60, stop.set).start()
    with closing(TreeWatch(find_workspace(made.root), DiscoveryRules())) as tree:
        os.makedirs(made.path("fresh/er"))
        assert tree.matter(tree.wait(stop, 60))

        made.write("-- fresh/er/late.py\nlate = 1\n")
        changes = tree.wait(stop, 60)

    assert [path for _, path in changes if path.endswith("late.py")] != []


@requirement("SERVE-WATCH")
@pytest.mark.parametrize(
    "arguments", [("checkout", "--quiet", "-b", "side"), ("commit", "--allow-empty", "-qm", "on")]
)
def test_what_git_has_checked_out_is_told(repo: MakeRepo, arguments: tuple[str, ...]) -> None:
    made = repo(FILES)

    assert edits_matter(made, lambda: made.git(*arguments))


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
    monkeypatch.setattr(watch, "file_system_of", lambda _: "nfs4")

    with pytest.raises(WatchFailedError, match="is on nfs4"):
        TreeWatch(find_workspace(made.root), DiscoveryRules())


@pytest.fixture(autouse=True)
def _no_leftover_timers() -> Generator[None]:
    yield
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
