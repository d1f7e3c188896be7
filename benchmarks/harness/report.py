"""Results as tables: on the terminal after each suite, and all of them in `REPORT.md`."""

import os
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from benchmarks.harness.figures import Figure, SuiteResult, Unit, with_earlier

_HERE: Final = os.path.dirname(os.path.dirname(__file__))
RESULTS_FOLDER: Final = os.path.join(_HERE, "results")
REPORT_PATH: Final = os.path.join(_HERE, "REPORT.md")
_HEAD: Final = """# What Cruxe costs

Written by `python -m benchmarks`. A bar holds for figures of one run on one machine: compare the
ratios, not the seconds of different machines. CPU seconds are those of the whole process tree, the
start of the interpreter included on both sides; repeated measurements are interleaved and given
by their median.
"""
_COLUMNS: Final = ("corpus", "figure", "measured", "bar", "verdict")


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
    """Write `REPORT.md` from all results that are kept."""
    with open(REPORT_PATH, "w", encoding="utf-8", newline="\n") as file:
        file.write(render_report(load_results()))


def render_report(results: Iterable[SuiteResult]) -> str:
    """Write the whole report in Markdown."""
    return "\n".join([_HEAD, *map(render_suite, results)])


def render_suite(result: SuiteResult) -> str:
    """Write one suite's section."""
    rows = [_row(each.corpus, figure) for each in result.corpora for figure in each.figures]
    notes = [f"- {each.corpus}: {' '.join(each.notes)}" for each in result.corpora if each.notes]
    table = [*_table(rows), ""] if rows else []
    more = [line for each in result.corpora for text in each.tables for line in ("", text)]
    return "\n".join([f"## {result.suite}", "", result.about, "", *table, *notes, *more, ""])


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(_COLUMNS, *rows, strict=True)]
    ruler = ["-" * width for width in widths]
    return [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in (_COLUMNS, ruler, *rows)
    ]


def _row(corpus: str, figure: Figure) -> tuple[str, ...]:
    bar = "" if figure.bar is None else f"<= {show_value(figure.bar, figure.unit)}"
    return (corpus, figure.name, show_value(figure.value, figure.unit), bar, figure.verdict)


def show_value(value: float, unit: Unit) -> str:
    """Write a value with as many digits as mean something."""
    match unit:
        case Unit.TIMES:
            return f"{value:.2f} x"
        case Unit.SHARE:
            return f"{value:.1%}"
        case Unit.SECONDS:
            return f"{value:.2f} s"
        case Unit.MILLISECONDS:
            return f"{value:.0f} ms"
        case Unit.MEGABYTES:
            return f"{value:.0f} MB"
