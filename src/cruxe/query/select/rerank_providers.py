"""Who takes a second look at the first candidates, and what becomes of it if nobody answers."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, cast

from cruxe.config.setting_choices import RerankProvider
from cruxe.embed.embedding_errors import EmbeddingUnavailableError
from cruxe.embed.models import are_gates_open, local_encoder
from cruxe.embed.provider_calls import Provider, ProviderError, post_json
from cruxe.embed.static_vectors import QUERY_LENGTH, VECTOR_LENGTH
from cruxe.query.rank.local_rerank import RerankWeights, local_relevances, reranked
from cruxe.query.rank.ranking import Ranking
from cruxe.query.rank.regions import Region
from cruxe.query.retrieve.semantic_planning import Reranking, wants_reranking
from cruxe.query.select.text_source import TextSource
from cruxe.query.understand.analysis import QueryAnalysis

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


def rerank(
    semantic: "SemanticSettings", ranking: Ranking, analysis: QueryAnalysis, texts: TextSource
) -> tuple[Ranking, Reranking]:
    """Let the reranker of the settings look at the first candidates."""
    wanted = semantic.rerank.provider
    if not wants_reranking(semantic) or not ranking.regions:
        return ranking, Reranking()
    first = ranking.regions[: semantic.rerank.candidate_cap]
    is_outside = wanted in _ADDRESSES
    is_blocked = is_outside and not are_gates_open(semantic)
    documents = [_document(region, texts) for region in first]
    relevances = None
    if is_outside and not is_blocked:
        relevances = _external_relevances(semantic, analysis.raw, documents)
    done = Reranking(wanted)
    if relevances is None:
        has_fallback = wanted is not RerankProvider.LOCAL
        done = Reranking(RerankProvider.LOCAL, has_fallback, is_blocked)
        weights = RerankWeights(
            semantic.local_rerank_token_overlap_weight, semantic.local_rerank_phrase_boost
        )
        nearness = _nearness(semantic, analysis.raw)
        relevances = local_relevances(analysis, documents, weights, nearness)
    changed = reranked(first, relevances, ranking.table.most)
    return ranking.with_first(changed), done


def _document(region: Region, texts: TextSource) -> str:
    """What a reranker reads of a region: where it stands, its name, its text without secrets."""
    text = texts.read(region.version_key, region.path)
    lines = [] if text is None else text.between(region.line_start, region.line_end)
    name = region.symbol.qualified_name if region.symbol else ""
    return "\n".join((region.path, name, *lines))[:_MAX_CHARACTERS]


def _nearness(semantic: "SemanticSettings", query: str) -> Callable[[str], float] | None:
    """How near a text comes to a question in meaning; nothing where no model is here."""
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


def _external_relevances(
    semantic: "SemanticSettings", query: str, documents: Sequence[str]
) -> list[float] | None:
    """What a provider says of the candidates; nothing where it says nothing useful in time."""
    settings = semantic.rerank
    address = settings.endpoint or _ADDRESSES[settings.provider]
    timeout_ms = min(settings.timeout_ms, settings.timeout_budget_ms)
    payload: dict[str, object] = {
        "model": _MODELS[settings.provider],
        "query": query,
        "documents": list(documents),
    }
    try:
        answer = post_json(Provider(address, settings.api_key, timeout_ms), payload)
        return _relevances(answer.get(_LISTS[settings.provider]), len(documents))
    except ProviderError as error:
        _tell(settings.provider, error.reason)
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


def _tell(provider: RerankProvider, reason: str) -> None:
    import logging

    logger = logging.getLogger(__name__)
    logger.warning("reranker failed", extra={"provider": provider.value, "reason": reason})
