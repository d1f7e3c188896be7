"""The report: what the tables say of figures, bars and skipped corpora."""

import msgspec

from benchmarks.harness.figures import (
    CorpusResult,
    Figure,
    SuiteResult,
    Tally,
    Unit,
    Verdict,
    with_earlier,
)
from benchmarks.harness.report import render_suite, show_value
from benchmarks.suites.quality.hand_checked import (
    HandCheck,
    Repository,
    load_checks,
    render_checks,
)
from benchmarks.suites.quality.parsing.by_language import cost_by_language

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


def test_a_lowest_value_is_a_bar_too() -> None:
    shares = [Figure("recall", value, Unit.SHARE, least=0.98) for value in (0.97, 0.98, 1.0)]

    assert [share.verdict for share in shares] == [Verdict.FAIL, Verdict.PASS, Verdict.PASS]


def test_figures_of_several_subjects_stand_side_by_side_with_what_they_leave_out() -> None:
    django = CorpusResult(
        "django",
        (
            Figure("CPU / floor", 1.7, Unit.TIMES, 1.6, subject="python"),
            Figure("recall", 0.995, Unit.SHARE, least=0.98, subject="python"),
            Figure("CPU / floor", 1.5, Unit.TIMES, 1.6, subject="javascript"),
        ),
        (),
        tallies=(Tally("python", "local value", 3, "is no symbol"),),
    )
    other = CorpusResult(
        "other", (), (), tallies=(Tally("python", "local value", 4, "is no symbol"),)
    )

    assert (
        render_suite(suite_of(django, other))
        == """\
## cold_index

An index beside a floor.

| subject    | corpus | CPU / floor (<= 1.60 x) | recall (>= 98.0%) |
| ---------- | ------ | ----------------------- | ----------------- |
| javascript | django | 1.50 x                  |                   |
| python     | django | 1.70 x FAIL             | 99.5%             |


| subject | difference  | tags | reason       |
| ------- | ----------- | ---- | ------------ |
| python  | local value | 7    | is no symbol |
"""
    )


def test_what_was_checked_by_hand_is_told_with_its_share() -> None:
    check = HandCheck(
        language="zig",
        repositories=(Repository("zigtools/zls", "0123456789abcdef"),),
        checked=199,
        wrong=1,
        missing=1,
        notes="one label",
    )

    assert render_checks([]) == ""
    assert render_checks([check]).endswith(
        """\
| language | repositories              | checked | wrong | missing | right | notes     |
| -------- | ------------------------- | ------- | ----- | ------- | ----- | --------- |
| zig      | zigtools/zls@0123456789ab | 199     | 1     | 1       | 99.0% | one label |
"""
    )


def test_the_file_of_hand_checks_can_be_read() -> None:
    assert all(0 <= check.share_right <= 1 for check in load_checks())


def test_every_unit_is_written_with_the_digits_that_mean_something() -> None:
    assert {unit: show_value(0.5678, unit) for unit in Unit} == {
        Unit.TIMES: "0.57 x",
        Unit.SHARE: "56.8%",
        Unit.SECONDS: "0.57 s",
        Unit.MILLISECONDS: "1 ms",
        Unit.MEGABYTES: "1 MB",
        Unit.MEGABYTES_PER_SECOND: "0.6 MB/s",
        Unit.COUNT: "1",
    }


def suite_of(*corpora: CorpusResult) -> SuiteResult:
    return SuiteResult("cold_index", "An index beside a floor.", corpora)


def test_the_cost_of_a_language_is_that_of_all_its_corpora() -> None:
    def costs(corpus: str, subject: str, floor: float, extraction: float) -> CorpusResult:
        figures = (
            Figure("source", 1.0, Unit.MEGABYTES, subject=subject),
            Figure("floor", floor, Unit.SECONDS, subject=subject),
            Figure("extraction", extraction, Unit.SECONDS, subject=subject),
        )
        return CorpusResult(corpus, figures, ())

    read_by_hand = CorpusResult("c", (Figure("source", 1.0, Unit.MEGABYTES, subject="toml"),), ())
    table = cost_by_language(
        [
            costs("a", "go", 1.0, 1.9),
            costs("b", "go", 3.0, 4.1),
            costs("b", "c", 1.0, 1.7),
            read_by_hand,
        ]
    )

    assert [[cell.strip() for cell in row.strip("|").split("|")] for row in table[2:]] == [
        ["c", "1", "1.0 MB", "1.00 s", "1.70 s", "1.70 x (<= 1.60 x)", "FAIL"],
        ["go", "2", "2.0 MB", "4.00 s", "6.00 s", "1.50 x (<= 1.60 x)", "pass"],
    ]
