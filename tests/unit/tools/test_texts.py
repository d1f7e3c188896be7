"""Texts are kept between questions, and never shown once a file is another."""

import os
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from cruxe.hosting.warm_readers import WarmReaders, WarmRef
from cruxe.model.identity import VersionKey
from cruxe.query.select.verify import FileText
from cruxe.repository import Repository, open_repository
from cruxe.store.open import open_store
from cruxe.tools.ref_session import published_ref
from cruxe.tools.texts import TextReader
from cruxe.workspace.context import resolve_target
from tests.support.indexing import context_of, index, settle
from tests.support.repositories import MakeRepo, Repo

FILES = """
    -- lamp.py
    def lantern():
        return "bright"
"""


def text_of(repository: Repository, path: str, ref: str | None = None) -> FileText | None:
    """What a question is told of a path."""
    with reading(repository, [path], ref) as (texts, [(key, _)]):
        return texts.read(key, path)


def holding(
    repository: Repository, literal: str, paths: list[str], ref: str | None = None
) -> list[str]:
    """Those of some paths that hold a literal."""
    with reading(repository, paths, ref) as (texts, files):
        return [text.path for _, text in texts.read_holding(literal, files)]


@contextmanager
def reading(
    repository: Repository, paths: list[str], ref: str | None
) -> Generator[tuple[TextReader, list[tuple[VersionKey, str]]]]:
    """A reader, and some files by version and path."""
    context = repository.context
    target = resolve_target(context.workspace, ref)
    readers = WarmReaders(open_store(context.location))
    with readers.open() as snapshot:
        opened = WarmRef(readers, snapshot, published_ref(snapshot, target, context).ref_id)
        files: list[tuple[VersionKey, str]] = []
        for path in paths:
            file = snapshot.find_file(opened.ref_id, path)
            assert file is not None
            assert file.version_key is not None
            files.append((file.version_key, path))
        with TextReader(context, target, opened) as texts:
            yield texts, files


def indexed(repo: MakeRepo) -> Repo:
    made = repo(FILES)
    settle(made, "lamp.py")
    index(context_of(made))
    return made


def test_an_edit_shows_at_once_though_the_text_was_kept(repo: MakeRepo) -> None:
    made = indexed(repo)
    repository = open_repository(made.root)
    before = text_of(repository, "lamp.py")
    made.write('-- lamp.py\ndef lantern():\n    return "darker"\n')

    after = text_of(repository, "lamp.py")

    assert before is not None
    assert before.between(2, 2)[0] == '    return "bright"'
    assert after is not None
    assert (after.between(2, 2)[0], after.changed is not None) == ('    return "darker"', True)


def test_an_edit_of_the_same_size_and_time_shows_too(repo: MakeRepo) -> None:
    made = indexed(repo)
    repository = open_repository(made.root)
    path = os.path.join(made.root, "lamp.py")
    stat = os.stat(path)
    assert text_of(repository, "lamp.py") is not None
    with open(path, "r+", encoding="utf-8") as file:
        file.write('def lantern():\n    return "dimmer"\n')
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    after = text_of(repository, "lamp.py")

    assert after is not None
    assert after.between(2, 2)[0] == '    return "dimmer"'


def test_a_file_that_is_gone_or_a_link_has_no_text_though_it_was_kept(repo: MakeRepo) -> None:
    made = indexed(repo)
    repository = open_repository(made.root)
    path = os.path.join(made.root, "lamp.py")
    assert text_of(repository, "lamp.py") is not None

    os.rename(path, f"{path}.old")
    gone = text_of(repository, "lamp.py")
    os.symlink(f"{path}.old", path)

    assert (gone, text_of(repository, "lamp.py")) == (None, None)


def test_a_commit_has_its_own_text_whatever_the_working_tree_holds(repo: MakeRepo) -> None:
    made = repo(FILES)
    made.commit("first")
    context = context_of(made)
    index(context)
    index(context, "HEAD")
    made.write('-- lamp.py\ndef lantern():\n    return "darker"\n')
    repository = open_repository(made.root)

    texts = [text_of(repository, "lamp.py", ref) for ref in ("HEAD", None, "HEAD")]

    assert [None if each is None else each.between(2, 2)[0] for each in texts] == [
        '    return "bright"',
        '    return "darker"',
        '    return "bright"',
    ]


def test_a_folder_that_became_a_link_hides_what_was_kept(repo: MakeRepo) -> None:
    made = repo("-- rooms/lamp.py\ndef lantern():\n    return 1\n")
    settle(made, "rooms/lamp.py")
    index(context_of(made))
    repository = open_repository(made.root)
    folder = os.path.join(made.root, "rooms")
    before = text_of(repository, "rooms/lamp.py")

    os.rename(folder, f"{folder}.old")
    os.symlink(f"{folder}.old", folder)

    assert before is not None
    assert text_of(repository, "rooms/lamp.py") is None


@pytest.mark.parametrize("ref", [None, "HEAD"])
def test_of_several_files_those_with_a_literal_are_read(repo: MakeRepo, ref: str | None) -> None:
    token = "ghp_" + "q7Rk2Lw9Zx4Vb8Nm3Tc6Yd1Pf5Hs0Jg7Ka2E"
    made = repo(f"""
        -- lamp.py
        LANTERN = "bright"
        -- port.py
        HARBOUR = "bright-harbour"
        -- wide.txt
        l\u00e4ntern bright-harbour
        -- token.py
        KEY = "{token}"
    """)
    made.commit()
    index(context_of(made), ref=ref)
    repository = open_repository(made.root)
    paths = ["lamp.py", "port.py", "token.py", "wide.txt"]

    for _ in range(2):  # read from the files, then as they were kept
        assert holding(repository, "bright-harbour", paths, ref) == ["port.py", "wide.txt"]
        assert holding(repository, token, paths, ref) == []
        assert holding(repository, 'KEY = "[REDACTED', paths, ref) == ["token.py"]
