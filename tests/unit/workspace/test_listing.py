"""The files of a git working tree, each with the reason why it is skipped."""

import os

import pytest

from cruxe.model.source import DiscoveryRules, FileStat, ListedFile, SkipReason
from cruxe.workspace.context import find_workspace
from cruxe.workspace.listing import list_working_tree
from tests.requirements import requirement
from tests.support.repositories import MakeRepo, Repo

POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="needs names and files of a POSIX system")


def listed(made: Repo, rules: DiscoveryRules | None = None) -> dict[str, SkipReason | None]:
    files = list_working_tree(find_workspace(made.root), rules or DiscoveryRules())
    return {file.path: file.skip for file in files}


@requirement("DISC-GIT")
def test_tracked_and_untracked_files_are_listed_by_path_with_their_stamps(repo: MakeRepo) -> None:
    made = repo("-- b.py\nx = 1\n-- a/c.py\n")
    made.write("-- a.py\nnew\n")

    files = list_working_tree(find_workspace(made.root), DiscoveryRules())

    def stamps(path: str) -> FileStat:
        status = os.lstat(made.path(path))
        return FileStat(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    assert files == [ListedFile(path, stamps(path)) for path in ("a.py", "a/c.py", "b.py")]


@requirement("DISC-GIT")
def test_paths_known_from_before_change_nothing_in_the_listing(repo: MakeRepo) -> None:
    made = repo("-- a.py\n-- b.py\n-- gone.py\n")
    workspace = find_workspace(made.root)
    made.remove("gone.py")
    made.write("-- .gitignore\nignored.py\n-- ignored.py\n-- new.py\n")

    files = list_working_tree(
        workspace, DiscoveryRules(), known_paths=["a.py", "gone.py", "ignored.py", "never.py"]
    )

    assert files == list_working_tree(workspace, DiscoveryRules())
    assert [file.path for file in files] == [".gitignore", "a.py", "b.py", "new.py"]


@requirement("DISC-IGNORE")
def test_what_git_ignores_is_not_listed_unless_it_is_tracked(repo: MakeRepo) -> None:
    made = repo("-- kept.log\n-- src/a.py\n")
    made.write("""
        -- .gitignore
        *.log
        -- src/.gitignore
        /local/
        !important.log
        -- other.log
        -- src/local/b.py
        -- src/important.log
    """)

    assert listed(made) == dict.fromkeys(
        [".gitignore", "kept.log", "src/.gitignore", "src/a.py", "src/important.log"]
    )


@requirement("DISC-IGNORE")
def test_cruxeignore_files_skip_tracked_and_untracked_files_with_a_reason(repo: MakeRepo) -> None:
    made = repo("""
        -- .cruxeignore
        *.sql
        /data/
        !keep.sql
        -- a.sql
        -- keep.sql
        -- data/x.py
        -- src/.cruxeignore
        !b.sql
        c.*
        -- src/b.sql
        -- src/c.py
        -- src/d.py
    """)
    made.write("-- new.sql\n")

    skipped = [path for path, skip in listed(made).items() if skip is SkipReason.IGNORED]

    assert skipped == ["a.sql", "data/x.py", "new.sql", "src/c.py"]


@requirement("DISC-IGNORE")
def test_a_private_cruxeignore_at_the_root_counts_though_git_ignores_it(repo: MakeRepo) -> None:
    made = repo("-- a.py\n-- b.py\n")
    made.write("-- .git/info/exclude\n.cruxeignore\n-- .cruxeignore\nb.py\n")

    assert listed(made) == {"a.py": None, "b.py": SkipReason.IGNORED}


def test_the_folder_of_cruxe_itself_is_never_listed(repo: MakeRepo) -> None:
    made = repo("-- .cruxe/config.toml\n-- a.py\n-- .cruxerc\n")

    assert listed(made) == {".cruxerc": None, "a.py": None}


@requirement("DISC-GIT")
def test_a_path_in_a_merge_conflict_is_listed_once(repo: MakeRepo) -> None:
    made = repo("-- a.py\nbase\n")
    made.git("checkout", "--quiet", "-b", "side")
    made.write("-- a.py\nside\n")
    made.commit()
    made.checkout("main")
    made.write("-- a.py\nmain\n")
    made.commit()
    made.git("merge", "--quiet", "--strategy=ours", "--no-commit", "side")
    blobs = [made.git("rev-parse", f"{ref}:a.py").strip() for ref in ("main~", "main", "side")]
    stages = "".join(f"100644 {blob} {side}\ta.py\\n" for side, blob in enumerate(blobs, start=1))
    made.git("update-index", "--force-remove", "a.py")
    made.git("-c", f"alias.fill=!printf '{stages}' | git update-index --index-info", "fill")

    assert made.git("ls-files").splitlines() == ["a.py"] * 3
    assert listed(made) == {"a.py": None}


@requirement("DISC-VANISH")
def test_a_tracked_file_that_was_deleted_is_not_there(repo: MakeRepo) -> None:
    made = repo("-- a.py\n-- gone.py\n-- folder/inner.py\n")
    made.remove("gone.py")
    made.remove("folder/inner.py")
    os.rmdir(made.path("folder"))
    made.write("-- folder\nnow a file\n")

    assert listed(made) == {"a.py": None, "folder": None}


@requirement("DISC-SUBMODULE")
def test_submodules_are_listed_with_the_rest_however_deep(repo: MakeRepo) -> None:
    innermost = repo("-- leaf.py\n", name="innermost")
    library = repo("-- .gitignore\n*.tmp\n-- lib.py\n", name="library")
    library.add_submodule(innermost, "deps/innermost")
    library.commit()
    made = repo("-- a.py\n-- z.py\n")
    made.add_submodule(library, "vendor/library")
    made.git("submodule", "--quiet", "update", "--init", "--recursive")
    made.write("-- vendor/library/new.py\n-- vendor/library/x.tmp\n")

    assert listed(made) == dict.fromkeys([
        ".gitmodules",
        "a.py",
        "vendor/library/.gitignore",
        "vendor/library/.gitmodules",
        "vendor/library/deps/innermost/leaf.py",
        "vendor/library/lib.py",
        "vendor/library/new.py",
        "z.py",
    ])  # fmt: skip


@requirement("DISC-SUBMODULE")
def test_a_submodule_that_is_not_checked_out_is_one_skipped_path(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    made.add_submodule(repo("-- lib.py\n", name="library"), "library")
    made.git("submodule", "--quiet", "deinit", "--force", "library")

    assert listed(made) == {
        ".gitmodules": None,
        "a.py": None,
        "library": SkipReason.SUBMODULE_UNAVAILABLE,
    }


@requirement("DISC-SUBMODULE")
def test_another_repository_inside_is_one_skipped_path(repo: MakeRepo) -> None:
    made = repo("-- a-b.py\n-- a.py\n")
    repo("-- x.py\n", name="repo/a")
    made.branch("side")
    made.git("worktree", "add", "--quiet", "trees/side", "side")

    assert listed(made) == {
        "a": SkipReason.NESTED_REPOSITORY,
        "a-b.py": None,
        "a.py": None,
        "trees/side": SkipReason.NESTED_REPOSITORY,
    }


def test_a_folder_in_the_place_of_a_tracked_file_is_not_a_submodule(repo: MakeRepo) -> None:
    made = repo("-- a\nfile\n")
    made.remove("a")
    made.write("-- a/b.py\n")

    assert listed(made) == {"a/b.py": None}


@POSIX_ONLY
@requirement("DISC-SYMLINK")
def test_symlinks_are_skipped_wherever_they_lead(repo: MakeRepo) -> None:
    made = repo("-- target.py\n-- real/inner.py\n")
    links = {"inside.py": "target.py", "dangling": "nowhere", "outside": "/etc/hostname",
             "loop": "loop", "folder": "real", "up": ".."}  # fmt: skip
    for name, target in links.items():
        os.symlink(target, made.path(name))
    made.git("add", "inside.py", "loop")

    assert listed(made) == dict.fromkeys(links, SkipReason.SYMLINK) | {
        "real/inner.py": None,
        "target.py": None,
    }


@POSIX_ONLY
@requirement("DISC-SYMLINK")
def test_tracked_files_behind_a_folder_that_became_a_symlink_are_gone(repo: MakeRepo) -> None:
    made = repo("-- a/b.py\n-- a-c.py\n-- other/b.py\n")
    made.remove("a/b.py")
    os.rmdir(made.path("a"))
    os.symlink("other", made.path("a"))

    assert listed(made) == {"a": SkipReason.SYMLINK, "a-c.py": None, "other/b.py": None}


@POSIX_ONLY
def test_a_pipe_in_the_place_of_a_tracked_file_is_not_regular(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    made.remove("a.py")
    os.mkfifo(made.path("a.py"))

    assert listed(made) == {"a.py": SkipReason.NOT_REGULAR}


@POSIX_ONLY
@requirement("DISC-ENCODING")
def test_a_path_that_is_not_utf8_is_skipped_and_can_be_shown(repo: MakeRepo) -> None:
    made = repo("-- é.py\n-- line\\nbreak.py\n")
    with open(os.fsencode(made.root) + b"/caf\xe9.py", "wb"):
        pass

    assert listed(made) == {
        "caf\\xe9.py": SkipReason.PATH_NOT_UTF8,
        "line\\nbreak.py": None,
        "é.py": None,
    }


@requirement("DISC-SECRET")
def test_secret_files_are_skipped_unless_allowed(repo: MakeRepo) -> None:
    made = repo("-- .env\n-- .env.example\n-- deploy/server.pem\n-- test/server.pem\n")

    assert listed(made) == {
        ".env": SkipReason.SECRET,
        ".env.example": None,
        "deploy/server.pem": SkipReason.SECRET,
        "test/server.pem": SkipReason.SECRET,
    }
    allowed = DiscoveryRules(allowed_secrets=("test/",))
    assert listed(made, allowed)["test/server.pem"] is None
    assert listed(made, allowed)["deploy/server.pem"] is SkipReason.SECRET


def test_a_file_over_the_limit_is_too_large_and_one_at_the_limit_is_not(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    made.write_bytes("at.txt", b"x" * 100)
    made.write_bytes("over.txt", b"x" * 101)

    assert listed(made, DiscoveryRules(max_file_bytes=100)) == {
        "a.py": None,
        "at.txt": None,
        "over.txt": SkipReason.TOO_LARGE,
    }


def test_a_repository_without_a_commit_lists_its_files(repo: MakeRepo) -> None:
    made = repo("-- a.py\n", git=False)
    made.git("init", "--quiet")

    assert listed(made) == {"a.py": None}
