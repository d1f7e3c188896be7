"""The peer semble: found by an environment variable, run by its own command on an empty cache.

    python -m venv DIR && DIR/bin/pip install 'semble==0.7.*'
    CRUXE_PEER_SEMBLE=DIR python -m benchmarks peer_index

Its command indexes a folder when it is first searched: chunks, BM25 and embeddings, kept on disk.
CRUXE_PEER_SEMBLE_MODEL may name a folder with its model. Without one a stand-in of the published
size takes its place: what a look-up in the table costs does not depend on the numbers in it.
"""

import os
import subprocess
import tempfile
from typing import Final, NamedTuple

import msgspec

from benchmarks.harness.processes import Cost, clean_environment, run

FOLDER_VARIABLE: Final = "CRUXE_PEER_SEMBLE"
MODEL_VARIABLE: Final = "CRUXE_PEER_SEMBLE_MODEL"
_VERSION: Final = "0.7."
_MODEL_PROGRAM: Final = os.path.join(os.path.dirname(__file__), "semble_model.py")
_SEARCH_PROGRAM: Final = os.path.join(os.path.dirname(__file__), "semble_search.py")
_QUERY: Final = "read the settings"


class Semble(NamedTuple):
    """An installed semble and the model that it embeds with."""

    programs: str  # the folder of its commands
    version: str
    model: str

    def index_folder(self, root: str, content: str) -> Cost:
        """Index a folder from nothing; `content` is code, its default, or all."""
        with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-peer-") as home:
            environment = clean_environment(
                HOME=home,
                SEMBLE_CACHE_LOCATION=os.path.join(home, "cache"),
                SEMBLE_MODEL_NAME=self.model,
                HF_HUB_OFFLINE="1",
            )
            command = [os.path.join(self.programs, "semble"), "search", _QUERY, root]
            # Its worker processes import from the folder they are started in.
            cost = run([*command, "-k", "1", "--content", content], environment, directory=home)
        if not msgspec.json.decode(cost.output, type=_Answer).results:
            raise ValueError(f"semble found nothing in {root}, so it cannot have indexed it")
        return cost

    def time_queries(self, root: str, queries: list[str], repeat: int) -> dict[str, list[float]]:
        """The CPU milliseconds of queries by mode, in a process that has the index open."""
        # The folder of the program has a module of the peer's name, which must not be found first.
        python = [os.path.join(self.programs, "python"), "-P"]
        with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-peer-") as home:
            said = subprocess.run(
                [*python, _SEARCH_PROGRAM, root, self.model, str(repeat)],
                input=msgspec.json.encode(queries),
                env=clean_environment(HOME=home, HF_HUB_OFFLINE="1"),
                cwd=home,
                check=True,
                capture_output=True,
            ).stdout
        return msgspec.json.decode(said, type=dict[str, list[float]])


class _Answer(msgspec.Struct):
    results: list[dict[str, object]]


def find_programs() -> str | None:
    """The folder of semble's commands, if the environment names an installation."""
    folder = os.environ.get(FOLDER_VARIABLE, "")
    for name in ("bin", "Scripts"):
        programs = os.path.join(folder, name)
        if folder and os.path.isdir(programs):
            return programs
    return None


def open_semble(programs: str, root: str, model_folder: str) -> Semble | str:
    """Make semble ready for a corpus, or say why it is not the peer we compare with."""
    said = run([os.path.join(programs, "semble"), "--version"], clean_environment())
    version = said.output.split()[-1]
    if not version.startswith(_VERSION):
        return f"Skipped: semble {version} is installed, the bar is about {_VERSION}x."
    model = os.environ.get(MODEL_VARIABLE) or _write_stand_in(programs, root, model_folder)
    return Semble(programs, version, model)


def _write_stand_in(programs: str, root: str, folder: str) -> str:
    tracked = subprocess.run(
        ["git", "ls-files", "-z"],
        cwd=root,
        env=clean_environment(),
        check=True,
        capture_output=True,
    ).stdout
    subprocess.run(
        [os.path.join(programs, "python"), _MODEL_PROGRAM, root, folder],
        input=tracked,
        env=clean_environment(),
        check=True,
    )
    return folder
