"""Judging the intent classifier: shares, calibration, confusion matrices, and the labelled file."""

import pytest

from benchmarks.harness.figures import Verdict
from benchmarks.suites.quality.intent.judging import (
    Judged,
    calibration_error,
    confusion_table,
    wrong_share,
)
from benchmarks.suites.quality.intent.labelled import LabelledQuery, load_queries
from benchmarks.suites.quality.intent.suite import measure
from cruxe.model.intent import QueryIntent, QueryShape

SYMBOL, PATH = QueryIntent.SYMBOL, QueryIntent.PATH
JUDGED = (
    Judged(SYMBOL, SYMBOL, 0.95),
    Judged(SYMBOL, PATH, 0.55),
    Judged(PATH, PATH, 0.55),
    Judged(PATH, PATH, 1.0),
)


def test_the_share_of_wrong_readings_is_of_all() -> None:
    assert wrong_share(JUDGED) == 0.25


def test_the_calibration_error_compares_confidence_and_being_right_bin_by_bin() -> None:
    # The highest bin is too shy by 0.05 in two readings, the middle one too sure by 0.1 in two.
    assert calibration_error(JUDGED) == pytest.approx((0.05 + 0.1) / 4)


def test_a_confusion_matrix_has_labels_down_and_readings_across() -> None:
    assert (
        confusion_table("view", JUDGED, (SYMBOL, PATH))
        == """\
| view: labelled | read as symbol | read as path | found |
| --- | ---: | ---: | ---: |
| symbol | 1 | 1 | 50% |
| path | 0 | 2 | 100% |"""
    )


def test_escapes_in_the_labelled_file_are_undone() -> None:
    queries = load_queries()

    assert LabelledQuery(QueryShape.SYMBOL, "App\\Models\\User") in queries
    assert LabelledQuery(QueryShape.SYMBOL, "@pytest.fixture\ndef client():") in queries


def test_whether_a_query_is_held_out_depends_on_its_text_alone() -> None:
    assert {LabelledQuery(shape, "parse_header").is_held_out for shape in QueryShape} == {
        LabelledQuery(QueryShape.SYMBOL, "parse_header").is_held_out
    }


def test_the_suite_reports_both_views_within_their_bars() -> None:
    measured = measure()

    assert [figure.name for figure in measured.figures if figure.verdict is Verdict.FAIL] == []
    assert [table.split(":")[0] for table in measured.tables] == [
        "| query_intent",
        "| stats.intent",
    ]
