"""Whether and how far vectors take part in a ranking."""

from typing import Final, NamedTuple

from cruxe.model.semantics import SemanticRun, SemanticSkip
from cruxe.query.rank.dense_signals import FITTED_RATIO
from cruxe.query.retrieve.dense import DEEP_ROWS, STANDARD_ROWS, DenseChannel

_DIGITS: Final = 6
# Of the dev queries whose first lexical hit scores this, that hit is right.
_SURE_SCORE: Final = 0.9


class SemanticPlan(NamedTuple):
    """What a query may do with vectors."""

    channel: DenseChannel | None = None
    skipped: SemanticSkip | None = SemanticSkip.DISABLED  # why there is no channel
    ratio: float = 0.0  # the largest share of a score that similarity may give
    short_circuit: float = 1.0  # lexical confidence from which vectors are not asked
    deep_below: float = 0.0  # lexical confidence below which more of them are


LEXICAL_ONLY: Final = SemanticPlan()


def decide(plan: SemanticPlan, best_score: float) -> SemanticRun:
    """Tell what vectors do, given the score of the first hit without them."""
    confidence = round(min(1.0, best_score / _SURE_SCORE), _DIGITS)
    if plan.channel is None:
        return SemanticRun(plan.skipped, lexical_confidence=confidence)
    if confidence >= plan.short_circuit:
        return SemanticRun(SemanticSkip.HIGH_CONFIDENCE, lexical_confidence=confidence)
    ratio = min(plan.ratio, FITTED_RATIO)
    return SemanticRun(None, ratio, confidence, plan.channel.model_version)


def rows_to_look_at(plan: SemanticPlan, run: SemanticRun) -> int:
    """More where words find little."""
    return DEEP_ROWS if run.lexical_confidence < plan.deep_below else STANDARD_ROWS
