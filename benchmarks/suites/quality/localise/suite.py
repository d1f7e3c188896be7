"""Suite: pasted issues, by the files and functions that their fixes changed."""

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Final

import cruxe
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.suites import DataSuite
from benchmarks.suites.quality.localise.answers import (
    Answered,
    answer,
    file_ranks,
    function_ranks,
    paths_of,
)
from benchmarks.suites.quality.localise.fitting import SHIPPED, fit, held_out_orders
from benchmarks.suites.quality.localise.issues import (
    ISSUES_VARIABLE,
    MIRROR_VARIABLE,
    clone_of,
    load_issues,
)
from benchmarks.suites.quality.ranking.suite import data_dir
from cruxe.query.rank.pasted import PASTED_TABLE

_CUTS: Final = (1, 3, 5, 10)
_LEAST: Final = {1: 0.62, 3: 0.81, 5: 0.86, 10: 0.92}
_LEAST_FUNCTIONS: Final = 0.40
_LEAST_GAIN: Final = 0.03  # over the title alone, at 1
_DATA_DIR: Final = "CRUXE_STORAGE_DATA_DIR"


def measure() -> Measured:
    """Ask for all issues, by their text and by their title."""
    issues = load_issues()
    if not issues:
        return Measured(notes=(f"Skipped: {ISSUES_VARIABLE} and {MIRROR_VARIABLE} name none.",))
    with tempfile.TemporaryDirectory(prefix="cruxe-issues-") as clones, data_dir() as folder:
        os.environ[_DATA_DIR] = folder
        repositories = {
            repo: cruxe.open(clone_of(repo, clones))
            for repo in sorted({each.repo for each in issues})
        }
        answered = [answer(each, repositories[each.repo]) for each in issues]
    held_out = held_out_orders(answered)
    return Measured(
        (*_file_figures(answered, held_out), *_other_figures(answered)),
        (_told_weights(answered),),
    )


def _file_figures(answered: Sequence[Answered], held_out: Sequence[list[str]]) -> Iterable[Figure]:
    """One file of the fix among the first, and all of them; of all issues and of both halves."""
    pairs = [*zip(answered, held_out, strict=True)]
    yield from _half("all", pairs, _LEAST)
    yield from _half("Python", [each for each in pairs if each[0].issue.is_python], {})
    yield from _half("others", [each for each in pairs if not each[0].issue.is_python], {})


def _half(
    name: str, pairs: Sequence[tuple[Answered, list[str]]], bars: Mapping[int, float]
) -> Iterable[Figure]:
    shown = [file_ranks(each.issue, paths_of(each.places)) for each, _ in pairs]
    titled = [file_ranks(each.issue, paths_of(each.title_places)) for each, _ in pairs]
    fitted = [file_ranks(each.issue, order) for each, order in pairs]
    for cut in _CUTS:
        by_title = _share(min(each) <= cut for each in titled)
        least = max(bars.get(cut, 0.0), by_title + (_LEAST_GAIN if cut == 1 else 0.0))
        share = _share(min(each) <= cut for each in shown)
        yield _figure(f"{name}: any file at {cut}", share, least)
        share = _share(min(each) <= cut for each in fitted)
        yield _figure(f"{name}: any file at {cut}, weights fitted on others", share, least)
        yield _figure(f"{name}: any file at {cut}, title alone", by_title)
        yield _figure(f"{name}: all files at {cut}", _share(max(each) <= cut for each in shown))


def _other_figures(answered: Sequence[Answered]) -> Iterable[Figure]:
    named = [each for each in answered if each.issue.functions]
    ranks = [function_ranks(each.issue, each.places) for each in named]
    for cut in _CUTS:
        least = _LEAST_FUNCTIONS if cut == _CUTS[-1] else None
        share = _share(max(each) <= cut for each in ranks)
        yield _figure(f"all functions at {cut}", share, least)
    asked_again = median(each.milliseconds for each in answered)
    yield Figure("second ask p50", asked_again, Unit.MILLISECONDS)


def _figure(name: str, value: float, least: float | None = None) -> Figure:
    return Figure(name, value, Unit.SHARE, least=least)


def _share(found: Iterable[bool]) -> float:
    return fmean(map(float, found))


def _told_weights(answered: Sequence[Answered]) -> str:
    pairs = zip(PASTED_TABLE.signals, SHIPPED, fit(answered), strict=True)
    told = ", ".join(f"{each.name} {shipped:.2f} ({new:.2f})" for each, shipped, new in pairs)
    return f"Weights that ship, and fitted on all issues: {told}."


SUITE: Final = DataSuite(
    name="localise",
    about=(
        "Real issues as they are pasted (2,000 characters), asked at the commit before their fix:"
        " is a file of the fix among the first, and are all its functions? Bars hold for weights"
        " fitted without the repository too, and against the issue's title alone."
    ),
    data="issues",
    measure=measure,
)
