"""What is installed is what is in the source folder: queries and the typing marker too."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.shape.project import PACKAGE, ROOT, project_files


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as `pip install .` does."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.iterdir()
    return built


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("cruxe/")}

    assert packed == {
        path.removeprefix("src/") for path in project_files() if path.startswith(PACKAGE)
    }


def test_the_wheel_holds_queries_and_the_typing_marker(wheel: Path) -> None:
    packed = zipfile.ZipFile(wheel).namelist()

    assert "cruxe/py.typed" in packed
    assert any(name.endswith(".scm") for name in packed)


def test_the_wheel_installs_the_command(wheel: Path) -> None:
    entry_points = zipfile.ZipFile(wheel).read("cruxe-0.1.0.dist-info/entry_points.txt").decode()

    assert entry_points.split() == [
        "[console_scripts]",
        "cruxe",
        "=",
        "cruxe.serve.cli.script:run",
    ]
