"""A package to pairs: docs, names, comments, tests and README sentences with their code."""

import io
import json
import os
import tarfile

import pytest

from training.archives import Package, plain_path, read_package
from training.mine import Pair, PairKind, mine_package
from training.prose import description_in

SOURCE = b'''"""Bounded stores of values that were expensive to compute."""

import time


def evict_oldest_entries(store: dict[str, float], most: int) -> int:
    """Drop what was not used for longest until the store is small enough.

    Args:
        store: what is kept
    """
    removed = 0
    # Walk from the least recently used end towards the newest.
    while len(store) > most:
        store.pop(next(iter(store)))
        removed += 1
    return removed
'''
TEST = b"""from store import evict_oldest_entries


def test_evict_removes_least_recent_first():
    store = {"a": 1.0, "b": 2.0}
    assert evict_oldest_entries(store, 1) == 1
    assert list(store) == ["b"]
"""
README = b"""# store

Call `evict_oldest_entries` when memory runs low and values can be computed again.
"""


@pytest.fixture
def pairs() -> list[Pair]:
    files = (("store.py", SOURCE), ("tests/test_store.py", TEST), ("README.md", README))
    return mine_package(Package("npm", "store", "1.0", "MIT", "0" * 64, files))


def test_questions_come_from_docs_comments_tests_and_the_readme(pairs: list[Pair]) -> None:
    asked = {pair.kind: pair.question for pair in pairs if pair.path == "store.py"}

    assert asked == {
        PairKind.FILE: "Bounded stores of values that were expensive to compute.",
        PairKind.DOC: "Drop what was not used for longest until the store is small enough.",
        PairKind.COMMENT: "Walk from the least recently used end towards the newest.",
        PairKind.TEST: "evict removes least recent first",
        PairKind.README: "Call evict_oldest_entries when memory runs low and values can be"
        " computed again.",
    }


def test_an_answer_never_holds_the_doc_that_asks_for_it(pairs: list[Pair]) -> None:
    documented = [pair for pair in pairs if pair.kind is PairKind.DOC]

    assert [pair.code.startswith("def evict_oldest_entries") for pair in documented] == [True]
    assert ["not used for longest" in pair.code for pair in documented] == [False]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("Parses one header line.\n\n@param name of it", "Parses one header line."),
        (
            "/** Reads <b>all</b> of {@link Stream the stream}. */",
            "Reads all of Stream the stream.",
        ),
        ("Copyright 2020 Somebody. All rights reserved.", ""),
        ("TODO: make this faster", ""),
        ("x = 1; y = 2", ""),
    ],
)
def test_a_description_is_a_doc_without_markup_and_reference(raw: str, said: str) -> None:
    assert description_in(raw) == said


@pytest.mark.parametrize(
    ("licence", "name", "is_read"),
    [("MIT", "store", True), ("GPL-3.0", "store", False), ("MIT", "zod", False)],
)
def test_a_tarball_is_read_if_licence_and_project_allow(
    tmp_path: os.PathLike[str], licence: str, name: str, *, is_read: bool
) -> None:
    path = os.path.join(tmp_path, f"{name}-1.0.0.tgz")
    manifest = json.dumps({"name": name, "version": "1.0.0", "license": licence}).encode()
    with tarfile.open(path, "w:gz") as archive:
        for member, data in (("package/package.json", manifest), ("package/lib/a.js", SOURCE)):
            entry = tarfile.TarInfo(member)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))

    package = read_package(path)

    assert (package is not None) is is_read
    if package:
        assert package[:4] == ("npm", "store", "1.0.0", "MIT")
        assert package.files == (("package/lib/a.js", SOURCE),)


@pytest.mark.parametrize(
    ("installed", "path"),
    [
        ("/usr/share/gocode/src/github.com/a/b/cmd/c.go", "cmd/c.go"),
        ("/usr/share/cargo/registry/ipnet-2.5.0/src/lib.rs", "src/lib.rs"),
        ("/usr/share/rubygems-integration/all/gems/haml-6.1.1/lib/haml.rb", "lib/haml.rb"),
        ("/usr/lib/ruby/vendor_ruby/haml.rb", "haml.rb"),
        ("/usr/lib/python3/dist-packages/attr/setters.py", "attr/setters.py"),
        ("/usr/share/lua/5.1/pl/list.lua", "pl/list.lua"),
        ("package/lib/a.js", "lib/a.js"),
        ("src/flow/state.py", "src/flow/state.py"),
    ],
)
def test_paths_are_those_of_the_project_not_of_where_it_is_installed(
    installed: str, path: str
) -> None:
    assert plain_path(installed) == path
