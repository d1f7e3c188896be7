"""What a suite is, and running one over its corpora."""

import compileall
import os
import platform
import time
from collections.abc import Callable
from typing import Final, NamedTuple

import benchmarks
import cruxe
from benchmarks.harness.corpora import Candidate, Choice, Corpus, choose_corpora, load_table
from benchmarks.harness.figures import CorpusResult, Measured, SuiteResult
from cruxe.ingest.processing_runs import available_cores

# A median of three still tells; a single cold index does too.
_QUICK_DIVISOR: Final = 5


class Suite(NamedTuple):
    """A group of figures that are measured together."""

    name: str
    about: str  # what is measured against what, for the report
    repeat: int  # how often, unless the command line or the corpus says otherwise
    measure: Callable[[Corpus, int], Measured]


class DataSuite(NamedTuple):
    """A group of figures about data that the benchmarks bring along."""

    name: str
    about: str
    data: str  # what stands in the place of the corpus
    measure: Callable[[], Measured]


class Run(NamedTuple):
    """What the command line says about a run."""

    choice: Choice
    repeat: int | None


def run_suite(suite: Suite | DataSuite, run: Run) -> SuiteResult:
    """Measure all corpora of a suite."""
    if isinstance(suite, DataSuite):
        return SuiteResult(suite.name, suite.about, (_kept(suite.data, suite.measure(), ()),))
    _compile_modules()
    candidates = choose_corpora(load_table(), suite.name, run.choice)
    results = tuple(_measure(suite, run, candidate) for candidate in candidates)
    return SuiteResult(suite.name, suite.about, results)


def _measure(suite: Suite, run: Run, candidate: Candidate) -> CorpusResult:
    corpus, absence, notes = candidate
    if absence is not None:
        return CorpusResult(corpus.folder, (), (absence,))
    measured = suite.measure(corpus, _repeat(suite, run, corpus))
    return _kept(corpus.folder, measured, notes)


def _kept(corpus: str, measured: Measured, notes: tuple[str, ...]) -> CorpusResult:
    notes = (*notes, *measured.notes)
    if measured.figures:
        notes = (*notes, f"{_today()}; {_machine()}.")
    return CorpusResult(
        corpus, measured.figures, notes, measured.tallies, measured.samples, measured.tables
    )


def _repeat(suite: Suite, run: Run, corpus: Corpus) -> int:
    if run.repeat is not None:
        return run.repeat
    if corpus.is_heavy:
        return 1
    return max(1, suite.repeat // _QUICK_DIVISOR) if run.choice.is_quick else suite.repeat


def _compile_modules() -> None:
    """Compile what is measured, as an installation does: no start may pay for it."""
    for module in (cruxe, benchmarks):
        assert module.__file__ is not None
        compileall.compile_dir(os.path.dirname(module.__file__), quiet=1)


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def _machine() -> str:
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{platform.system()} {platform.machine()}, {available_cores()} cores{load},"
        f" Python {platform.python_version()}, Cruxe {cruxe.__version__}"
    )
