"""Suite: queries of one repository of some 300,000 chunks, beside bare Tantivy.

No public repository of ours is so large, so several checkouts are copied into one folder, which
becomes a repository of one commit. Words alone: the floor knows no vectors. CRUXE_LARGE may name a
folder in which the copy and its index stay; to make them takes some ten minutes.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from benchmarks.harness.corpora import FOLDER_VARIABLE, Corpus
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.stores import Store
from benchmarks.harness.suites import Suite
from benchmarks.suites.speed.questions import QUESTIONS
from benchmarks.suites.speed.search_latency import LATE, MIDDLE, ask_queries, percentile, times_over

_BESIDE: Final = ("moby", "django")
_KEPT_VARIABLE: Final = "CRUXE_LARGE"
_MODE_VARIABLE: Final = "CRUXE_SEMANTIC_MODE"
_MODE: Final = "off"
_MAX_TIMES_BARE: Final = 12.0
# Of thirteen queries asked once no percentile can be told.
_LEAST_REPEAT: Final = 5


def measure(corpus: Corpus, repeat: int) -> Measured:
    """Ask the questions and the corpus's symbol again and again."""
    folders = (corpus.folder, *_BESIDE)
    absent = [each for each in folders if not os.path.isdir(_checkout(each))]
    if absent:
        return Measured((), (f"Skipped: there is no checkout of {', '.join(absent)}.",))
    queries, repeat = [*QUESTIONS, corpus.symbol], max(repeat, _LEAST_REPEAT)
    os.environ[_MODE_VARIABLE] = _MODE
    with _home() as home:
        root = os.path.join(home, "joined")
        if not os.path.isdir(os.path.join(root, ".git")):
            _join(folders, root)
        store = Store(home, root, _MODE)
        store.run("index")
        times, documents = ask_queries(store, queries, repeat)
    del os.environ[_MODE_VARIABLE]
    figures = (
        Figure("p50", percentile(times.verified, MIDDLE), Unit.MILLISECONDS),
        Figure("p95", percentile(times.verified, LATE), Unit.MILLISECONDS),
        Figure("p95 of bare Tantivy", percentile(times.bare, LATE), Unit.MILLISECONDS),
        times_over("p50 / bare Tantivy", times.verified, times.bare, MIDDLE, None),
        times_over("p95 / bare Tantivy", times.verified, times.bare, LATE, _MAX_TIMES_BARE),
        times_over("p95 / bare Tantivy, ranking alone", times.ranked, times.bare, LATE, None),
    )
    note = f"{' + '.join(folders)}, {documents:,} documents; {len(queries)} queries, {repeat} times"
    return Measured(figures, (f"{note} each.",))


def _checkout(folder: str) -> str:
    return os.path.join(os.environ.get(FOLDER_VARIABLE, ""), folder)


@contextmanager
def _home() -> Iterator[str]:
    """A folder that is thrown away, or one that stays."""
    if kept := os.environ.get(_KEPT_VARIABLE):
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="cruxe-benchmark-") as folder:
        yield folder


def _join(folders: tuple[str, ...], root: str) -> None:
    """Copy checkouts into one folder and commit it; links are left out."""
    for folder in folders:
        listed = _git(_checkout(folder), "ls-files", "-z").decode().split("\0")
        for path in filter(None, listed):
            source, copy = os.path.join(_checkout(folder), path), os.path.join(root, folder, path)
            if os.path.isfile(source) and not os.path.islink(source):
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copyfile(source, copy)
    _git(root, "init", "--quiet")
    _git(root, "add", "--all", "--force", ".")
    who = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost")
    _git(root, *who, "commit", "--quiet", "--message", "joined")


def _git(folder: str, *arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True).stdout


SUITE: Final = Suite(
    name="search_large",
    about=(
        "Ranked search by words in a process that has the index of a very large repository open:"
        " ranking, reading and verifying the ten results. The repository is several checkouts"
        " copied into one folder. Beside it Tantivy's search for the same terms alone. CPU time."
    ),
    repeat=_LEAST_REPEAT,
    measure=measure,
)
