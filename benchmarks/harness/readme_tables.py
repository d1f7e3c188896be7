"""The tables of measured figures in `README.md`, written from the kept results.

`python -m benchmarks` renews them after each suite; `python -m benchmarks.harness.readme_tables`
does it alone. A test compares the README with what this module gives.
"""

import os
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from benchmarks.harness.figures import Figure, SuiteResult, Unit, Verdict
from benchmarks.harness.report import load_results, show_bar, show_value
from benchmarks.harness.tables import markdown_table

README_PATH: Final = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "README.md"
)
START: Final = "<!-- measured: start; written by python -m benchmarks.harness.readme_tables -->"
END: Final = "<!-- measured: end -->"
_TOGETHER: Final = "all together"


class Measurements(NamedTuple):
    """Looks figures up by suite, corpus, name and subject."""

    results: Sequence[SuiteResult]

    def figures(self, suite: str, corpus: str) -> list[Figure]:
        """All figures of a corpus."""
        found = [each for each in self.results if each.suite == suite]
        return [
            figure
            for result in found
            for each in result.corpora
            if each.corpus == corpus
            for figure in each.figures
        ]

    def figure(self, suite: str, corpus: str, name: str, subject: str = "") -> Figure:
        """One figure; a KeyError names what is missing."""
        for figure in self.figures(suite, corpus):
            if (figure.name, figure.subject) == (name, subject):
                return figure
        raise KeyError(f"benchmarks/results/{suite}.json: {corpus}, {name!r}, {subject!r}")

    def shown(self, suite: str, corpus: str, name: str, subject: str = "") -> str:
        """One value with its unit; small times keep a digit."""
        figure = self.figure(suite, corpus, name, subject)
        if figure.unit is Unit.MILLISECONDS and figure.value < 10:  # noqa: PLR2004 - one digit
            return f"{figure.value:.1f} ms"
        return show_value(figure.value, figure.unit)


def write_readme() -> None:
    """Put the tables of the kept results into the README."""
    with open(README_PATH, encoding="utf-8") as file:
        text = file.read()
    with open(README_PATH, "w", encoding="utf-8", newline="\n") as file:
        file.write(with_tables(text, readme_tables(load_results())))


def with_tables(text: str, tables: str) -> str:
    """Replace what stands between the two markers."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{tables}\n{END}{after}"


def readme_tables(results: Sequence[SuiteResult]) -> str:
    """Write the tables: beside a peer, by itself, where the peer is ahead, and missed bars."""
    measured = Measurements(results)
    parts = [
        f"Measured {_dates(results)} on Linux, x86_64, 2 cores.",
        "**Beside semble**, both in one run:",
        *markdown_table(("measured", "Cruxe", "semble", "semble, all content"), _beside(measured)),
        "**Cruxe by itself:**",
        *markdown_table(("measured", "value", "bar"), _alone(measured)),
        "**Where semble is ahead:**",
        *_ahead(measured),
        "**Bars that Cruxe misses:**",
        *_missed(results),
    ]
    return "\n".join(_spaced(parts))


def _spaced(lines: Iterable[str]) -> Iterable[str]:
    """Put an empty line around each heading."""
    for number, line in enumerate(lines):
        is_heading = line.startswith("**")
        if is_heading and number:
            yield ""
        yield line
        if is_heading:
            yield ""
    yield ""


def _dates(results: Iterable[SuiteResult]) -> str:
    """Give the first and the last day of all measurements."""
    notes = (note for result in results for each in result.corpora for note in each.notes)
    days = sorted(day for note in notes for day in re.findall(r"\b\d{4}-\d\d-\d\d\b", note))
    return days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


def _beside(measured: Measurements) -> list[list[str]]:
    def index(label: str, suite: str, corpus: str, subject: str = "") -> list[str]:
        names = ("CPU", "CPU of semble", "CPU of semble, all content")
        return [label, *(measured.shown(suite, corpus, name, subject) for name in names)]

    def latency(label: str, name: str) -> list[str]:
        names = (name, f"{name} of semble")
        found = [measured.shown("peer_latency", "repositories", n, _TOGETHER) for n in names]
        return [label, *found, ""]

    def start(label: str, ours: str, theirs: str) -> list[str]:
        shown = measured.shown("mcp", "django", ours)
        return [label, shown, measured.shown("mcp", "django", theirs, "semble"), ""]

    indexed = len(_ratios(measured.figures("peer_repositories", "repositories"), "CPU / semble"))
    asked = len(_ratios(measured.figures("peer_latency", "repositories"), "p50 / semble"))
    together = f"first index of {indexed} repositories together, CPU"
    return [
        index("first index of django, CPU", "peer_index", "django"),
        index("first index of kubernetes, CPU", "peer_index", "kubernetes"),
        index(together, "peer_repositories", "repositories", _TOGETHER),
        latency(f"a warm question in {asked} repositories, p50", "p50"),
        latency("the same, p95", "p95"),
        start("MCP server: start to `initialize`", "start to initialize", "peer: initialize"),
        start("MCP server: memory after `tools/list`", "memory then", "peer: memory then"),
    ]


_ALONE: Final = (
    ("ranking by words, whole repositories, NDCG@10", "search_quality", "dev queries",
     "whole repository: NDCG@10"),
    ("ranking by words and meaning, NDCG@10", "semantic", "dev queries",
     "whole repository: NDCG@10, hybrid"),
    ("the same, weights fitted on other repositories", "semantic", "dev queries",
     "whole repository: NDCG@10, hybrid, weights fitted on others"),
    ("definition by unique name is first, django", "locate_quality", "django",
     "first, of a unique name"),
    ("`cruxe locate` in django, whole process", "locate", "django", "wall"),
    ("the same beside a bare Python", "locate", "django", "wall / bare interpreter"),
    ("`cruxe search` in django, whole process", "search", "django", "wall, by meaning too"),
    ("first index of django, CPU beside parsing alone", "cold_index", "django", "CPU / floor"),
    ("a question beside Tantivy alone, very large repository, p95", "search_large", "kubernetes",
     "p95 / bare Tantivy"),
    ("a saved file is found after, median", "serving", "django", "save to searchable: p50"),
    ("a second worktree beside a first index, CPU", "incremental", "django",
     "second worktree: CPU / cold index"),
    ("index on disk beside the source, django", "store_size", "repositories", "store / source"),
    ("tokens of a result at `signature`, flask", "tokens", "flask", "signature: tokens a result"),
    ("idle server, memory", "idle", "django", "idle: resident"),
    ("installed, with all packages", "install_size", "base install", "installed"),
)  # fmt: skip
_SUBJECTS: Final = {"locate_quality": "python", "store_size": "django"}


def _alone(measured: Measurements) -> list[list[str]]:
    rows: list[list[str]] = []
    for label, suite, corpus, name in _ALONE:
        subject = _SUBJECTS.get(suite, "")
        figure = measured.figure(suite, corpus, name, subject)
        rows.append([label, measured.shown(suite, corpus, name, subject), show_bar(figure)])
    return rows


def _ahead(measured: Measurements) -> list[str]:
    """Name the repositories in which the peer needs less time, with the ratio."""
    questions = [
        _ahead_line(f"a warm question, {name}", measured.figures("peer_latency", "repositories"),
                    f"{name} / semble")
        for name in ("p50", "p95")
    ]  # fmt: skip
    index = measured.figures("peer_repositories", "repositories")
    return [*questions, _ahead_line("first index", index, "CPU / semble")]


def _ahead_line(label: str, figures: Iterable[Figure], name: str) -> str:
    ratios = _ratios(figures, name)
    slower = sorted((each for each in ratios if each.value > 1), key=lambda each: -each.value)
    named = ", ".join(f"{each.subject} {show_value(each.value, each.unit)}" for each in slower)
    return f"- {label}: {len(slower)} of {len(ratios)} repositories" + (
        f" ({named})" if named else ""
    )


def _ratios(figures: Iterable[Figure], name: str) -> list[Figure]:
    """Give one figure of each repository."""
    return [each for each in figures if each.name == name and each.subject != _TOGETHER]


def _missed(results: Iterable[SuiteResult]) -> list[str]:
    rows = [
        [
            result.suite,
            ", ".join(part for part in (each.corpus, figure.subject, figure.name) if part),
            show_value(figure.value, figure.unit),
            show_bar(figure),
        ]
        for result in results
        for each in result.corpora
        for figure in each.figures
        if figure.verdict is Verdict.FAIL
    ]
    return markdown_table(("suite", "measured", "value", "bar"), rows) if rows else ["None."]


if __name__ == "__main__":
    write_readme()
