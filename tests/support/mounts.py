"""Programs that see a small or a read-only disk: they run in a mount namespace of their own."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from functools import cache

from tests.support.programs import SOURCE_FOLDER


@cache
def can_mount() -> bool:
    """Whether this user may mount in a namespace of its own; on Linux most may."""
    if shutil.which("unshare") is None or not sys.platform.startswith("linux"):
        return False
    attempt = [*_namespace(), "mount", "-t", "tmpfs", "tmpfs", tempfile.gettempdir()]
    return subprocess.run(attempt, check=False, capture_output=True).returncode == 0


def run_mounted(mount: str, code: str, *arguments: str) -> str:
    """Mount, then run a program that sees the mount; gives what it printed, a failure raises.

    The mount and what was written to it are gone with the program.
    """
    finished = subprocess.run(
        [*_namespace(), "sh", "-c", f'{mount} && exec "$@"', "sh", sys.executable, "-c",
         textwrap.dedent(code), *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": SOURCE_FOLDER},
    )  # fmt: skip
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def _namespace() -> list[str]:
    return ["unshare", "--user", "--map-root-user", "--mount"]
