"""The dense channel: whether vectors take part in a ranking, and the files that they find.

`plan_semantics` decides by settings, request and store before anything is searched; `decide`
decides by the first lexical hit. Files whose chunks or docs have vectors near to the question's
join the candidates of the lexical channels, each with its similarities.
"""

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from cruxe.config.setting_choices import EmbeddingProvider, RerankProvider
from cruxe.embed import EmbeddingUnavailableError
from cruxe.embed.models import QUESTION_TIMEOUT_MS, are_gates_open, embedding_model, encoder_for
from cruxe.model.errors import IndexIncompatibleError
from cruxe.model.identity import VersionKey
from cruxe.model.intent import QueryIntent, QueryReading
from cruxe.model.levels import SemanticMode
from cruxe.model.semantics import SemanticRun, Semantics, SemanticSkip
from cruxe.model.specs import SearchSpec
from cruxe.model.stored import HitRow
from cruxe.query.rank.policy import (
    CHUNKS_PER_FILE,
    DEEP_ROWS,
    DENSE_FILES,
    FITTED_RATIO,
    LEAST_SIMILARITY,
    NEAREST_FILES,
    SECOND_CHUNK_WEIGHT,
    STANDARD_ROWS,
    SURE_SCORE,
    THIRD_CHUNK_WEIGHT,
)
from cruxe.query.retrieve.evidence import (
    NO_EVIDENCE,
    Candidates,
    Chunks,
    Values,
    admitted,
    filtered,
)
from cruxe.query.retrieve.opened_ref import FileFacts, OpenedRef
from cruxe.query.understand.analysis import QueryAnalysis, content_of

if TYPE_CHECKING:
    from cruxe.config.settings import SemanticSettings, Settings
    from cruxe.model.stored import NearFiles, Nearness, NearWanted
    from cruxe.store.api import VectorIndex

_DIGITS: Final = 6


class DenseChannel(NamedTuple):
    """A question's vector and the vectors it is compared with."""

    reader: "VectorIndex"
    query: Sequence[int]
    model_version: str


class SemanticPlan(NamedTuple):
    """What a query may do with vectors."""

    channel: DenseChannel | None = None
    skipped: SemanticSkip | None = SemanticSkip.DISABLED  # why there is no channel
    ratio: float = 0.0  # the largest share of a score that similarity may give
    short_circuit: float = 1.0  # lexical confidence from which vectors are skipped
    deep_below: float = 0.0  # lexical confidence below which more rows are compared


LEXICAL_ONLY: Final = SemanticPlan()


class Reranking(NamedTuple):
    """What a reranker did."""

    provider: RerankProvider = RerankProvider.NONE  # whose order is shown
    has_fallback: bool = False  # the settings ask for another
    is_blocked: bool = False  # because a privacy gate is closed


def plan_semantics(
    settings: "Settings", spec: SearchSpec, reading: QueryReading, opened: OpenedRef
) -> SemanticPlan:
    """Decide what can be decided before anything is searched."""
    semantic = settings.semantic
    ratio = _ratio(semantic, spec)
    skipped = _skip(semantic, reading.intent, ratio)
    if skipped is not None:
        return SemanticPlan(skipped=skipped)
    channel = _channel(semantic, spec.query, opened)
    if isinstance(channel, SemanticSkip):
        return SemanticPlan(skipped=channel)
    adaptive = settings.search.adaptive_plan
    return SemanticPlan(
        channel=channel,
        skipped=None,
        ratio=ratio,
        short_circuit=semantic.lexical_short_circuit_threshold,
        deep_below=adaptive.low_confidence_threshold if adaptive.enabled else 0.0,
    )


def decide(plan: SemanticPlan, best_score: float) -> SemanticRun:
    """Decide what vectors do, given the score of the first lexical hit."""
    confidence = round(min(1.0, best_score / SURE_SCORE), _DIGITS)
    if plan.channel is None:
        return SemanticRun(skipped=plan.skipped, lexical_confidence=confidence)
    if confidence >= plan.short_circuit:
        return SemanticRun(skipped=SemanticSkip.HIGH_CONFIDENCE, lexical_confidence=confidence)
    return SemanticRun(
        skipped=None,
        ratio=min(plan.ratio, FITTED_RATIO),
        lexical_confidence=confidence,
        model_version=plan.channel.model_version,
    )


def rows_to_look_at(plan: SemanticPlan, run: SemanticRun) -> int:
    """The number of rows to compare exactly: more if words find little."""
    return DEEP_ROWS if run.lexical_confidence < plan.deep_below else STANDARD_ROWS


def semantics_of(semantic: "SemanticSettings", run: SemanticRun, reranking: Reranking) -> Semantics:
    """What an answer's metadata report of vectors and the reranker."""
    is_triggered = run.skipped is None or run.skipped is SemanticSkip.NO_MATCHES
    return Semantics(
        mode=semantic.mode,
        is_enabled=semantic.mode is not SemanticMode.OFF,
        ratio_used=run.ratio,
        is_triggered=is_triggered,
        skipped_reason=run.skipped,
        is_external_blocked=is_blocked(semantic) or reranking.is_blocked,
        model_version=run.model_version,
        rerank_provider=reranking.provider,
        has_rerank_fallback=reranking.has_fallback,
        has_fallback=run.skipped is not None and run.skipped.is_fallback,
    )


def wants_reranking(semantic: "SemanticSettings") -> bool:
    """Whether the settings ask for a reranker."""
    is_off = semantic.mode is SemanticMode.OFF
    return not is_off and semantic.rerank.provider is not RerankProvider.NONE


def is_blocked(semantic: "SemanticSettings") -> bool:
    """Whether vectors are made outside this machine and a privacy gate is closed."""
    is_outside = semantic.embedding.provider is not EmbeddingProvider.LOCAL
    return is_outside and not are_gates_open(semantic)


def _ratio(semantic: "SemanticSettings", spec: SearchSpec) -> float:
    if spec.semantic_ratio is not None:
        return spec.semantic_ratio
    of_intent = semantic.overrides.natural_language.ratio
    return semantic.ratio if of_intent is None else of_intent


def _skip(semantic: "SemanticSettings", intent: QueryIntent, ratio: float) -> SemanticSkip | None:
    if semantic.mode is SemanticMode.OFF:
        return SemanticSkip.DISABLED
    if semantic.mode is SemanticMode.RERANK_ONLY:
        return SemanticSkip.RERANK_ONLY
    if intent is not QueryIntent.NATURAL_LANGUAGE:
        return SemanticSkip.INTENT
    if not ratio:
        return SemanticSkip.RATIO_ZERO
    return SemanticSkip.BLOCKED if is_blocked(semantic) else None


def _channel(
    semantic: "SemanticSettings", query: str, opened: OpenedRef
) -> DenseChannel | SemanticSkip:
    model = embedding_model(semantic)
    if model is None:
        return SemanticSkip.MODEL_UNAVAILABLE
    try:
        reader = opened.vectors(model.version)
    except IndexIncompatibleError:  # words find what they can; status reports the damage
        return SemanticSkip.VECTORS_DAMAGED
    if reader is None:
        return SemanticSkip.VECTORS_MISSING
    try:
        key = semantic.embedding.api_key if model.address else None
        encoder = encoder_for(model, key or None, QUESTION_TIMEOUT_MS)
        return DenseChannel(reader, encoder.query_vector(content_of(query)), model.version)
    except EmbeddingUnavailableError:
        return SemanticSkip.MODEL_UNAVAILABLE


_FAR: Final["Nearness"] = (0.0, 0.0, 0.0)
_Scales = TypeVar("_Scales")
IsLive = Callable[[VersionKey], bool]


def nearest_files(
    channel: DenseChannel, row_count: int, is_live: IsLive | None, known: Container[VersionKey]
) -> "NearFiles | None":
    """Return the files whose chunks or docs are nearest, or None if there are no vectors.

    Files that are not `known` must come near, and nearer than ordinary ones, to be among them.
    """
    near = channel.reader.nearest(
        channel.query, _wanted(row_count, known, LEAST_SIMILARITY), is_live
    )
    if near is None:
        return None
    least = near.floor
    chunks = {key: each for key, each in near.chunks.items() if near.similarities[key][0] > least}
    return near._replace(chunks=chunks)


def nearest_few(
    channel: DenseChannel, row_count: int, is_live: IsLive | None, known: Collection[VersionKey]
) -> "NearFiles | None":
    """Return the `known` files and the nearest chunks of others, a few in all, however far.

    For a question whose words do not occur. It may be about a repository so small that no file is
    ordinary, so similarities count as they are.
    """
    near = channel.reader.nearest(channel.query, _wanted(row_count, known, 0.0), is_live)
    if near is None:
        return None
    few = _best_first(near)[: max(0, NEAREST_FILES - len(known))]
    return near._replace(chunks={key: near.chunks[key][:1] for key in few}, floor=0.0)


def _wanted(row_count: int, known: Container[VersionKey], similarity: float) -> "NearWanted":
    from cruxe.model.stored import NearWanted

    return NearWanted(
        rows=row_count,
        known=known,
        similarity=similarity,
        chunks_per_file=CHUNKS_PER_FILE,
        further_weights=(SECOND_CHUNK_WEIGHT, THIRD_CHUNK_WEIGHT),
    )


def _best_first(near: "NearFiles") -> list[VersionKey]:
    return sorted(near.chunks, key=lambda key: (-near.similarities[key][1], key))


def with_similar(
    files: Candidates,
    near: "NearFiles",
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
) -> Candidates:
    """Add similarities to the candidates, and the nearest files that no other channel found.

    None join a query with operators: vectors cannot tell whether a file holds a word.
    """
    order = _best_first(near) if analysis.expression is None else []
    added = admitted(order[:DENSE_FILES], spec, opened)
    return filtered(WithSimilar(files, *added, near, opened), spec, opened.snapshot)


class WithSimilar(Candidates):
    """Lexical candidates followed by files that only vectors found.

    The lines of these files' chunks are looked up on demand.
    """

    def __init__(
        self,
        files: Candidates,
        keys: list[VersionKey],
        facts: list[FileFacts],
        near: "NearFiles",
        opened: OpenedRef,
    ) -> None:
        """Take candidates, the files that join them, and all similarities."""
        joining = Candidates(keys, facts, NO_EVIDENCE)
        self.keys = [*files.keys, *keys]
        self.facts = [*files.facts, *facts]
        self.evidence = files.evidence
        self.chunks = [*files.chunks, *[_rows(key, near.chunks[key]) for key in keys]]
        self.best_chunks = [*files.best_chunks, *joining.best_chunks]
        self.best_three = [*files.best_three, *joining.best_three]
        self.defines = [*files.defines, *joining.defines]
        self.heads = [*files.heads, *joining.heads]
        self.columns = {}
        found = [*map(near.similarities.get, self.keys, repeat(_FAR))]
        self.near = [best for best, _, _ in found]
        self.near_three = [three for _, three, _ in found]
        self.near_docs = [docs for _, _, docs in found]
        self.near_keys = near.similarities
        self._known = files
        self._joining = joining
        self._opened = opened

    def column(self, signal: Callable[[Candidates, _Scales], Values], scales: _Scales) -> Values:
        """The values of a signal; known ones of the lexical candidates are used again."""
        known = self._known.columns.get(signal)
        if known is None:
            return super().column(signal, scales)
        if len(known) < len(self._known):  # the signal has no values for this query
            return known
        return [*known, *self._joining.column(signal, scales)]

    def chunks_at(self, index: int) -> Chunks:
        """The chunks of one of them that may be shown."""
        rows = self.chunks[index]
        if index < len(self._known.keys):
            return rows
        key = self.keys[index]
        ordinals = [chunk for _, _, chunk, _, _ in rows]
        spans = self._opened.chunks.spans(key, ordinals, self._opened.snapshot)
        found = zip(ordinals, spans, strict=True)
        return [(0.0, key, chunk, start, end) for chunk, (start, end, _) in found]

    def look_up(self, indexes: Iterable[int]) -> None:
        """Read the versions of those that only vectors found."""
        first = len(self._known.keys)
        keys = [self.keys[index] for index in indexes if index >= first]
        self._opened.chunks.look_up_versions(keys, self._opened.snapshot)


def _rows(key: VersionKey, chunks: list[int]) -> list[HitRow]:
    return [(0.0, key, chunk, 0, 0) for chunk in chunks]
