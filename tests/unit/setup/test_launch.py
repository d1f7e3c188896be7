"""The command that is written down is one that will still be there."""

import os
import sys

import pytest

from cruxe.model.errors import InvalidInputError
from cruxe.setup.launch import find_launch
from tests.requirements import requirement
from tests.support.setting_up import Machine

NAME = "cruxe.exe" if sys.platform == "win32" else "cruxe"

SERVE = ("serve-mcp", "--format", "text")


def _executable(machine: Machine, name: str) -> str:
    machine.write(name, b"#!/bin/sh\n")
    os.chmod(machine.path(name), 0o700)
    return machine.path(name)


@requirement("SETUP-COMMAND")
def test_the_command_that_was_called_is_registered_by_its_own_path(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    _executable(machine, f"tools/venv-1/bin/{NAME}")
    os.makedirs(machine.path("home/bin"))
    link = machine.path(f"home/bin/{NAME}")
    os.symlink(machine.path(f"tools/venv-1/bin/{NAME}"), link)
    monkeypatch.setattr(sys, "argv", [link, "setup"])

    assert find_launch(None, ()) == (link, SERVE)


@requirement("SETUP-COMMAND")
def test_the_command_beside_the_interpreter_is_next(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = _executable(machine, f"venv/bin/{NAME}")
    monkeypatch.setattr(sys, "executable", machine.path("venv/bin/python"))
    monkeypatch.setattr(sys, "argv", ["-m"])

    assert find_launch(None, ("--x",)) == (beside, (*SERVE, "--x"))


@requirement("SETUP-COMMAND")
def test_the_interpreter_is_the_last_resort(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = machine.path("venv/bin/python")
    monkeypatch.setattr(sys, "executable", python)
    monkeypatch.setattr(sys, "argv", ["-c"])

    assert find_launch(None, ()) == (python, ("-m", "cruxe", *SERVE))


@requirement("SETUP-COMMAND")
def test_a_command_that_was_chosen_is_taken_as_it_is() -> None:
    assert find_launch("cruxe", ()) == ("cruxe", SERVE)


@requirement("SETUP-COMMAND", "SETUP-REFUSE")
def test_a_path_that_is_not_text_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="is not UTF-8") as raised:
        find_launch("/opt/\udcff/cruxe", ())

    assert raised.value.remedy == "name another with --command"
