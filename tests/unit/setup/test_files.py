"""Files are replaced whole, as what they are, or refused with a way out."""

import os
import stat
import sys
from typing import Final

import pytest

from cruxe.model.errors import EngineError, InvalidInputError, StorageError
from cruxe.setup.client_files import read_target, replace_target
from cruxe.setup.clients import Scope
from tests.requirements import requirement
from tests.support.setting_up import Machine, statuses

CLAUDE: Final = ("claude-code", Scope.USER)
CLAUDE_JSON: Final = "home/.claude.json"
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")


@requirement("SETUP-ATOMIC")
@needs_posix
def test_mode_and_links_stay(machine: Machine) -> None:
    machine.write("dotfiles/claude.json", b"{}")
    os.chmod(machine.path("dotfiles/claude.json"), 0o640)
    os.symlink("../dotfiles/claude.json", machine.path(CLAUDE_JSON))

    machine.install(*CLAUDE)

    assert os.readlink(machine.path(CLAUDE_JSON)) == "../dotfiles/claude.json"
    assert b"serve-mcp" in machine.read("dotfiles/claude.json")
    assert stat.S_IMODE(os.stat(machine.path(CLAUDE_JSON)).st_mode) == 0o640


@requirement("SETUP-ATOMIC")
@needs_posix
def test_a_new_configuration_is_for_its_owner_alone(machine: Machine) -> None:
    machine.install(*CLAUDE)

    assert stat.S_IMODE(os.stat(machine.path(CLAUDE_JSON)).st_mode) == 0o600


def _folder(machine: Machine) -> None:
    os.makedirs(machine.path(CLAUDE_JSON))


def _dangling_link(machine: Machine) -> None:
    os.symlink("nowhere", machine.path(CLAUDE_JSON))


def _read_only(machine: Machine) -> None:
    machine.write(CLAUDE_JSON, b"{}")
    os.chmod(machine.path(CLAUDE_JSON), 0o444)


def _invalid(machine: Machine) -> None:
    machine.write(CLAUDE_JSON, b'{"a": \n')


def _latin(machine: Machine) -> None:
    machine.write(CLAUDE_JSON, b'{"a": "gr\xf6\xdfe"}')


def _file_for_folder(machine: Machine) -> None:
    machine.write("home/.claude", b"")


def _pipe(machine: Machine) -> None:
    os.mkfifo(machine.path(CLAUDE_JSON))


REFUSED: Final = {
    _folder: "is a folder",
    _dangling_link: "is a link to a file that does not exist",
    _read_only: "is read-only",
    _invalid: "is not valid JSON: line 2: Expecting value",
    _latin: "is not UTF-8 text",
    _file_for_folder: "cannot be made: a folder on the way to it is a file",
    _pipe: "is not an ordinary file",
}


@requirement("SETUP-REFUSE")
@needs_posix
@pytest.mark.parametrize("spoil", REFUSED)
def test_a_file_that_cannot_be_used_stops_everything(spoil: object, machine: Machine) -> None:
    assert callable(spoil)
    spoil(machine)
    names = set(os.listdir(machine.path("home")))

    with pytest.raises(InvalidInputError) as raised:
        machine.install(*CLAUDE)

    assert REFUSED[spoil] in raised.value.message
    assert raised.value.remedy
    assert set(os.listdir(machine.path("home"))) == names


@requirement("SETUP-REFUSE")
@needs_posix
@pytest.mark.parametrize("link", [".mcp.json", ".claude", "CLAUDE.md"])
def test_a_projects_links_may_not_lead_out_of_it(link: str, machine: Machine) -> None:
    machine.write("elsewhere/victim", b"{}")
    target = "elsewhere" if link == ".claude" else "elsewhere/victim"
    os.symlink(machine.path(target), machine.path(f"project/{link}"))
    before = machine.tree()

    with pytest.raises(InvalidInputError, match="leads out of the project"):
        machine.install("claude-code", Scope.PROJECT)

    assert machine.tree() == before


@requirement("SETUP-REFUSE")
def test_a_file_that_changes_between_reading_and_writing_is_read_again(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.write(CLAUDE_JSON, b'{"a": 1}')
    _change_before_rename(machine, monkeypatch, times=2)

    told = statuses(machine.install(*CLAUDE))

    assert told[".claude.json"] == "updated"
    assert b'"a": 3' in machine.read(CLAUDE_JSON)
    machine.uninstall(*CLAUDE)
    assert machine.read(CLAUDE_JSON) == b'{"a": 3}'


@requirement("SETUP-REFUSE")
def test_a_file_that_never_stops_changing_is_given_up(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.write(CLAUDE_JSON, b'{"a": 1}')
    _change_before_rename(machine, monkeypatch, times=99)

    with pytest.raises(StorageError, match="is being changed by another program"):
        machine.install(*CLAUDE)

    assert b"cruxe" not in machine.read(CLAUDE_JSON)
    assert os.listdir(machine.path("home")) == [".claude.json", ".cruxe"]


@requirement("SETUP-REFUSE")
@needs_posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(machine: Machine) -> None:
    machine.write("home/.codex/config.toml", b"a = 1\n")
    os.chmod(machine.path("home/.codex"), 0o555)  # noqa: S103

    with pytest.raises(EngineError, match="cannot be read or written"):
        machine.install("codex", Scope.USER)


@requirement("SETUP-ATOMIC")
def test_a_failed_write_leaves_no_temporary_file(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.write("home/file", b"old")
    target = read_target(machine.path("home/file"), None)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageError, match="No space left on device"):
        replace_target(target, b"new")

    assert machine.tree()["home/file"] == b"old"
    assert os.listdir(machine.path("home")) == ["file"]


def _change_before_rename(machine: Machine, monkeypatch: pytest.MonkeyPatch, *, times: int) -> None:
    """Let another program write the file each time that its replacement is ready."""
    real, written = os.fsync, [1]

    def change(descriptor: int) -> None:
        real(descriptor)
        if written[0] <= times:
            written[0] += 1
            machine.write(CLAUDE_JSON, b'{"a": %d}' % written[0])

    monkeypatch.setattr(os, "fsync", change)
