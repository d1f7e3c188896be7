"""The wheel, built as `pip install .` builds it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.shape.project import PACKAGE, ROOT, project_files

_BESIDE = ("LICENSE", "README.md", "pyproject.toml", "setup.py")


def build_wheel(folder: Path) -> Path:
    """Build it from a copy of the sources: what earlier builds left behind is not in it."""
    for path in project_files():
        if path.startswith(PACKAGE) or path in _BESIDE:
            copied = folder / "sources" / path
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(os.path.join(ROOT, path), copied)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "../wheel"]
    subprocess.run(build, cwd=folder / "sources", check=True, capture_output=True)
    (wheel,) = (folder / "wheel").iterdir()
    return wheel
