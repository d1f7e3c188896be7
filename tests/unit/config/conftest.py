"""Fixtures for tests of the configuration."""

from pathlib import Path

import pytest

from tests.unit.config.workplace import Workplace


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    """Give places for configuration files, all empty."""
    return Workplace(tmp_path)
