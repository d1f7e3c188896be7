"""What is installed is what is in the source folder: queries and the typing marker too."""

import zipfile
from pathlib import Path
from typing import Final

import pytest

from cruxe.native import kernels
from tests.shape.project import PACKAGE, project_files
from tests.support.wheels import build_wheel

EXTENSION: Final = "cruxe/native/_kernels."
C_SOURCES: Final = (".c", ".h")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("cruxe/")}

    assert {name for name in packed if not name.startswith(EXTENSION)} == {
        path.removeprefix("src/")
        for path in project_files()
        if path.startswith(PACKAGE) and not path.endswith(C_SOURCES)
    }


def test_the_wheel_holds_the_extension_where_one_can_be_built(wheel: Path) -> None:
    built = [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith(EXTENSION)]

    assert len(built) == (kernels() is not None)
    assert "-cp311-abi3-" in wheel.name


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
