"""Terminals, pipes and interruptions: colour, the progress bar, and ending quietly."""

import os
import signal
import subprocess
import sys
from threading import Timer

import pytest

from cruxe.store.local.lock import WriterLock
from cruxe.workspace.context import open_context
from tests.requirements import requirement
from tests.support.command import TEA, command_line, environment, run_cruxe
from tests.support.indexing import settle
from tests.support.repositories import MakeRepo
from tests.support.stores import layout_of

ESCAPE = "\x1b["
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@requirement("CLI-COMMANDS")
@pytest.mark.parametrize(
    ("variables", "is_coloured"),
    [
        ({}, False),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
    ],
    ids=["piped", "forced", "refused"],
)
def test_a_pipe_is_coloured_only_by_force(
    repo: MakeRepo, variables: dict[str, str], *, is_coloured: bool
) -> None:
    found = run_cruxe(repo(TEA).root, "locate", "pour", **variables)

    assert (ESCAPE in found.stdout, ESCAPE in found.stderr) == (is_coloured, is_coloured)


@on_posix
def test_a_terminal_shows_progress_while_indexing_and_none_of_it_afterwards(
    repo: MakeRepo,
) -> None:
    seen = _run_on_terminal(repo(TEA).root, "locate", "Leaf", TERM="xterm")

    assert "3 of 3 files, writing the index" in seen
    # All that is left after the line was cleared is the answer.
    assert seen.rpartition("\r\x1b[2K")[2].startswith("\x1b[35mtea/leaf.py\x1b[0m:")


@on_posix
@pytest.mark.parametrize("variables", [{"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}])
def test_a_terminal_without_colours_gets_none(repo: MakeRepo, variables: dict[str, str]) -> None:
    made = repo(TEA)
    settle(made, "tea/brew.py", "tea/leaf.py", "readme.txt")
    run_cruxe(made.root, "index")

    seen = _run_on_terminal(made.root, "locate", "Leaf", **variables)

    assert seen == "tea/leaf.py:1  class  tea.leaf.Leaf  class Leaf\r\n"


@on_posix
def test_nothing_in_a_repository_can_act_on_the_terminal(repo: MakeRepo) -> None:
    made = repo("-- \x1b[31mred.py\ndef greet():\n    pass\n")

    found = run_cruxe(made.root, "locate", "greet")

    assert "\x1b" not in found.stdout
    assert found.stdout.startswith("\\x1b[31mred.py:1 ")


@on_posix
@requirement("CLI-EXIT")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_ends_the_command_quietly(repo: MakeRepo, unbuffered: str) -> None:
    # More than fits into a pipe that nobody reads.
    made = repo("-- a.py\n" + "".join(f"def f{n:0100}(): pass\n" for n in range(3000)))
    run_cruxe(made.root, "index")
    command = subprocess.Popen(
        command_line("outline", "a.py"),
        cwd=made.root,
        env=environment() | {"PYTHONUNBUFFERED": unbuffered},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert command.stdout is not None
    command.stdout.readline()
    command.stdout.close()
    assert command.stderr is not None
    with command, command.stderr:
        said = command.stderr.read()

    assert (command.returncode, said) == (141, "")


@on_posix
@requirement("CLI-EXIT")
def test_an_interrupt_ends_the_command_quietly(repo: MakeRepo) -> None:
    made = repo(TEA)
    # Git that never answers keeps the command waiting until it is interrupted.
    git = made.path("bin/git")
    made.write("-- bin/git\n#!/bin/sh\nkill -INT $PPID\nexec sleep 60\n")
    os.chmod(git, 0o755)  # noqa: S103

    path = os.pathsep.join((os.path.dirname(git), os.environ["PATH"]))
    # Tests that run in the background are started with interrupts ignored, and so is the command.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = run_cruxe(made.root, "locate", "Leaf", PATH=path)
    finally:
        signal.signal(signal.SIGINT, before)

    assert (found.code, found.stdout, found.stderr) == (128 + signal.SIGINT, "", "")


@on_posix
@requirement("STORE-WRITER-LOCK")
def test_a_terminal_is_told_that_another_writer_is_waited_for(repo: MakeRepo) -> None:
    made = repo(TEA)
    lock = WriterLock(layout_of(open_context(made.root)), 0)
    lock.__enter__()
    # Longer than the command waits without a word; it goes on by itself afterwards.
    release = Timer(2.0, lock.__exit__, (None, None, None))
    release.start()
    shown = _run_on_terminal(made.root, "sync")
    release.join()

    assert shown.startswith("waiting for another cruxe that is writing this index")
    assert "generation 1" in shown


def _run_on_terminal(folder: str, *arguments: str, **variables: str) -> str:
    """Run a command on a pseudo-terminal and give all that it wrote there."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command_line(*arguments),
        cwd=folder,
        env=environment(**variables),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as command:
        os.close(theirs)
        written = b"".join(_read_until_closed(ours))
    os.close(ours)
    assert command.returncode == 0
    return written.decode()


def _read_until_closed(descriptor: int) -> list[bytes]:
    pieces: list[bytes] = []
    while True:
        try:
            piece = os.read(descriptor, 65_536)
        except OSError:  # how Linux says that the other side was closed
            return pieces
        if not piece:
            return pieces
        pieces.append(piece)
