"""The tree of the soak: what a file may have said at which time."""

import time

import pytest

from benchmarks.harness.clones import Clone
from benchmarks.harness.edits import EditedTree, Span
from tests.requirements import requirement
from tests.support.repositories import MakeRepo


@pytest.fixture
def clone(repo: MakeRepo) -> Clone:
    return Clone(repo("-- a.py\none\n-- b.py\ntwo\n").root)


def now() -> Span:
    moment = time.monotonic()
    return Span(moment, moment)


@requirement("SOAK-CHECK")
def test_a_file_says_what_it_said_at_the_time(clone: Clone) -> None:
    tree = EditedTree(clone, {name: clone.add_branch(name, ["a.py"]) for name in ("x", "y")})
    before = now()
    tree.edit("a.py", 1)
    tree.edit("a.py", 2)
    tree.edit("a.py", 17)
    gone = now()
    tree.edit("a.py", 4)
    after = now()

    assert tree.texts("a.py", None, before) == [["one", ""]]
    assert tree.texts("b.py", None, before) == [["two", ""]]
    assert tree.texts("a.py", None, after) == [clone.read("a.py").decode().split("\n")]
    assert tree.texts("a.py", None, gone) == []
    assert tree.was_missing("a.py", gone)
    assert tree.texts("a.py", None, Span(before.start, after.end)) == [
        ["one", ""],
        ["# edited 1", "one", ""],
        ["# edited 2", "# edited 1", "one", ""],
        ["# edited 4", "one", "", "x", ""],
    ]
    assert tree.texts("a.py", "x", after) == [["one", "", "x", ""]]


@requirement("SOAK-CHECK")
def test_a_branch_that_is_checked_out_means_the_working_tree(clone: Clone) -> None:
    tree = EditedTree(clone, {name: clone.add_branch(name, ["a.py"]) for name in ("x", "y")})
    before = now()
    tree.switch("x")
    tree.edit("a.py", 1)
    on_x = now()
    tree.switch("y")
    after = now()

    committed, edited = ["one", "", "x", ""], ["# edited 1", "one", "", "x", ""]
    assert tree.texts("a.py", "x", before) == [committed]
    assert tree.texts("a.py", "x", on_x) == [edited]
    assert tree.texts("a.py", "x", after) == [committed]
    assert tree.texts("a.py", None, after) == [["one", "", "y", ""]]
    during = tree.texts("a.py", "x", Span(before.start, on_x.end))
    assert during == [["one", ""], committed, edited, committed]
    assert tree.was_missing("a.py", Span(before.start, after.end))
    assert not tree.was_missing("a.py", on_x)
