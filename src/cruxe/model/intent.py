"""What kind of thing a query is: one reading, and the two views of it that answers give."""

from collections.abc import Iterable
from enum import StrEnum
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar


class QueryShape(StrEnum):
    """What the classifier tells apart; both views are sums over these."""

    SYMBOL = "symbol"  # a name, a signature or a piece of code
    PROSE = "prose"  # a question or keywords
    MIXED = "mixed"  # words about something that is named as in code
    PATH = "path"  # a file, a folder, a glob, a route
    URL = "url"
    ERROR = "error"  # a message, a traceback, a compiler's complaint


class QueryIntent(StrEnum):
    """What a query asks for, as `query_intent` says it."""

    SYMBOL = "symbol"
    NATURAL_LANGUAGE = "natural_language"
    PATH = "path"
    ERROR = "error"


class IntentType(StrEnum):
    """What a query is made of, as `stats.intent` says it."""

    CODE = "code"
    PROSE = "prose"
    PATH = "path"
    URL = "url"
    MIXED = "mixed"


class ConfidenceBucket(StrEnum):
    """How far a confidence may be relied on."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


# Readings are as often right as they are sure (the suite `intent`): below the first bound that is
# little more than a guess, from the second on about one in fifty was wrong.
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
# A message is a sentence with names in it.
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
    """How likely a query is of each shape."""

    probabilities: tuple[float, ...]  # in the order of `QueryShape`; they sum to 1

    @property
    def by_intent(self) -> dict[QueryIntent, float]:
        """How likely each `query_intent` is."""
        return _sums(self.probabilities, _SHAPES_OF_INTENT)

    @property
    def by_type(self) -> dict[IntentType, float]:
        """How likely each type of `stats.intent` is."""
        return _sums(self.probabilities, _SHAPES_OF_TYPE)

    @property
    def intent(self) -> QueryIntent:
        """The likeliest `query_intent`."""
        return likeliest(self.by_intent)

    @property
    def intent_confidence(self) -> float:
        """How likely that intent is."""
        return max(self.by_intent.values())

    @property
    def type(self) -> IntentType:
        """The likeliest type."""
        return likeliest(self.by_type)

    @property
    def type_confidence(self) -> float:
        """How likely that type is."""
        return max(self.by_type.values())

    @property
    def abstains(self) -> bool:
        """Whether no type is likely enough to act on."""
        return bucket_of(self.type_confidence) is ConfidenceBucket.LOW

    @property
    def effective_type(self) -> IntentType:
        """The type to act on: `mixed` where none is likely enough."""
        return IntentType.MIXED if self.abstains else self.type


_View = TypeVar("_View", bound=StrEnum)


def likeliest(view: dict[_View, float]) -> _View:
    """The first of them."""
    return max(view.items(), key=itemgetter(1))[0]


def ranked(view: dict[_View, float]) -> list[_View]:
    """The choices of a view, likeliest first; equals stay in the order of the choice."""
    return sorted(view, key=lambda choice: -view[choice])


def bucket_of(confidence: float) -> ConfidenceBucket:
    """The bucket of a confidence."""
    if confidence < MEDIUM_CONFIDENCE:
        return ConfidenceBucket.LOW
    return ConfidenceBucket.MEDIUM if confidence < HIGH_CONFIDENCE else ConfidenceBucket.HIGH


def _sums(
    probabilities: tuple[float, ...], places_of: dict[_View, list[int]]
) -> dict[_View, float]:
    sums = [sum([probabilities[place] for place in places]) for places in places_of.values()]
    # By parts, which takes a tenth of what digits take.
    shares = [round(total * PROBABILITY_PARTS) / PROBABILITY_PARTS for total in sums]
    return dict(zip(places_of, shares, strict=True))


def _places(
    choices: Iterable[_View], view_of_shape: dict[QueryShape, _View]
) -> dict[_View, list[int]]:
    """Where the shapes of each choice stand among all."""
    shapes = [*view_of_shape.values()]
    return {
        choice: [place for place, own in enumerate(shapes) if own is choice] for choice in choices
    }


_SHAPES_OF_INTENT: Final = _places(QueryIntent, INTENT_OF_SHAPE)
_SHAPES_OF_TYPE: Final = _places(IntentType, TYPE_OF_SHAPE)
