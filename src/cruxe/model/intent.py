"""The intent of a query: one classification and the two views of it in answers."""

from collections.abc import Iterable
from enum import StrEnum
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar


class QueryShape(StrEnum):
    """The classes of the classifier; both views are sums over them."""

    SYMBOL = "symbol"  # a name, a signature or a piece of code
    PROSE = "prose"  # a question or keywords
    MIXED = "mixed"  # words about something that is named as in code
    PATH = "path"  # a file, a folder, a glob, a route
    URL = "url"
    ERROR = "error"  # a message, a traceback, a compiler error


class QueryIntent(StrEnum):
    """The intent of a query, as in `query_intent`."""

    SYMBOL = "symbol"
    NATURAL_LANGUAGE = "natural_language"
    PATH = "path"
    ERROR = "error"


class IntentType(StrEnum):
    """What a query consists of, as in `stats.intent`."""

    CODE = "code"
    PROSE = "prose"
    PATH = "path"
    URL = "url"
    MIXED = "mixed"


class ConfidenceBucket(StrEnum):
    """How reliable a confidence is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


# Confidences are calibrated (the suite `intent`): below the first bound a reading is little more
# than a guess, above the second about one in fifty was wrong.
MEDIUM_CONFIDENCE: Final = 0.55
HIGH_CONFIDENCE: Final = 0.8

INTENT_OF_SHAPE: Final = {
    QueryShape.SYMBOL: QueryIntent.SYMBOL,
    QueryShape.PROSE: QueryIntent.NATURAL_LANGUAGE,
    QueryShape.MIXED: QueryIntent.NATURAL_LANGUAGE,
    QueryShape.PATH: QueryIntent.PATH,
    QueryShape.URL: QueryIntent.PATH,
    QueryShape.ERROR: QueryIntent.ERROR,
}
# An error message is a sentence with names in it.
TYPE_OF_SHAPE: Final = {
    QueryShape.SYMBOL: IntentType.CODE,
    QueryShape.PROSE: IntentType.PROSE,
    QueryShape.MIXED: IntentType.MIXED,
    QueryShape.PATH: IntentType.PATH,
    QueryShape.URL: IntentType.URL,
    QueryShape.ERROR: IntentType.MIXED,
}
PROBABILITY_DIGITS: Final = 4
PROBABILITY_PARTS: Final = 10**PROBABILITY_DIGITS


class QueryReading(NamedTuple):
    """The probability of each shape for a query."""

    probabilities: tuple[float, ...]  # in the order of `QueryShape`; they sum to 1

    @property
    def by_intent(self) -> dict[QueryIntent, float]:
        """The probability of each `query_intent`."""
        return _sums(self.probabilities, _SHAPES_OF_INTENT)

    @property
    def by_type(self) -> dict[IntentType, float]:
        """The probability of each type of `stats.intent`."""
        return _sums(self.probabilities, _SHAPES_OF_TYPE)

    @property
    def intent(self) -> QueryIntent:
        """The likeliest `query_intent`."""
        return likeliest(self.by_intent)

    @property
    def intent_confidence(self) -> float:
        """The probability of that intent."""
        return max(self.by_intent.values())

    @property
    def type(self) -> IntentType:
        """The likeliest type."""
        return likeliest(self.by_type)

    @property
    def type_confidence(self) -> float:
        """The probability of that type."""
        return max(self.by_type.values())

    @property
    def abstains(self) -> bool:
        """Whether no type is likely enough to act on."""
        return bucket_of(self.type_confidence) is ConfidenceBucket.LOW

    @property
    def effective_type(self) -> IntentType:
        """The type to act on: `mixed` if none is likely enough."""
        return IntentType.MIXED if self.abstains else self.type


_View = TypeVar("_View", bound=StrEnum)


def likeliest(view: dict[_View, float]) -> _View:
    """Return the choice with the highest probability, the first one of equals."""
    return max(view.items(), key=itemgetter(1))[0]


def ranked(view: dict[_View, float]) -> list[_View]:
    """Return the choices of a view, likeliest first; the sort is stable."""
    return sorted(view, key=lambda choice: -view[choice])


def bucket_of(confidence: float) -> ConfidenceBucket:
    """Return the bucket of a confidence."""
    if confidence < MEDIUM_CONFIDENCE:
        return ConfidenceBucket.LOW
    return ConfidenceBucket.MEDIUM if confidence < HIGH_CONFIDENCE else ConfidenceBucket.HIGH


def _sums(
    probabilities: tuple[float, ...], places_of: dict[_View, list[int]]
) -> dict[_View, float]:
    sums = [sum([probabilities[place] for place in places]) for places in places_of.values()]
    # `round` to an integer takes a tenth of the time of `round` to digits.
    shares = [round(total * PROBABILITY_PARTS) / PROBABILITY_PARTS for total in sums]
    return dict(zip(places_of, shares, strict=True))


def _places(
    choices: Iterable[_View], view_of_shape: dict[QueryShape, _View]
) -> dict[_View, list[int]]:
    """Return the indices of the shapes that belong to each choice."""
    shapes = [*view_of_shape.values()]
    return {
        choice: [place for place, own in enumerate(shapes) if own is choice] for choice in choices
    }


_SHAPES_OF_INTENT: Final = _places(QueryIntent, INTENT_OF_SHAPE)
_SHAPES_OF_TYPE: Final = _places(IntentType, TYPE_OF_SHAPE)
