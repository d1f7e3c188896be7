"""The inner loops in C under the compiler's watch: nonsense in, no byte read or written amiss."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

import pytest

from tests.shape.project import ROOT

SOURCES: Final = Path(ROOT, "src", "cruxe", "native")
WATCHED: Final = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
FLAGS: Final = ("-std=c11", "-fPIC", "-shared", "-ffp-contract=off", *WATCHED)
LIBRARIES: Final = ("libasan.so", "libubsan.so")
HEADER: Final = os.path.join(sysconfig.get_path("include"), "Python.h")
SEEDS: Final = [5, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(6, 16))]
PROGRAM: Final = Path(__file__).with_name("nonsense_for_kernels.py")


def _library(name: str) -> str:
    command = ["gcc", f"-print-file-name={name}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _can_watch() -> bool:
    if sys.platform != "linux" or shutil.which("gcc") is None or not os.path.isfile(HEADER):
        return False
    return all(os.path.isabs(_library(name)) for name in LIBRARIES)  # else it has none


@pytest.mark.skipif(not _can_watch(), reason="it takes gcc, its libraries and Python's headers")
@pytest.mark.parametrize("seed", SEEDS)
def test_nonsense_is_refused_or_answered_and_nothing_is_read_amiss(
    seed: int, tmp_path: Path
) -> None:
    package = tmp_path / "cruxe"
    shutil.copytree(Path(ROOT, "src", "cruxe"), package, ignore=shutil.ignore_patterns("*.so"))
    built = package / "native" / "_kernels.abi3.so"
    headers = f"-I{sysconfig.get_path('include')}"
    sources = sorted(map(str, SOURCES.glob("*.c")))
    subprocess.run(["gcc", *FLAGS, headers, *sources, "-o", built, "-lm"], check=True)
    preloaded = ":".join(_library(name) for name in LIBRARIES)

    environment = os.environ | {
        "PYTHONPATH": os.fspath(tmp_path),
        "PYTHONMALLOC": "malloc",
        "LD_PRELOAD": preloaded,
        # What is let go of is overwritten: Python itself is not watched when it reads such memory.
        "ASAN_OPTIONS": "detect_leaks=0:max_free_fill_size=4096",
    }

    command = [sys.executable, os.fspath(PROGRAM), str(seed)]
    finished = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert finished.stdout == "done\n", finished.stderr
