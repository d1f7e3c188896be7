"""The wheel in an environment of its own, where nothing can be reached: it answers by meaning.

What Cruxe depends on is lent by the environment of the tests, without Cruxe itself.
"""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tests.requirements import requirement
from tests.support.command import environment
from tests.support.repositories import MakeRepo
from tests.support.wheels import build_wheel

QUESTION: Final = "where are the credentials of a user verified"
SOURCES: Final = """
-- src/access.py
def login(user, password):
    '''Verify the credentials of a user.'''
    return password
-- src/money.py
def refund(invoice):
    '''Give back a payment.'''
    return invoice
"""
# In every process of that environment, before anything else runs.
NO_NETWORK: Final = """
import socket, sys

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind", "socket.sendto"):
        raise PermissionError(f"the network is blocked: {event}")

sys.addaudithook(refuse)
"""
WHERE: Final = "import cruxe; print(cruxe.__file__)"
REACH: Final = "import socket; socket.create_connection(('127.0.0.1', 9))"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The interpreter of an environment that holds the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("offline")
    wheel = build_wheel(folder)
    venv.create(folder / "empty", with_pip=False)
    scripts = folder / "empty" / ("Scripts" if os.name == "nt" else "bin")
    python = os.fspath(scripts / ("python.exe" if os.name == "nt" else "python"))
    packages = Path(_output(python, "import sysconfig; print(sysconfig.get_path('purelib'))"))
    zipfile.ZipFile(wheel).extractall(packages)
    # Such a folder's own .pth files are not read, so an editable Cruxe does not come with it.
    lent = [path for path in sys.path if os.path.basename(path) == "site-packages"]
    (packages / "lent.pth").write_text("\n".join(lent), encoding="utf-8")
    (packages / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    return python


def _output(python: str, code: str) -> str:
    finished = subprocess.run(
        [python, "-c", code], check=True, capture_output=True, text=True, env=_environment()
    )
    return finished.stdout.strip()


def _environment() -> dict[str, str]:
    return {name: value for name, value in environment().items() if name != "PYTHONPATH"}


@requirement("ADVISE-OFFLINE")
def test_hybrid_answers_from_the_wheel_without_any_network(python: str, repo: MakeRepo) -> None:
    made = repo(SOURCES)
    command = [python, "-m", "cruxe", "search", "--json", QUESTION]
    finished = subprocess.run(
        command, cwd=made.root, check=False, capture_output=True, text=True, env=_environment()
    )
    assert finished.returncode == 0, finished.stderr
    answer = json.loads(finished.stdout)

    assert answer["metadata"]["semantic_mode"] == "hybrid"
    assert answer["metadata"]["semantic_triggered"] is True
    assert answer["metadata"]["semantic_fallback"] is False
    assert answer["results"][0]["path"] == "src/access.py"
    assert answer["results"][0]["provenance"] in ("semantic", "hybrid")


@requirement("ADVISE-OFFLINE")
def test_that_environment_holds_the_wheel_and_blocks_the_network(python: str) -> None:
    reached = subprocess.run(
        [python, "-c", REACH], check=False, capture_output=True, text=True, env=_environment()
    )

    assert _output(python, WHERE).startswith(os.path.dirname(os.path.dirname(python)))
    assert "the network is blocked: socket." in reached.stderr
