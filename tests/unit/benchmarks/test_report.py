"""The report: what the tables say of figures, bars and skipped corpora."""

import msgspec

from benchmarks.harness.figures import (
    CorpusResult,
    Figure,
    SuiteResult,
    Unit,
    Verdict,
    with_earlier,
)
from benchmarks.harness.report import render_suite, show_value

SMALL = CorpusResult(
    corpus="small",
    figures=(
        Figure("CPU / floor", 2.8, Unit.TIMES, 2.8),
        Figure("store / source", 2.04, Unit.TIMES, 2.0),
        Figure("wall", 1.234, Unit.SECONDS),
    ),
    notes=("12 files.", "2026-01-31; a machine."),
)
LARGE = CorpusResult("large", (Figure("CPU / floor", 2.5, Unit.TIMES, 2.8),), ())
SKIPPED = CorpusResult("large", (), ("Skipped: it is not there.",))


def test_a_section_holds_the_table_and_the_notes() -> None:
    assert (
        render_suite(suite_of(SMALL, SKIPPED))
        == """\
## cold_index

An index beside a floor.

| corpus | figure         | measured | bar       | verdict |
| ------ | -------------- | -------- | --------- | ------- |
| small  | CPU / floor    | 2.80 x   | <= 2.80 x | pass    |
| small  | store / source | 2.04 x   | <= 2.00 x | FAIL    |
| small  | wall           | 1.23 s   |           |         |

- small: 12 files. 2026-01-31; a machine.
- large: Skipped: it is not there.
"""
    )


def test_a_suite_without_figures_has_no_table() -> None:
    assert (
        render_suite(suite_of(SKIPPED))
        == """\
## cold_index

An index beside a floor.

- large: Skipped: it is not there.
"""
    )


def test_what_was_not_measured_this_time_keeps_its_earlier_figures() -> None:
    older = CorpusResult("small", (Figure("CPU / floor", 9.9, Unit.TIMES, 2.8),), ())

    result = with_earlier(suite_of(SMALL, SKIPPED), suite_of(older, LARGE))

    assert result == suite_of(SMALL, LARGE)


def test_a_result_comes_back_from_its_file_as_it_was() -> None:
    result = suite_of(SMALL, SKIPPED)

    assert msgspec.json.decode(msgspec.json.encode(result), type=SuiteResult) == result


def test_a_value_at_its_bar_passes_and_one_without_a_bar_is_not_judged() -> None:
    assert [figure.verdict for figure in SMALL.figures] == [
        Verdict.PASS,
        Verdict.FAIL,
        Verdict.NO_BAR,
    ]


def test_one_figure_over_its_bar_fails_the_suite() -> None:
    assert [suite_of(SMALL, LARGE).has_failed, suite_of(LARGE).has_failed] == [True, False]


def test_every_unit_is_written_with_the_digits_that_mean_something() -> None:
    assert {unit: show_value(0.5678, unit) for unit in Unit} == {
        Unit.TIMES: "0.57 x",
        Unit.SHARE: "56.8%",
        Unit.SECONDS: "0.57 s",
        Unit.MILLISECONDS: "1 ms",
        Unit.MEGABYTES: "1 MB",
    }


def suite_of(*corpora: CorpusResult) -> SuiteResult:
    return SuiteResult("cold_index", "An index beside a floor.", corpora)
