"""What a process looks at that comes back to a tree: what was touched, or everything in doubt."""

import mmap
import os
import threading
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from cruxe.freshness import change_journal
from cruxe.freshness.change_journal import ChangeJournal
from cruxe.model.source import SYMLINK_SIZE
from cruxe.workspace import read as stamps
from cruxe.workspace.read import stamps_of
from tests.requirements import requirement
from tests.support.fingerprints import watch
from tests.support.journals import known_stamps
from tests.support.native import in_c, needs_folder_events, without_kernels
from tests.support.repositories import MakeRepo, Repo

if TYPE_CHECKING:
    from cruxe.freshness.listing_fingerprint import ListingFingerprint
    from cruxe.native import StampLook

TREE = "-- a.py\na = 1\n-- lib/b.py\nb = 2\n-- lib/deep/c.py\nc = 3\n-- .gitignore\n*.log\n"

IN_MODIFY = 0x2

pytestmark = needs_folder_events


class Followed:
    """A tree, what is known of it, and a journal."""

    def __init__(self, repo: Repo) -> None:
        """Stamp all files."""
        self.repo = repo
        self.journal = ChangeJournal(repo.root)
        self.fingerprint: ListingFingerprint
        self.listing = b""
        self.numbers = array("q")
        self.learn()

    def learn(self) -> None:
        """Know the tree as it is."""
        watched = watch(self.repo)
        self.listing, self.fingerprint = watched.listing, watched.fingerprint
        self.numbers = known_stamps(watched)

    @property
    def paths(self) -> list[str]:
        return self.listing.decode().split("\0")[:-1]

    def look(self) -> tuple[list[str], list[str]]:
        """The files and the folders that have other stamps."""
        files, folders = self.journal.begin(self.listing, self.numbers, self.fingerprint)
        inside = [os.fsdecode(path) for path in self.fingerprint.inside]
        return (
            [self.paths[place] for place in files.places()],
            [inside[place] for place in folders.places()],
        )


@pytest.fixture
def followed(repo: MakeRepo) -> Followed:
    made = Followed(repo(TREE))
    made.look()  # once does not tell that somebody comes back
    made.look()
    return made


@pytest.fixture
def looks(followed: Followed, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many paths were looked at, each time some are."""
    del followed
    seen: list[int] = []

    def counted(root: str, listing: bytes, numbers: "array[int]") -> "StampLook":
        seen.append(listing.count(b"\0"))
        return begin(root, listing, numbers)

    begin = cast("Callable[[str, bytes, array[int]], StampLook]", stamps.begin_look)
    monkeypatch.setattr(change_journal, "begin_look", counted)
    return seen


def append(repo: Repo, path: str) -> None:
    with open(repo.path(path), "a", encoding="utf-8") as file:
        file.write("# more\n")


def put_in_place(repo: Repo, path: str) -> None:
    """Write a file aside and put it in the place of another."""
    with open(repo.path(f"{path}.tmp"), "w", encoding="utf-8") as file:
        file.write("whole = 'new'\n")
    os.replace(repo.path(f"{path}.tmp"), repo.path(path))


def link_in_place(repo: Repo, path: str) -> None:
    os.remove(repo.path(path))
    os.symlink("nowhere", repo.path(path))


@requirement("FRESH-TRAIL")
def test_what_was_touched_is_looked_at_alone(followed: Followed, looks: list[int]) -> None:
    append(followed.repo, "lib/b.py")

    assert followed.look() == (["lib/b.py"], [])
    assert looks == [1, 0]


@requirement("FRESH-TRAIL")
def test_what_differed_before_is_looked_at_until_it_is_known(
    followed: Followed, looks: list[int]
) -> None:
    append(followed.repo, "lib/b.py")
    followed.look()
    append(followed.repo, "a.py")

    assert followed.look() == (["a.py", "lib/b.py"], [])

    place = followed.paths.index("lib/b.py") * 4
    known = stamps_of(os.lstat(followed.repo.path("lib/b.py")))
    followed.numbers[place : place + 4] = array("q", known)
    append(followed.repo, "a.py")

    assert followed.look() == (["a.py"], [])
    assert max(looks) == 2


@requirement("FRESH-TRAIL")
def test_stamps_that_others_published_are_compared(followed: Followed, looks: list[int]) -> None:
    followed.numbers = array("q", followed.numbers)
    followed.numbers[4 * followed.paths.index("lib/deep/c.py")] += 1
    append(followed.repo, "a.py")

    assert followed.look() == (["a.py", "lib/deep/c.py"], [])
    assert max(looks) == 2


@requirement("FRESH-TRAIL")
def test_where_no_change_is_told_of_everything_is_looked_at(
    followed: Followed, looks: list[int]
) -> None:
    with open(followed.repo.path("a.py"), "r+b") as file, mmap.mmap(file.fileno(), 0) as written:
        written[0:1] = b"b"
        written.flush()

    assert followed.look() == (["a.py"], [])
    assert max(looks) == len(followed.paths) == 4


@requirement("FRESH-TRAIL")
def test_after_a_while_everything_is_looked_at(
    followed: Followed, looks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_journal, "_FULL_LOOK_SECONDS", -1.0)
    append(followed.repo, "a.py")

    assert followed.look() == (["a.py"], [])
    assert max(looks) == 4


@requirement("FRESH-TRAIL")
def test_a_file_put_in_the_place_of_another_changes_no_listing(
    followed: Followed, looks: list[int]
) -> None:
    put_in_place(followed.repo, "lib/b.py")

    assert followed.look() == (["lib/b.py"], [])

    append(followed.repo, "a.py")

    assert followed.look() == (["a.py", "lib/b.py"], [])
    assert max(looks) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda repo: repo.write("-- lib/new.py\nn = 1\n"),
        lambda repo: repo.write("-- lib/new.log\nn = 1\n"),
        lambda repo: os.remove(repo.path("lib/b.py")),
        lambda repo: os.rename(repo.path("a.py"), repo.path("lib/a.py")),
        lambda repo: link_in_place(repo, "lib/b.py"),
    ],
)
@requirement("FRESH-TRAIL")
def test_a_folder_in_which_names_came_or_went_differs(
    followed: Followed, change: Callable[[Repo], object]
) -> None:
    put_in_place(followed.repo, "lib/b.py")
    followed.look()
    append(followed.repo, "lib/deep/c.py")

    change(followed.repo)

    assert "lib" in followed.look()[1]
    append(followed.repo, "lib/deep/c.py")
    assert "lib" in followed.look()[1]


@requirement("FRESH-TRAIL")
def test_what_takes_the_place_of_a_file_without_stamps_may_be_of_another_kind(
    followed: Followed,
) -> None:
    place = 4 * followed.paths.index("lib/b.py")
    followed.numbers[place : place + 4] = array("q", [SYMLINK_SIZE, 0, 0, 0])
    followed.look()
    put_in_place(followed.repo, "lib/b.py")

    assert followed.look() == ([], ["lib"])


@requirement("FRESH-TRAIL")
def test_a_changed_ignore_file_differs(followed: Followed) -> None:
    put_in_place(followed.repo, ".gitignore")

    assert followed.look() == ([".gitignore"], [".gitignore"])


@pytest.mark.parametrize(
    "change",
    [
        lambda repo: os.mkdir(repo.path("lib/new")),
        lambda repo: os.rename(repo.path("lib/deep"), repo.path("lib/other")),
        lambda repo: os.chmod(repo.path("lib/deep"), 0o700),
    ],
)
@requirement("FRESH-TRAIL")
def test_changes_of_folders_make_it_look_at_everything(
    followed: Followed, looks: list[int], change: Callable[[Repo], object]
) -> None:
    change(followed.repo)
    append(followed.repo, "a.py")

    files, folders = followed.look()

    assert "a.py" in files
    assert folders
    assert looks == [4, followed.fingerprint.listed.count(b"\0")]


@requirement("FRESH-TRAIL")
def test_after_a_loss_it_listens_again_to_the_folders_of_then(
    followed: Followed, looks: list[int]
) -> None:
    followed.repo.write("-- lib/new/d.py\nd = 4\n")
    followed.look()
    followed.learn()
    followed.look()
    append(followed.repo, "lib/new/d.py")
    looks.clear()

    assert followed.look() == (["lib/new/d.py"], [])
    assert looks == [1, 0]


@requirement("FRESH-TRAIL")
def test_more_than_the_queue_holds_make_it_look_at_everything(
    followed: Followed, looks: list[int]
) -> None:
    with open("/proc/sys/fs/inotify/max_queued_events", encoding="ascii") as file:
        most = int(file.read())
    for _ in range(most // 2 + 1):  # two names in turns, so that no event is like the last one
        os.utime(followed.repo.path("lib/b.py"))
        os.utime(followed.repo.path("lib/deep/c.py"))
    append(followed.repo, "a.py")

    assert followed.look()[0] == ["a.py", "lib/b.py", "lib/deep/c.py"]
    assert max(looks) == 4


@requirement("FRESH-TRAIL")
def test_a_tree_in_the_place_of_another_is_looked_at(followed: Followed) -> None:
    root = Path(followed.repo.root)
    above = root.parent
    os.rename(above, f"{above}-other")
    os.makedirs(root)

    try:
        assert followed.look()[0] == followed.paths
    finally:
        os.rmdir(root)
        os.rmdir(above)
        os.rename(f"{above}-other", above)


@requirement("FRESH-TRAIL")
def test_another_thread_looks_at_everything(followed: Followed, looks: list[int]) -> None:
    append(followed.repo, "a.py")
    found: list[tuple[list[str], list[str]]] = []
    thread = threading.Thread(target=lambda: found.append(followed.look()))
    thread.start()
    thread.join()

    assert found == [(["a.py"], [])]
    assert max(looks) == 4
    assert followed.look() == (["a.py"], [])


@requirement("FRESH-TRAIL")
def test_where_watches_are_few_none_are_taken(
    followed: Followed, looks: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = tmp_path / "few"
    few.write_text("8\n", encoding="ascii")
    monkeypatch.setattr(change_journal, "_WATCH_LIMIT_FILE", os.fspath(few))
    followed.journal = ChangeJournal(followed.repo.root)

    for _ in range(3):
        append(followed.repo, "a.py")
        assert followed.look() == (["a.py"], [])
    assert looks == [4, followed.fingerprint.listed.count(b"\0")] * 3


@requirement("FRESH-TRAIL")
def test_all_trees_together_take_no_more_than_a_share_of_the_watches(
    followed: Followed, looks: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = sum(change_journal._watching.values())
    room = tmp_path / "room"
    room.write_text(f"{8 * taken}\n", encoding="ascii")
    monkeypatch.setattr(change_journal, "_WATCH_LIMIT_FILE", os.fspath(room))
    before, followed.journal = followed.journal, ChangeJournal(followed.repo.root)

    for _ in range(3):
        append(followed.repo, "a.py")
        assert followed.look() == (["a.py"], [])
    assert before in change_journal._watching
    assert looks == [4, followed.fingerprint.listed.count(b"\0")] * 3

    del before
    for _ in range(change_journal._LOOKS_BEFORE_RETRY):
        followed.look()
    append(followed.repo, "a.py")
    looks.clear()

    assert followed.look() == (["a.py"], [])
    assert looks == [1, 0]


@requirement("FRESH-TRAIL")
def test_of_very_many_trees_a_process_listens_to_some(
    followed: Followed, looks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_journal, "_MAX_WATCHED_TREES", len(change_journal._watching))
    before, followed.journal = followed.journal, ChangeJournal(followed.repo.root)
    for _ in range(3):
        append(followed.repo, "a.py")
        assert followed.look() == (["a.py"], [])
    assert looks == [4, followed.fingerprint.listed.count(b"\0")] * 3

    del before
    followed.look()
    append(followed.repo, "a.py")
    looks.clear()

    assert followed.look() == (["a.py"], [])
    assert looks == [1, 0]


@requirement("FRESH-TRAIL")
def test_without_the_extension_everything_is_looked_at(
    followed: Followed, looks: list[int]
) -> None:
    followed.journal = ChangeJournal(followed.repo.root)
    with without_kernels():
        for _ in range(3):
            append(followed.repo, "a.py")
            assert followed.look() == (["a.py"], [])
    assert looks == [4, followed.fingerprint.listed.count(b"\0")] * 3


@requirement("FRESH-TRAIL")
def test_what_cannot_be_listened_to_is_told(tmp_path: Path) -> None:
    os.mkdir(tmp_path / "one")

    with pytest.raises(OSError, match="exists"):
        in_c().FolderEvents(os.fsencode(tmp_path), b"one\0./one\0", IN_MODIFY)
    with pytest.raises(OSError, match="too long"):
        in_c().FolderEvents(os.fsencode(tmp_path), b"x" * 5_000 + b"\0", IN_MODIFY)
    with pytest.raises(ValueError, match="no end"):
        in_c().FolderEvents(os.fsencode(tmp_path), b"one", IN_MODIFY)
    assert in_c().FolderEvents(os.fsencode(tmp_path), b"nowhere\0", IN_MODIFY).drain() == []
