"""Which of many files have changed, by their stamps: in C and in Python alike."""

import os
from array import array
from pathlib import Path

import pytest

from cruxe.model.source import NAMED_SIZE, NO_SIZE
from cruxe.workspace.read import begin_look, stamps_of
from tests.support.native import in_c, needs_kernels, without_kernels

NAMES = ("a.py", "folder", "folder/b.py", "link", "né.txt")


@pytest.fixture
def tree(tmp_path: Path) -> str:
    (tmp_path / "folder").mkdir()
    for name in NAMES[::2]:
        (tmp_path / name).write_text(name, encoding="utf-8")
    (tmp_path / "link").symlink_to("nowhere")
    return os.fspath(tmp_path)


def listing(names: tuple[str, ...]) -> bytes:
    return b"".join(os.fsencode(name) + b"\0" for name in names)


def numbers(tree: str) -> "array[int]":
    found = array("q")
    for name in NAMES:
        found.extend(stamps_of(os.lstat(os.path.join(tree, name))))
    return found


def unlike(tree: str, known: "array[int]", names: tuple[str, ...] = NAMES) -> list[int]:
    """What both say."""
    found = begin_look(tree, listing(names), known).places()
    with without_kernels():
        assert begin_look(tree, listing(names), known).places() == found
    return found


def test_files_that_stay_are_like_themselves(tree: str) -> None:
    assert unlike(tree, numbers(tree)) == []


@pytest.mark.parametrize("number", range(4))
def test_each_number_tells_a_change(tree: str, number: int) -> None:
    known = numbers(tree)
    known[4 * 2 + number] += 1

    assert unlike(tree, known) == [2]


def test_a_file_that_is_gone_is_unlike_and_others_are_still_looked_at(tree: str) -> None:
    known = numbers(tree)
    os.remove(os.path.join(tree, "a.py"))
    os.remove(os.path.join(tree, "link"))
    with open(os.path.join(tree, "né.txt"), "a", encoding="utf-8") as file:
        file.write("more")

    assert unlike(tree, known) == [0, 3, 4]


def test_of_very_many_files_each_is_looked_at(tmp_path: Path) -> None:
    names = tuple(f"f{number:04}" for number in range(1_500))
    known = array("q")
    for name in names:
        (tmp_path / name).touch()
        known.extend(stamps_of(os.lstat(tmp_path / name)))
    other = [0, 1, 749, 750, 751, 1_498, 1_499]
    for place in other:
        known[4 * place] += 1

    assert unlike(os.fspath(tmp_path), known, names) == other


def test_a_path_through_a_file_is_gone(tree: str) -> None:
    known = numbers(tree)
    os.remove(os.path.join(tree, "folder", "b.py"))
    os.rmdir(os.path.join(tree, "folder"))
    with open(os.path.join(tree, "folder"), "w", encoding="utf-8"):
        pass

    assert unlike(tree, known) == [1, 2]


def test_without_a_size_a_file_is_unlike_and_without_stamps_it_is_not_looked_at(tree: str) -> None:
    known = numbers(tree)
    known[0:4] = array("q", [NO_SIZE, 0, 0, 0])
    known[8:12] = array("q", [NAMED_SIZE, 0, 0, 0])

    assert unlike(tree, known) == [0]


@needs_kernels
def test_a_path_that_no_system_takes_is_gone() -> None:
    known = array("q", [1, 1, 1, 1])

    assert in_c().StampLook(b"/", b"x" * 100_000 + b"\0", known).places() == [0]
    assert in_c().StampLook(b"/nowhere", b".\0", known).places() == [0]
    with pytest.raises(ValueError, match="more stamps than paths"):
        in_c().StampLook(b"/", b"a", known)


@needs_kernels
def test_a_look_goes_on_by_itself_and_is_told_once(tmp_path: Path) -> None:
    names = tuple(f"f{number:04}" for number in range(3_000))
    known = array("q", [1, 1, 1, 1] * len(names))
    look = in_c().StampLook(os.fsencode(tmp_path), listing(names), known)

    assert look.places() == [*range(3_000)]
    with pytest.raises(RuntimeError, match="has been told"):
        look.places()


@needs_kernels
def test_a_look_that_nobody_waits_for_lets_go_of_what_it_was_given(tmp_path: Path) -> None:
    known = array("q", [1, 1, 1, 1] * 3_000)
    look = in_c().StampLook(os.fsencode(tmp_path), b"x\0" * 3_000, known)
    with pytest.raises(BufferError):
        known.append(1)

    del look

    known.append(1)
