"""In a large tree a change anywhere is noticed by the next question."""

import os
import subprocess
import sys

import pytest

from tests.requirements import requirement
from tests.support.command import command_line, environment, run_cruxe
from tests.support.indexing import settle
from tests.support.repositories import MakeRepo, Repo

FILES = 2_300
PLACES = (0, FILES // 2, FILES - 1)


@pytest.fixture
def tree(repo: MakeRepo) -> Repo:
    """Many small files, indexed after they were left alone for a while."""
    names = [_name(number) for number in range(FILES)]
    made = repo("".join(f"-- {name}\nx = {number}\n" for number, name in enumerate(names)))
    settle(made, *names)
    assert run_cruxe(made.root, "index").code == 0
    return made


@requirement("TREE-ANYWHERE")
def test_an_edit_a_new_file_and_a_deletion_are_noticed_wherever_they_are(tree: Repo) -> None:
    for place in PLACES:
        tree.write(f"-- {_name(place)}\ndef edited_{place}():\n    pass\n")
        assert _places(tree, f"edited_{place}") == [f"{_name(place)}:1"]
    tree.write("-- part_1/new.py\ndef newly_made():\n    pass\n")
    assert _places(tree, "newly_made") == ["part_1/new.py:1"]
    for place in PLACES:
        os.remove(tree.path(_name(place)))
        assert _places(tree, f"edited_{place}") == []


@requirement("TREE-ANYWHERE")
@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
def test_a_command_without_standard_input_answers(tree: Repo) -> None:
    tree.write(f"-- {_name(PLACES[1])}\ndef found_anyway():\n    pass\n")
    line = " ".join(f"'{word}'" for word in command_line("locate", "found_anyway"))
    finished = subprocess.run(
        ["/bin/sh", "-c", f"{line} <&-"],
        cwd=tree.root,
        env=environment(),
        check=True,
        capture_output=True,
        text=True,
    )

    assert finished.stdout.split()[0] == f"{_name(PLACES[1])}:1"


def _name(number: int) -> str:
    return f"part_{number % 7}/file_{number:05}.py"


def _places(tree: Repo, name: str) -> list[str]:
    return [line.split()[0] for line in run_cruxe(tree.root, "locate", name).stdout.splitlines()]
