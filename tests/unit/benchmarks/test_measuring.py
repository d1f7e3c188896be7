"""Measuring: ratios of medians, costs of process trees, and the choice of corpora."""

import os
import sys

import pytest

from benchmarks.harness.corpora import Candidate, Choice, Corpus, choose_corpora, load_table
from benchmarks.harness.figures import ratio
from benchmarks.harness.processes import CommandFailedError, clean_environment, run, run_watched
from benchmarks.harness.suites import Suite
from tests.support.repositories import MakeRepo

needs_unix = pytest.mark.skipif(not hasattr(os, "wait4"), reason="costs come from wait4")
ABSENT = Corpus(
    folder="absent", repository="a/b", commit="0123456789abcdef", suites=("one",), symbol="s"
)
HEAVY = Corpus(
    folder="heavy", repository="a/b", commit="c", suites=("one",), symbol="s", is_heavy=True
)
OTHER = Corpus(folder="other", repository="a/b", commit="c", suites=("two",), symbol="s")
BURN = "import time\nwhile time.process_time() < 0.3: pass\n"
BURN_IN_CHILD = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BURN!r}])"


def test_a_ratio_is_that_of_the_medians() -> None:
    assert ratio([4.0, 100.0, 6.0], [2.0, 1.0, 50.0]) == 3.0


@needs_unix
def test_the_cost_of_a_command_includes_its_children() -> None:
    cost = run([sys.executable, "-c", BURN_IN_CHILD], clean_environment())

    assert cost.cpu_seconds >= 0.3


@needs_unix
@pytest.mark.skipif(sys.platform != "linux", reason="processes are sampled from /proc")
def test_a_watched_command_tells_its_busiest_process_and_its_memory() -> None:
    cost = run_watched([sys.executable, "-c", BURN_IN_CHILD], clean_environment())

    assert cost.busiest_cpu_seconds is not None
    assert cost.peak_memory_bytes is not None
    assert 0 < cost.busiest_cpu_seconds < cost.cpu_seconds
    assert cost.peak_memory_bytes > 1_000_000


@needs_unix
def test_a_command_that_fails_has_no_cost() -> None:
    with pytest.raises(CommandFailedError, match="no such thing"):
        run([sys.executable, "-c", "import sys; sys.exit('no such thing')"], clean_environment())


def test_no_setting_of_the_caller_reaches_a_measured_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CRUXE_INDEX_PARALLELISM", "1")

    assert "CRUXE_INDEX_PARALLELISM" not in clean_environment()


def test_a_corpus_that_is_not_there_is_skipped_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: os.PathLike[str]
) -> None:
    monkeypatch.setenv("CRUXE_CORPORA", os.fspath(tmp_path))

    chosen = choose_corpora((ABSENT, HEAVY, OTHER), "one", Choice((), is_quick=True))

    assert chosen == [
        Candidate(ABSENT, "Skipped: the folder of CRUXE_CORPORA has no checkout of it."),
        Candidate(HEAVY, "Left out of a quick run."),
    ]


def test_without_a_folder_of_checkouts_every_corpus_is_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CRUXE_CORPORA", raising=False)

    chosen = choose_corpora((ABSENT,), "one", Choice((), is_quick=False))

    assert chosen == [Candidate(ABSENT, "Skipped: CRUXE_CORPORA names no folder of checkouts.")]


def test_a_corpus_at_another_commit_is_measured_and_the_note_says_so(
    monkeypatch: pytest.MonkeyPatch, repo: MakeRepo
) -> None:
    made = repo("-- a.py\nx = 1\n", name="absent")
    head = made.git("rev-parse", "HEAD")[:12]
    monkeypatch.setenv("CRUXE_CORPORA", os.path.dirname(made.root))

    chosen = choose_corpora((ABSENT, OTHER), "two", Choice(("absent",), is_quick=True))

    assert chosen == [
        Candidate(ABSENT, None, (f"At {head}, not at 0123456789ab as corpora.toml says.",))
    ]


@needs_unix
def test_the_table_names_only_suites_that_exist() -> None:
    from benchmarks.__main__ import SUITES

    named = {suite for corpus in load_table() for suite in corpus.suites}

    # Some look over the corpora that name them by themselves.
    assert {name for name, suite in SUITES.items() if isinstance(suite, Suite)} <= named
    assert named <= SUITES.keys()
