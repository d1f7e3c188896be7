"""A fingerprint vouches for a listing only while git would give the same one."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cruxe.freshness import mounts as mount_table
from cruxe.freshness.listing_fingerprint import (
    ListingFingerprint,
    read_fingerprint,
    write_fingerprint,
)
from cruxe.freshness.take_fingerprint import take_fingerprint
from cruxe.workspace.context import find_workspace
from cruxe.workspace.git import start_listing
from tests.requirements import requirement
from tests.support.fingerprints import settled_fingerprint, watch
from tests.support.repositories import MakeRepo, Repo

TREE = """
    -- .gitignore
    *.log
    build/
    target
    -- a.py
    -- lib/b.py
    -- lib/deep/c.py
    -- docs/guide.md
"""

Change = Callable[[Repo], object]


def _write(path: str, text: str = "x") -> Change:
    return lambda repo: repo.write_bytes(path, text.encode())


def _edit_keeping_stamps(path: str, text: str) -> Change:
    """Write as many bytes as there were, and put the times back."""

    def change(repo: Repo) -> None:
        before = os.stat(repo.path(path))
        assert len(text) == before.st_size
        with open(repo.path(path), "r+", encoding="utf-8") as file:
            file.write(text)
        os.utime(repo.path(path), ns=(before.st_atime_ns, before.st_mtime_ns))

    return change


def _add_keeping_folder_time(repo: Repo) -> None:
    before = os.stat(repo.path("lib"))
    repo.write_bytes("lib/new.py", b"x")
    os.utime(repo.path("lib"), ns=(before.st_atime_ns, before.st_mtime_ns))


def _replace_folder_by_link(repo: Repo) -> None:
    os.rename(repo.path("lib/deep"), repo.path("moved"))
    os.symlink("../moved", repo.path("lib/deep"))


def _replace_file_by_folder(repo: Repo) -> None:
    repo.remove("a.py")
    repo.write_bytes("a.py/inner.py", b"x")


def _add_ignored(repo: Repo) -> None:
    repo.git("add", "--force", "notes.log")


def _exclude_by_user(_: Repo) -> None:
    folder = os.path.expanduser("~/.config/git")
    os.makedirs(folder)
    Path(folder, "ignore").write_text("loose.py\n", encoding="utf-8")


def _exclude_by_setting(repo: Repo) -> None:
    rules = Path(f"{repo.root}-rules")
    rules.write_text("loose.py\n", encoding="utf-8")
    repo.git("config", "core.excludesFile", str(rules))


CHANGES: dict[str, Change] = {
    "a file is added": _write("lib/new.py"),
    "a file is added at the root": _write("new.py"),
    "a file is added in a folder that was empty": _write("empty/new.py"),
    "a file is added beside ignored ones only": _write("logs/new.py"),
    "a file is added in a new folder in a new folder": _write("lib/x/y/new.py"),
    "a file is added and its folder's time put back": _add_keeping_folder_time,
    "a file is removed": lambda repo: repo.git("rm", "-q", "lib/deep/c.py"),
    "an untracked file is removed": lambda repo: repo.remove("loose.py"),
    "a file is renamed": lambda repo: repo.git("mv", "a.py", "z.py"),
    "an untracked file is renamed": lambda repo: os.rename(
        repo.path("loose.py"), repo.path("lib/loose.py")
    ),
    "a folder is renamed": lambda repo: repo.git("mv", "lib", "library"),
    "a folder is replaced by a link": _replace_folder_by_link,
    "a file is replaced by a folder": _replace_file_by_folder,
    "an ignore file is edited": _edit_keeping_stamps(".gitignore", "*.lag\nbuild/\ntarget\n"),
    "an ignore file is added": _write("extra/.gitignore", "*\n"),
    "an ignore file that hides itself is edited": _edit_keeping_stamps("kept/.gitignore", "#\n"),
    "an ignored file is tracked": _add_ignored,
    "the repository's exclude file is edited": _write(".git/info/exclude", "docs/\nloose.py\n"),
    "the user's exclude file appears": _exclude_by_user,
    "another exclude file is set": _exclude_by_setting,
    "another branch is checked out": lambda repo: repo.checkout("other"),
    "a repository is made inside": lambda repo: Repo(repo.path("extra")).git("init", "-q"),
    "a file is forgotten": lambda repo: repo.git("rm", "-q", "--cached", "build/kept.txt"),
}


@pytest.fixture
def tree(repo: MakeRepo) -> Repo:
    """A tree with all that a listing may depend on."""
    made = repo(TREE)
    made.git("checkout", "-q", "-b", "other")
    made.write("-- lib/other.py\n")
    made.commit()
    made.checkout("main")
    made.write("-- build/kept.txt\n-- loose.py\n-- notes.log\n-- logs/a.log\n-- extra/e.py\n")
    made.write("-- kept/.gitignore\n*\n-- kept/k.py\n")
    made.git("add", "--force", "build/kept.txt")
    for folder in ("empty", "target", ".cruxe"):
        os.mkdir(made.path(folder))
    return made


@requirement("FRESH-WITNESS")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_no_fingerprint_holds_after_the_listing_changed(tree: Repo, change: Change) -> None:
    watched = watch(tree)
    assert watched.is_vouched_for()

    change(tree)

    assert watched.listing_now() != watched.listing
    assert not watched.is_vouched_for()


@pytest.mark.parametrize(
    "change",
    [
        _edit_keeping_stamps("lib/b.py", ""),
        _write("a.py", "edited = True\n"),
        _write("target/deep/result.o"),
        _write("target/x.txt"),
        _write(".cruxe/config.toml"),
    ],
)
def test_it_vouches_while_only_content_and_ignored_files_change(tree: Repo, change: Change) -> None:
    watched = watch(tree)

    change(tree)

    assert watched.is_vouched_for()


@pytest.mark.parametrize("variable", ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_COUNT"])
def test_it_does_not_vouch_for_other_settings_of_the_user(
    tree: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str
) -> None:
    watched = watch(tree)

    monkeypatch.setenv(variable, str(tmp_path / "other"))

    assert not watched.is_vouched_for()


def test_an_included_settings_file_counts_before_it_exists(tree: Repo) -> None:
    included = Path(f"{tree.root}-included")
    tree.git("config", "include.path", str(included))
    watched = watch(tree)
    assert watched.is_vouched_for()

    included.write_text("[core]\n\texcludesFile = /nowhere\n", encoding="utf-8")

    assert not watched.is_vouched_for()


def test_a_settings_file_is_followed_where_it_is_a_link(tree: Repo, home: str) -> None:
    rules = Path(home, "rules")
    rules.write_text("docs/\n", encoding="utf-8")
    os.symlink(rules, f"{tree.root}-link")
    tree.git("config", "core.excludesFile", f"{tree.root}-link")
    watched = watch(tree)
    assert watched.is_vouched_for()

    rules.write_text("lib/\n", encoding="utf-8")

    assert not watched.is_vouched_for()


def test_a_linked_worktree_has_an_index_of_its_own(tree: Repo) -> None:
    second = tree.worktree("other")
    watched = watch(second)
    assert watched.is_vouched_for()

    tree.write("-- new.py\n")
    tree.git("add", "new.py")
    assert watched.is_vouched_for()
    second.git("rm", "-q", "--cached", "a.py")
    assert not watched.is_vouched_for()


def test_a_fingerprint_is_renewed_where_folders_and_the_index_changed(tree: Repo) -> None:
    before = watch(tree)
    os.mkdir(tree.path("lib/new"))
    os.mkdir(tree.path("build/new"))
    tree.git("add", "loose.py")

    renewed = settled_fingerprint(tree, before.fingerprint)

    assert not before.is_vouched_for()
    assert renewed == settled_fingerprint(tree)
    assert set(renewed.inside) - set(before.fingerprint.inside) == {b"lib/new"}


def test_new_rules_are_not_taken_over_from_an_earlier_fingerprint(tree: Repo) -> None:
    before = watch(tree)
    tree.write("-- .gitignore\n*.log\nbuild/\n")

    renewed = settled_fingerprint(tree, before.fingerprint)

    assert renewed == settled_fingerprint(tree)
    assert set(renewed.inside) - set(before.fingerprint.inside) == {b"target"}


def test_what_changed_within_two_seconds_has_no_fingerprint(tree: Repo) -> None:
    workspace = find_workspace(tree.root)
    task = start_listing(workspace)

    assert take_fingerprint(workspace, task.finish(), task.started_ns) is None


@pytest.mark.parametrize("how", ["nested", "submodule", "linked rules"])
def test_in_doubt_there_is_no_fingerprint(tree: Repo, repo: MakeRepo, how: str) -> None:
    if how == "nested":
        Repo(tree.path("extra")).git("init", "-q")
    elif how == "submodule":
        tree.add_submodule(repo("-- s.py\n", name="inner"), "vendor/inner")
    else:
        os.symlink("../.gitignore", tree.path("docs/.gitignore"))

    assert _taken(tree) is None


@pytest.mark.parametrize(
    ("mounts", "is_trusted"),
    [
        ("1 0 0:1 / / rw - ext4 /dev/a rw\n", True),
        ("1 0 0:1 / / rw - ext4 /dev/a rw\n2 1 0:2 / {parent} rw - nfs4 host:/x rw\n", False),
        ("1 0 0:1 / / rw - vfat /dev/a rw\n2 1 0:2 / {parent} rw - xfs /dev/b rw\n", True),
        ("1 0 0:1 / / rw - ext4 /dev/a rw\n2 1 0:2 / {root}/lib rw - ext4 /dev/b rw\n", False),
        ("1 0 0:1 / / rw - ext4 /dev/a rw\n2 1 0:2 / {root}-x rw - nfs host:/x rw\n", True),
    ],
)
def test_only_file_systems_that_stamp_their_folders_are_trusted(
    tree: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mounts: str, *, is_trusted: bool
) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(mounts.format(root=tree.root, parent=os.path.dirname(tree.root)))
    monkeypatch.setattr(mount_table, "_MOUNT_TABLE", str(table))

    assert (_taken(tree) is not None) is is_trusted


@pytest.mark.parametrize("folder", ["Büro", "日本", "my files", "tab\there", "back\\slash"])
def test_a_network_mount_is_not_trusted_whatever_letters_its_path_has(
    repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    mounted = repo("-- a.py\nx = 1\n", name=folder)
    table = tmp_path / "mountinfo"
    point = _escaped(os.fsencode(mounted.root))
    local, network = b"1 0 0:1 / / rw - ext4 /dev/a rw\n", b" rw - nfs4 host:/x rw\n"
    table.write_bytes(local + b"2 1 0:2 / " + point + network)
    monkeypatch.setattr(mount_table, "_MOUNT_TABLE", str(table))

    assert _taken(mounted) is None


def _escaped(path: bytes) -> bytes:
    """A path as the kernel writes it into its table of mounts."""
    return b"".join(b"\\%03o" % byte if byte in b" \t\n\\" else bytes([byte]) for byte in path)


def test_a_fingerprint_is_read_as_it_was_written(tree: Repo, tmp_path: Path) -> None:
    path = str(tmp_path / "fingerprint")
    watched = watch(tree)

    write_fingerprint(path, watched.fingerprint)

    assert read_fingerprint(path) == watched.fingerprint
    assert os.listdir(tmp_path).count("fingerprint") == 1


def test_a_damaged_or_absent_fingerprint_is_none(tree: Repo, tmp_path: Path) -> None:
    path = tmp_path / "fingerprint"
    write_fingerprint(str(path), watch(tree).fingerprint)
    whole = path.read_bytes()
    for damaged in (b"", whole[:40], whole[:-1], whole[:100] + b"?" + whole[101:]):
        path.write_bytes(damaged)
        assert read_fingerprint(str(path)) is None
    path.unlink()
    assert read_fingerprint(str(path)) is None


def test_a_fingerprint_that_cannot_be_written_is_done_without(tree: Repo, tmp_path: Path) -> None:
    write_fingerprint(str(tmp_path / "absent" / "fingerprint"), watch(tree).fingerprint)

    assert not os.path.exists(tmp_path / "absent")


def _taken(tree: Repo) -> ListingFingerprint | None:
    workspace = find_workspace(tree.root)
    listing = start_listing(workspace).finish()
    return take_fingerprint(workspace, listing, time.time_ns() + 10_000_000_000)
