"""Committed files, read from git's objects."""

import hashlib
import os
import shutil

import pytest

from cruxe.model.identity import BlobId
from cruxe.model.source import DiscoveryRules, ListedFile, ObjectFormat, SkipReason
from cruxe.workspace.context import find_workspace
from cruxe.workspace.objects import BlobReader, blob_id_of, list_commit
from tests.requirements import requirement
from tests.support.repositories import MakeRepo, Repo

POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="needs names and files of a POSIX system")


def listed(made: Repo, commit: str, rules: DiscoveryRules | None = None) -> list[ListedFile]:
    return list_commit(find_workspace(made.root), commit, rules or DiscoveryRules())


def blob(data: bytes) -> BlobId:
    return blob_id_of(data, ObjectFormat.SHA1)


@requirement("DISC-OBJECTS")
def test_a_commit_is_listed_as_it_was_whatever_the_working_tree_holds(repo: MakeRepo) -> None:
    made = repo("-- b.py\nold\n-- a/c.py\n-- .gitignore\n*.log\n")
    first = made.git("rev-parse", "HEAD").strip()
    made.write("-- b.py\nnew\n-- d.py\n")
    made.remove("a/c.py")

    assert listed(made, first) == [
        ListedFile(".gitignore", blob_id=blob(b"*.log\n")),
        ListedFile("a/c.py", blob_id=blob(b"")),
        ListedFile("b.py", blob_id=blob(b"old\n")),
    ]


@POSIX_ONLY
@requirement("DISC-OBJECTS", "DISC-SYMLINK", "DISC-SECRET")
def test_reasons_to_skip_hold_for_commits_too(repo: MakeRepo) -> None:
    made = repo("""
        -- .cruxeignore
        data/
        -- data/x.py
        -- lib/.cruxeignore
        *.txt
        -- lib/a.txt
        -- .env
        -- server.pem
        -- a.png
        -- .cruxe/config.toml
    """)
    os.symlink("a.png", made.path("link"))
    with open(os.fsencode(made.root) + b"/\xff.py", "wb"):
        pass
    commit = made.commit()
    made.remove(".cruxeignore")

    skips = {
        file.path: file.skip
        for file in listed(made, commit, DiscoveryRules(allowed_secrets=("*.pem",)))
    }

    assert skips == {
        ".cruxeignore": None,
        ".env": SkipReason.SECRET,
        "\\xff.py": SkipReason.PATH_NOT_UTF8,
        "a.png": SkipReason.BINARY,
        "data/x.py": SkipReason.IGNORED,
        "lib/.cruxeignore": None,
        "lib/a.txt": SkipReason.IGNORED,
        "link": SkipReason.SYMLINK,
        "server.pem": None,
    }


@requirement("DISC-OBJECTS", "DISC-SUBMODULE")
def test_submodules_of_a_commit_are_listed_and_read_from_their_own_objects(repo: MakeRepo) -> None:
    innermost = repo("-- leaf.py\nleaf\n", name="innermost")
    library = repo("-- lib.py\nlib\n", name="library")
    library.add_submodule(innermost, "deps/innermost")
    library.commit()
    made = repo("-- a.py\n")
    made.add_submodule(library, "vendor/library")
    made.git("submodule", "--quiet", "update", "--init", "--recursive")
    commit = made.commit()
    shutil.rmtree(made.path("vendor"))

    files = {file.path: file for file in listed(made, commit)}
    leaf = files["vendor/library/deps/innermost/leaf.py"]

    assert sorted(files) == [
        ".gitmodules",
        "a.py",
        "vendor/library/.gitmodules",
        "vendor/library/deps/innermost/leaf.py",
        "vendor/library/lib.py",
    ]
    assert leaf.blob_id is not None
    with BlobReader(find_workspace(made.root)) as reader:
        assert reader.read(leaf.blob_id, 100) == b"leaf\n"


@requirement("DISC-OBJECTS", "DISC-SUBMODULE")
def test_submodules_cloned_in_a_linked_worktree_are_found(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    made.branch("side")
    beside = made.worktree("side")
    beside.add_submodule(repo("-- lib.py\n", name="library"), "library")
    commit = beside.commit()

    assert [file.path for file in listed(beside, commit)] == [
        ".gitmodules",
        "a.py",
        "library/lib.py",
    ]


@requirement("DISC-OBJECTS", "DISC-SUBMODULE")
def test_a_submodule_without_objects_is_one_skipped_path(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    made.add_submodule(repo("-- lib.py\n", name="library"), "library")
    commit = made.commit()
    shutil.rmtree(made.path(".git/modules"))

    skips = {file.path: file.skip for file in listed(made, commit)}

    assert skips["library"] is SkipReason.SUBMODULE_UNAVAILABLE


@requirement("DISC-OBJECTS")
def test_blobs_are_read_and_those_too_large_or_missing_have_a_reason(repo: MakeRepo) -> None:
    made = repo("-- small.py\nx = 1\n-- empty.py\n")
    made.write_bytes("large.bin", b"0123456789" * 100_000)
    commit = made.commit()
    ids = {file.path: file.blob_id for file in listed(made, commit)}
    tree = BlobId(made.git("rev-parse", "HEAD^{tree}").strip())

    with BlobReader(find_workspace(made.root)) as reader:
        answers = [
            reader.read(blob_id, 100)
            for blob_id in (
                ids["small.py"],
                ids["large.bin"],
                BlobId("1" * 40),
                tree,
                ids["empty.py"],
                ids["small.py"],
            )
            if blob_id is not None
        ]

    assert answers == [
        b"x = 1\n",
        SkipReason.TOO_LARGE,
        SkipReason.UNREADABLE,
        SkipReason.UNREADABLE,
        b"",
        b"x = 1\n",
    ]


@requirement("DISC-OBJECTS")
def test_a_partial_clone_is_not_completed_behind_the_users_back(repo: MakeRepo) -> None:
    made = repo("-- a.py\nx = 1\n")
    made.git("config", "uploadpack.allowFilter", "true")
    partial = Repo(f"{made.root}-partial")
    made.git("clone", "--quiet", "--no-checkout", "--filter=blob:none",
             f"file://{made.root}", partial.root)  # fmt: skip
    commit = partial.git("rev-parse", "HEAD").strip()

    (file,) = listed(partial, commit)
    assert file.blob_id is not None
    with BlobReader(find_workspace(partial.root)) as reader:
        assert reader.read(file.blob_id, 100) is SkipReason.UNREADABLE


@requirement("DISC-OBJECTS")
@pytest.mark.parametrize("object_format", list(ObjectFormat))
def test_blob_ids_are_those_of_git(repo: MakeRepo, object_format: ObjectFormat) -> None:
    made = repo("", git=False)
    made.git("init", "--quiet", f"--object-format={object_format}")
    made.write_bytes("a", b"x\r\n\0")

    by_git = made.git("hash-object", "--no-filters", "a").strip()

    assert blob_id_of(b"x\r\n\0", object_format) == by_git
    assert len(by_git) == hashlib.new(object_format).digest_size * 2
