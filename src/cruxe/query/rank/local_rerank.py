"""A second look at the first candidates: how much of the query stands in the text itself.

The local reranker reads what is about to be shown. It gives each text a relevance from 0 to 1 by
the share of the query that it holds, how close together that stands, whether it stands there word
for word, and how near in meaning its words come to those of the query.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.query.rank.regions import Region
from cruxe.query.rank.scoring import changed
from cruxe.query.understand.analysis import QueryAnalysis
from cruxe.text.identifiers import terms_of_text

if TYPE_CHECKING:
    from collections.abc import Callable

# The share of a reranked score that is the reranker's.
RERANK_SHARE: Final = 0.3
_PROXIMITY_WEIGHT: Final = 0.5
_MEANING_WEIGHT: Final = 0.5
_DIGITS: Final = 6


class RerankWeights(NamedTuple):
    """What word overlap and the very phrase count for, as the settings have it."""

    overlap: float
    phrase: float


def local_relevances(
    analysis: QueryAnalysis,
    texts: Sequence[str],
    weights: RerankWeights,
    nearness: "Callable[[str], float] | None" = None,
) -> list[float]:
    """The relevance of each text; `nearness` tells how near in meaning one is."""
    asked = analysis.weights
    phrase = " ".join(terms_of_text(analysis.raw).split())
    total = weights.overlap + weights.phrase + _PROXIMITY_WEIGHT
    total += _MEANING_WEIGHT if nearness is not None else 0.0
    found: list[float] = []
    for text in texts:
        terms = terms_of_text(text).split()
        value = weights.overlap * _coverage(terms, asked)
        value += _PROXIMITY_WEIGHT * _proximity(terms, asked)
        value += weights.phrase * float(bool(phrase) and phrase in " ".join(terms))
        if nearness is not None:
            value += _MEANING_WEIGHT * nearness(text)
        found.append(round(value / total, _DIGITS) if total else 0.0)
    return found


def reranked(regions: Sequence[Region], relevances: Sequence[float], most: float) -> list[Region]:
    """Regions with what a reranker says in their scores; the explanation still adds up."""
    found: list[Region] = []
    for region, relevance in zip(regions, relevances, strict=True):
        change = RERANK_SHARE * (relevance - region.score)
        points, score = changed(region.points, region.score, ("rerank", change), most)
        found.append(region._replace(points=points, score=score))
    return found


def _coverage(terms: Sequence[str], asked: Mapping[str, float]) -> float:
    held, total = set(terms), sum(asked.values())
    if not total:
        return 0.0
    return sum(weight for term, weight in asked.items() if term in held) / total


def _proximity(terms: Sequence[str], asked: Mapping[str, float]) -> float:
    """How close together the words of the query stand that are there at all, two at least."""
    places = [(place, term) for place, term in enumerate(terms) if term in asked]
    kinds = len({term for _, term in places})
    if kinds < 2:  # noqa: PLR2004 - one word is close to nothing
        return 0.0
    last: dict[str, int] = {}
    narrowest = len(terms)
    for place, term in places:
        last[term] = place
        if len(last) == kinds:
            narrowest = min(narrowest, place - min(last.values()) + 1)
    return kinds / narrowest
