"""Suite: the intent classifier on the labelled queries that its weights were not fitted on."""

from typing import Final, NamedTuple

from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.suites import DataSuite
from benchmarks.suites.quality.intent.judging import (
    Judged,
    calibration_error,
    confusion_table,
    wrong_share,
)
from benchmarks.suites.quality.intent.labelled import LabelledQuery, load_queries
from cruxe.config.settings import IntentSettings
from cruxe.model.intent import (
    HIGH_CONFIDENCE,
    INTENT_OF_SHAPE,
    MEDIUM_CONFIDENCE,
    TYPE_OF_SHAPE,
    IntentType,
    QueryIntent,
)
from cruxe.query.understand.intent_classifier import classify_intent

_MAX_WRONG: Final = 0.1
_MAX_WRONG_WHERE_SURE: Final = 0.05
_MAX_CALIBRATION_ERROR: Final = 0.05


class Views(NamedTuple):
    """The readings of some queries, in both views."""

    intents: list[Judged]
    types: list[Judged]


def judge(queries: list[LabelledQuery]) -> Views:
    """Read queries under the default settings."""
    settings = IntentSettings()
    views = Views([], [])
    for shape, text in queries:
        reading = classify_intent(text, settings)
        views.intents.append(
            Judged(INTENT_OF_SHAPE[shape], reading.intent, reading.intent_confidence)
        )
        views.types.append(Judged(TYPE_OF_SHAPE[shape], reading.type, reading.type_confidence))
    return views


def measure() -> Measured:
    """Judge the part that is held out."""
    queries = load_queries()
    held_out = [query for query in queries if query.is_held_out]
    intents, types = judge(held_out)
    return Measured(
        (*_figures("query_intent", intents), *_figures("stats.intent", types), _abstained(types)),
        (f"{len(held_out)} queries; the weights come from {len(queries) - len(held_out)} others.",),
        tables=(
            confusion_table("query_intent", intents, tuple(QueryIntent)),
            confusion_table("stats.intent", types, tuple(IntentType)),
        ),
    )


def _figures(view: str, judged: list[Judged]) -> tuple[Figure, ...]:
    sure = [each for each in judged if each.confidence >= HIGH_CONFIDENCE]
    return (
        Figure(f"{view}: wrong", wrong_share(judged), Unit.SHARE, _MAX_WRONG),
        Figure(
            f"{view}: wrong where confidence is high",
            wrong_share(sure),
            Unit.SHARE,
            _MAX_WRONG_WHERE_SURE,
        ),
        Figure(f"{view}: of high confidence", len(sure) / len(judged), Unit.SHARE),
        Figure(
            f"{view}: calibration error",
            calibration_error(judged),
            Unit.SHARE,
            _MAX_CALIBRATION_ERROR,
        ),
    )


def _abstained(types: list[Judged]) -> Figure:
    abstained = sum(each.confidence < MEDIUM_CONFIDENCE for each in types)
    return Figure("stats.intent: abstained", abstained / len(types), Unit.SHARE)


SUITE: Final = DataSuite(
    name="intent",
    about=(
        "The intent classifier in its two views, on labelled queries that its weights were not"
        " fitted on (`intent/queries.tsv`, two in five by a digest of the text). The calibration"
        " error is the mean distance between confidence and the share that is right, over ten bins."
    ),
    data="held out",
    measure=measure,
)
