"""What a query is after: a name, words, a path, an address or an error, with probabilities.

One small model on the raw string: the signs that it shows, a weight of each for every shape,
soft-max. Reads no index. `benchmarks/suites/quality/intent` has the labelled queries and the fit.
"""

import math
from typing import Final

from cruxe.config.setting_choices import IntentRule
from cruxe.config.settings import IntentSettings
from cruxe.model.intent import PROBABILITY_PARTS, QueryReading, QueryShape
from cruxe.query.understand.intent_features import Features, features_of
from cruxe.query.understand.intent_weights import WEIGHTS

_SHAPES_OF_RULE: Final = {
    IntentRule.ERROR_PATTERN: (QueryShape.ERROR,),
    IntentRule.PATH: (QueryShape.PATH, QueryShape.URL),
    IntentRule.QUOTED_ERROR: (QueryShape.ERROR,),
    IntentRule.SYMBOL: (QueryShape.SYMBOL,),
    IntentRule.NATURAL_LANGUAGE: (QueryShape.PROSE, QueryShape.MIXED),
}
# A rule that was moved ahead of another is three times as likely to be followed.
_LEAD: Final = math.log(3)


def classify_intent(raw: str, settings: IntentSettings) -> QueryReading:
    """Tell how likely a query is of each shape; any string has an answer.

    The weights were fitted for the default order of rules. In another order, a rule that was moved
    ahead prevails over those it overtook where both find something; a rule that is left out finds
    nothing.
    """
    features = features_of(raw, settings)
    scores = _scores(features)
    if settings.rule_order == IntentSettings.rule_order:
        return QueryReading(_probabilities(scores))
    by_shape = dict(zip(QueryShape, scores, strict=True))
    _follow_order(by_shape, features.rules, settings.rule_order)
    shapes = {shape for rule in settings.rule_order for shape in _SHAPES_OF_RULE[rule]}
    wanted = shapes or {*QueryShape}
    return QueryReading(
        _probabilities([by_shape[each] if each in wanted else -math.inf for each in QueryShape])
    )


def _scores(features: Features) -> list[float]:
    """What each shape has of weights, in the order of `QueryShape`."""
    points = [
        [weight * value for weight in WEIGHTS[feature]]
        for feature, value in features.values.items()
    ]
    return [sum(column) for column in zip(*points, strict=True)] or [0.0] * len(QueryShape)


def _follow_order(
    scores: dict[QueryShape, float], found: frozenset[IntentRule], order: tuple[IntentRule, ...]
) -> None:
    """Lift each rule over those it overtook, the last first, so that the first ends on top."""
    usual = IntentSettings.rule_order
    rules = [rule for rule in order if rule in found]
    for position, rule in reversed(list(enumerate(rules))):
        later = rules[position + 1 :]
        overtaken = [other for other in later if usual.index(other) < usual.index(rule)]
        own = _SHAPES_OF_RULE[rule]
        others = {shape for other in overtaken for shape in _SHAPES_OF_RULE[other]} - set(own)
        if others:
            _lift(scores, own, max(scores[shape] for shape in others) + _LEAD)


def _lift(scores: dict[QueryShape, float], shapes: tuple[QueryShape, ...], height: float) -> None:
    missing = height - max(scores[shape] for shape in shapes)
    for shape in shapes:
        scores[shape] += max(0.0, missing)


def _probabilities(scores: list[float]) -> tuple[float, ...]:
    """Soft-max, rounded so that no machine's arithmetic shows; what rounding lost is the best's."""
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = math.fsum(powers)
    rounded = [round(power / total * PROBABILITY_PARTS) for power in powers]
    rounded[rounded.index(max(rounded))] += PROBABILITY_PARTS - sum(rounded)
    return tuple([share / PROBABILITY_PARTS for share in rounded])
