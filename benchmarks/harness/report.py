"""Results as tables: on the terminal after each suite, and all of them in `REPORT.md`."""

import os
from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from benchmarks.harness.figures import (
    CorpusResult,
    Figure,
    SuiteResult,
    Unit,
    Verdict,
    with_earlier,
)
from benchmarks.harness.tables import markdown_table
from benchmarks.suites.quality.hand_checked import load_checks, render_checks
from benchmarks.suites.quality.parsing.by_language import cost_by_language

_HERE: Final = os.path.dirname(os.path.dirname(__file__))
RESULTS_FOLDER: Final = os.path.join(_HERE, "results")
REPORT_PATH: Final = os.path.join(_HERE, "REPORT.md")
_HEAD: Final = """# What Cruxe costs

Written by `python -m benchmarks`. A bar holds for figures of one run on one machine: compare the
ratios, not the seconds of different machines. CPU seconds are those of the whole process tree, the
start of the interpreter included on both sides; repeated measurements are interleaved and given
by their median.
"""
_FORMATS: Final = {
    Unit.TIMES: "{:.2f} x",
    Unit.SHARE: "{:.1%}",
    Unit.SECONDS: "{:.2f} s",
    Unit.MILLISECONDS: "{:.0f} ms",
    Unit.MEGABYTES: "{:.0f} MB",
    Unit.MEGABYTES_PER_SECOND: "{:.1f} MB/s",
    Unit.COUNT: "{:,.0f}",
}
_COLUMNS: Final = ("corpus", "figure", "measured", "bar", "verdict")
# What is told of all corpora of a suite together.
_TOGETHER: Final = {"languages": cost_by_language}


def save_result(result: SuiteResult) -> None:
    """Keep a suite's result; corpora that it has no figures of keep those they had."""
    os.makedirs(RESULTS_FOLDER, exist_ok=True)
    path = os.path.join(RESULTS_FOLDER, f"{result.suite}.json")
    if os.path.exists(path):
        result = with_earlier(result, _load(path))
    packed = msgspec.json.format(msgspec.json.encode(result), indent=2)
    with open(path, "wb") as file:
        file.write(packed + b"\n")


def load_results() -> list[SuiteResult]:
    """All results that are kept, by name of suite."""
    names = sorted(name for name in os.listdir(RESULTS_FOLDER) if name.endswith(".json"))
    return [_load(os.path.join(RESULTS_FOLDER, name)) for name in names]


def _load(path: str) -> SuiteResult:
    with open(path, "rb") as file:
        return msgspec.json.decode(file.read(), type=SuiteResult)


def write_report() -> None:
    """Write `REPORT.md` from all results that are kept and what was checked by hand."""
    text = "\n".join([render_report(load_results()), render_checks(load_checks())])
    with open(REPORT_PATH, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def render_report(results: Iterable[SuiteResult]) -> str:
    """Write the whole report in Markdown."""
    return "\n".join([_HEAD, *map(render_suite, results)])


def render_suite(result: SuiteResult) -> str:
    """Write one suite's section."""
    figures = [figure for each in result.corpora for figure in each.figures]
    has_subjects = any(figure.subject for figure in figures)
    table = _wide_table(result.corpora) if has_subjects else _long_table(result.corpora)
    notes = [f"- {each.corpus}: {' '.join(each.notes)}" for each in result.corpora if each.notes]
    shown = [*table, ""] if figures else []
    tallies = _tally_table(result.corpora)
    more = [line for each in result.corpora for text in each.tables for line in (text, "")]
    if result.suite in _TOGETHER:
        more += [*_TOGETHER[result.suite](result.corpora), ""]
    parts = [f"## {result.suite}", "", result.about, "", *shown, *notes, "", *tallies, *more]
    return "\n".join(parts)


def _long_table(corpora: Iterable[CorpusResult]) -> list[str]:
    """One figure a row."""
    rows = [
        (
            each.corpus,
            figure.name,
            show_value(figure.value, figure.unit),
            show_bar(figure),
            figure.verdict,
        )
        for each in corpora
        for figure in each.figures
    ]
    return markdown_table(_COLUMNS, rows)


def _wide_table(corpora: Iterable[CorpusResult]) -> list[str]:
    """One subject of a corpus a row, one figure a column."""
    columns: dict[str, str] = {}
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for each in corpora:
        for figure in each.figures:
            bar = show_bar(figure)
            columns[figure.name] = f"{figure.name} ({bar})" if bar else figure.name
            verdict = " FAIL" if figure.verdict is Verdict.FAIL else ""
            cell = f"{show_value(figure.value, figure.unit)}{verdict}"
            rows.setdefault((figure.subject, each.corpus), {})[figure.name] = cell
    cells = [
        [*place, *(shown.get(name, "") for name in columns)]
        for place, shown in sorted(rows.items())
    ]
    return markdown_table(["subject", "corpus", *columns.values()], cells)


def _tally_table(corpora: Iterable[CorpusResult]) -> list[str]:
    """What figures leave out and why, over all corpora."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for each in corpora:
        for tally in each.tallies:
            counts[tally.subject, tally.name, tally.reason] += tally.count
    rows = [
        (subject, name, f"{count:,}", reason)
        for (subject, name, reason), count in sorted(counts.items())
        if reason
    ]
    columns = ("subject", "difference", "tags", "reason")
    return [*markdown_table(columns, rows), ""] if rows else []


def show_bar(figure: Figure) -> str:
    """Write the bar that a figure is held to; an empty text if it has none."""
    if figure.bar is not None:
        return f"<= {show_value(figure.bar, figure.unit)}"
    return "" if figure.least is None else f">= {show_value(figure.least, figure.unit)}"


def show_value(value: float, unit: Unit) -> str:
    """Write a value with as many digits as mean something."""
    return _FORMATS[unit].format(value)
