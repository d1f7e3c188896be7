"""Set-up that is killed at any of its steps leaves whole files, and can be run again."""

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from cruxe.setup.clients import Scope
from tests.requirements import requirement
from tests.support.setting_up import FILES, Machine, Tree, make_machine, statuses

# JSON, TOML and JSON with comments; with files that are there, and files that come.
KILLED: Final = [
    ("claude-code", Scope.PROJECT),
    ("codex", Scope.USER),
    ("vscode", Scope.USER),
]
OLD: Final = "/opt/cruxe"
NEW: Final = "/opt/newer"
_STEPS: Final = ("mkdir", "open", "fsync", "replace", "unlink", "rmdir")
_FEWEST_STEPS: Final = 8


class KilledError(BaseException):
    """What ends a run; nothing may catch it."""


@requirement("SETUP-ATOMIC")
@pytest.mark.parametrize(("client", "scope"), KILLED)
def test_an_install_that_is_killed_loses_nothing(
    client: str, scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for machine, kill in _machines(tmp_path, monkeypatch):
        machine.furnish(client, scope)
        before = machine.tree()

        kill(partial(machine.install, client, scope))

        _check_whole(machine, before, client, scope)
        machine.install(client, scope)
        machine.uninstall(client, scope)
        assert machine.tree() == before


@requirement("SETUP-ATOMIC", "SETUP-RENEW")
@pytest.mark.parametrize(("client", "scope"), KILLED)
def test_a_renewal_that_is_killed_loses_nothing(
    client: str, scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for machine, kill in _machines(tmp_path, monkeypatch, fewest=_FEWEST_STEPS // 2):
        machine.furnish(client, scope)
        before = machine.tree()
        machine.install(client, scope, OLD)

        kill(partial(machine.install, client, scope, NEW))

        told = statuses(machine.install(client, scope, NEW))
        assert set(told.values()) <= {"updated", "unchanged"}
        machine.uninstall(client, scope)
        assert machine.tree() == before


@requirement("SETUP-ATOMIC")
@pytest.mark.parametrize(("client", "scope"), KILLED)
def test_an_uninstall_that_is_killed_loses_nothing(
    client: str, scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for machine, kill in _machines(tmp_path, monkeypatch):
        machine.furnish(client, scope)
        before = machine.tree()
        machine.install(client, scope)

        kill(partial(machine.uninstall, client, scope))

        machine.uninstall(client, scope)
        assert machine.tree() == before


def _machines(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fewest: int = _FEWEST_STEPS
) -> Iterator[tuple[Machine, Callable[[Callable[[], object]], None]]]:
    """A machine for every step, and a way to be killed at that step; ends with a run to the end."""
    for left in count():
        machine = make_machine(str(folder / str(left)))
        ended: list[bool] = []

        def kill(
            work: Callable[[], object],
            machine: Machine = machine,
            left: int = left,
            ended: list[bool] = ended,
        ) -> None:
            ended.append(_runs_to_its_end(work, left, monkeypatch))
            _sweep_temporary_files(machine)

        yield machine, kill
        if ended == [True]:
            assert left >= fewest
            return


def _runs_to_its_end(
    work: Callable[[], object], left: int, monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Let some steps happen and none after them, not even in clean-up."""
    steps = iter(range(left))

    def limited(real: Callable[..., object]) -> Callable[..., object]:
        def run(*arguments: object, **options: object) -> object:
            if next(steps, None) is None:
                raise KilledError
            return real(*arguments, **options)

        return run

    with monkeypatch.context() as patch:
        for name in _STEPS:
            patch.setattr(os, name, limited(getattr(os, name)))
        try:
            work()
        except KilledError:
            return False
    return True


def _check_whole(machine: Machine, before: Tree, client: str, scope: Scope) -> None:
    """Every file is what it was, or what was there and something of ours."""
    for name in FILES[client][scope].values():
        data, old = machine.read(name), before[name]
        assert old is not None
        assert data == old or (b"cruxe" in data and len(data) > len(old))


def _sweep_temporary_files(machine: Machine) -> None:
    """Remove what only a crash leaves behind."""
    for name in machine.tree():
        if re.search(r"\.cruxe-[0-9a-f]{8}$", name):
            os.unlink(machine.path(name))
