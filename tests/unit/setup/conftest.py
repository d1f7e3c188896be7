"""A machine for each test."""

from pathlib import Path

import pytest

from tests.setting_up import Machine, make_machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return make_machine(str(tmp_path))
