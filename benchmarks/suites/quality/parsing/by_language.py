"""What a language costs over its corpora: the bar is about languages, not about repositories."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from benchmarks.harness.figures import CorpusResult
from benchmarks.harness.tables import markdown_table
from benchmarks.suites.quality.parsing.language_figures import MAX_TIMES_FLOOR

_COLUMNS: Final = ("language", "corpora", "source", "floor", "extraction", "times floor", "verdict")
_NEEDED: Final = ("source", "floor", "extraction")


def cost_by_language(corpora: Iterable[CorpusResult]) -> list[str]:
    """A table of the languages that have a floor: those that a grammar reads."""
    found: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for each in corpora:
        for subject in sorted({figure.subject for figure in each.figures}):
            values = {
                figure.name: figure.value for figure in each.figures if figure.subject == subject
            }
            if values.keys() >= {*_NEEDED}:
                found[subject].append((values["source"], values["floor"], values["extraction"]))
    rows = [_row(language, costs) for language, costs in sorted(found.items())]
    return markdown_table(_COLUMNS, rows) if rows else []


def _row(language: str, costs: list[tuple[float, float, float]]) -> tuple[str, ...]:
    megabytes, floor, extraction = (sum(column) for column in zip(*costs, strict=True))
    times = extraction / floor
    return (
        language,
        str(len(costs)),
        f"{megabytes:.1f} MB",
        f"{floor:.2f} s",
        f"{extraction:.2f} s",
        f"{times:.2f} x (<= {MAX_TIMES_FLOOR:.2f} x)",
        "pass" if times <= MAX_TIMES_FLOOR else "FAIL",
    )
