"""Reranking of the first candidates, locally or by a provider; the local one is the fallback.

The local reranker gives each text a relevance from 0 to 1 by the share of the query's words that
it holds, how close together they are, whether it holds the query word for word, and how near in
meaning it comes to the query.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cruxe.config.setting_choices import RerankProvider
from cruxe.embed import EmbeddingUnavailableError
from cruxe.embed.models import are_gates_open, local_encoder
from cruxe.embed.provider_calls import Provider, ProviderError, post_json
from cruxe.embed.quantise import QUERY_LENGTH, VECTOR_LENGTH
from cruxe.query.rank.policy import MEANING_WEIGHT, PROXIMITY_WEIGHT, RERANK_SHARE
from cruxe.query.rank.ranking import Change, Ranking
from cruxe.query.rank.regions import Region, part_of
from cruxe.query.rank.scoring import changed
from cruxe.query.retrieve.dense import Reranking, wants_reranking
from cruxe.query.select.verify import TextSource
from cruxe.query.understand.analysis import QueryAnalysis
from cruxe.text.identifiers import terms_of_text

if TYPE_CHECKING:
    from cruxe.config.settings import SemanticSettings

_ADDRESSES: Final = {
    RerankProvider.COHERE: "https://api.cohere.com/v2/rerank",
    RerankProvider.VOYAGE: "https://api.voyageai.com/v1/rerank",
}
_MODELS: Final = {
    RerankProvider.COHERE: "rerank-v3.5",
    RerankProvider.VOYAGE: "rerank-2.5",
}
# The list of an answer, by provider.
_LISTS: Final = {RerankProvider.COHERE: "results", RerankProvider.VOYAGE: "data"}
_MAX_CHARACTERS: Final = 4_000  # of one candidate
_DIGITS: Final = 6


class _Weights(NamedTuple):
    """The weights of word overlap and of the literal phrase, from the settings."""

    overlap: float
    phrase: float


def rerank(
    semantic: "SemanticSettings", ranking: Ranking, analysis: QueryAnalysis, texts: TextSource
) -> tuple[Ranking, Reranking]:
    """Rerank the first candidates as the settings ask."""
    wanted = semantic.rerank.provider
    if not wants_reranking(semantic) or not ranking.regions:
        return ranking, Reranking()
    first = ranking.regions[: semantic.rerank.candidate_cap]
    is_outside = wanted in _ADDRESSES
    is_blocked = is_outside and not are_gates_open(semantic)
    texts.expect((region.version_key, region.path) for region in first)
    documents = [_document(region, texts) for region in first]
    relevances = None
    if is_outside and not is_blocked:
        relevances = _external_relevances(semantic, analysis.raw, documents)
    done = Reranking(wanted)
    if relevances is None:
        has_fallback = wanted is not RerankProvider.LOCAL
        done = Reranking(RerankProvider.LOCAL, has_fallback, is_blocked)
        weights = _Weights(
            semantic.local_rerank_token_overlap_weight, semantic.local_rerank_phrase_boost
        )
        nearness = _nearness(semantic, analysis.raw)
        relevances = _local_relevances(analysis, documents, weights, nearness)
    change = _change(first, relevances, ranking.table.most)
    return ranking.with_first(len(first), change), done


def _document(region: Region, texts: TextSource) -> str:
    """What a reranker reads of a region: its path, its name, its text without secrets."""
    text = texts.read(region.version_key, region.path)
    lines = [] if text is None else text.between(region.line_start, region.line_end)
    name = region.symbol.qualified_name if region.symbol else ""
    return "\n".join((region.path, name, *lines))[:_MAX_CHARACTERS]


def _nearness(semantic: "SemanticSettings", query: str) -> Callable[[str], float] | None:
    """Return how near a text is to a question in meaning, or None if there is no model."""
    try:
        encoder = local_encoder(semantic)
    except EmbeddingUnavailableError:
        return None
    asked = encoder.query_vector(query)

    def near(text: str) -> float:
        found = encoder.text_vector(text)
        product = sum(a * b for a, b in zip(asked, found, strict=True))
        return max(0.0, product / (QUERY_LENGTH * VECTOR_LENGTH))

    return near


def _local_relevances(
    analysis: QueryAnalysis,
    texts: Sequence[str],
    weights: _Weights,
    nearness: Callable[[str], float] | None,
) -> list[float]:
    """The relevance of each text; `nearness` gives its similarity of meaning."""
    asked = analysis.weights
    phrase = " ".join(terms_of_text(analysis.raw).split())
    total = weights.overlap + weights.phrase + PROXIMITY_WEIGHT
    total += MEANING_WEIGHT if nearness is not None else 0.0
    found: list[float] = []
    for text in texts:
        terms = terms_of_text(text).split()
        value = weights.overlap * _coverage(terms, asked)
        value += PROXIMITY_WEIGHT * _proximity(terms, asked)
        value += weights.phrase * float(bool(phrase) and phrase in " ".join(terms))
        if nearness is not None:
            value += MEANING_WEIGHT * nearness(text)
        found.append(round(value / total, _DIGITS) if total else 0.0)
    return found


def _change(regions: Sequence[Region], relevances: Sequence[float], most: float) -> Change:
    """Return what mixes relevance into the score of a region; the explanation still adds up."""
    names = ((each.version_key, part_of(each)) for each in regions)
    relevance_of = dict(zip(names, relevances, strict=True))

    def change(region: Region) -> Region:
        relevance = relevance_of.get((region.version_key, part_of(region)))
        if relevance is None:
            return region
        by = RERANK_SHARE * (relevance - region.score)
        points, score = changed(region.points, region.score, ("rerank", by), most)
        return region._replace(points=points, score=score)

    return change


def _coverage(terms: Sequence[str], asked: Mapping[str, float]) -> float:
    held, total = set(terms), sum(asked.values())
    if not total:
        return 0.0
    return sum(weight for term, weight in asked.items() if term in held) / total


def _proximity(terms: Sequence[str], asked: Mapping[str, float]) -> float:
    """How close together the query's words in a text are, if it holds two at least."""
    positions = [(position, term) for position, term in enumerate(terms) if term in asked]
    kinds = len({term for _, term in positions})
    if kinds < 2:  # noqa: PLR2004 - one word has no distance
        return 0.0
    last: dict[str, int] = {}
    narrowest = len(terms)
    for position, term in positions:
        last[term] = position
        if len(last) == kinds:
            narrowest = min(narrowest, position - min(last.values()) + 1)
    return kinds / narrowest


def _external_relevances(
    semantic: "SemanticSettings", query: str, documents: Sequence[str]
) -> list[float] | None:
    """Return a provider's relevances, or None if it gives no usable answer in time."""
    settings = semantic.rerank
    address = settings.endpoint or _ADDRESSES[settings.provider]
    payload: dict[str, object] = {
        "model": _MODELS[settings.provider],
        "query": query,
        "documents": list(documents),
    }
    try:
        answer = post_json(Provider(address, settings.api_key, settings.timeout_ms), payload)
        return _relevances(answer.get(_LISTS[settings.provider]), len(documents))
    except ProviderError as error:
        _log_failure(settings.provider, error.reason)
        return None


def _relevances(results: object, count: int) -> list[float]:
    """The relevance of each candidate; an answer that leaves some out is no answer."""
    found: dict[int, float] = {}
    for item in cast("list[object]", results) if isinstance(results, list) else []:
        entry = cast("dict[str, object]", item) if isinstance(item, dict) else {}
        index, value = entry.get("index"), entry.get("relevance_score")
        if isinstance(index, int) and isinstance(value, int | float) and 0 <= value <= 1:
            found[index] = float(value)
    if sorted(found) != list(range(count)):
        raise ProviderError("partial" if found else "garbage")
    return [found[index] for index in range(count)]


def _log_failure(provider: RerankProvider, reason: str) -> None:
    import logging

    logger = logging.getLogger(__name__)
    logger.warning("reranker failed", extra={"provider": provider.value, "reason": reason})
