"""A machine for each test, with a disk that nobody waits for."""

import os
from pathlib import Path

import pytest

from tests.support.setting_up import Machine, make_machine


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for the disk would take most of the time, and proves nothing without a power cut."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return make_machine(str(tmp_path))
