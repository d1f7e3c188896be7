"""A query put to an opened ref: understood, ranked, and narrowed to what is shown of each hit."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cruxe.model.hits import SearchHit
from cruxe.model.semantics import Semantics
from cruxe.model.specs import SearchSpec
from cruxe.query.rank.ranking import Ranking, search
from cruxe.query.rank.regions import Region
from cruxe.query.rank.scoring import Budget, Budgets
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.retrieve.semantic_planning import (
    Reranking,
    plan_semantics,
    semantics_of,
    wants_reranking,
)
from cruxe.query.select.focus import answering_symbol
from cruxe.query.select.gather import Gathered, gather
from cruxe.query.select.text_source import FileText, TextSource
from cruxe.query.select.verify import Verified
from cruxe.query.understand.analysis import analyse_query
from cruxe.query.understand.intent_classifier import classify_intent
from cruxe.safety.safe_symbols import safe_hit

if TYPE_CHECKING:
    from cruxe.config.settings import RankingSignalBudgets, Settings

# Phrases are checked against the text: of so many candidates at most.
_PHRASE_CANDIDATES: Final = 200
_ALL_CANDIDATES: Final = 10_000


class Question:
    """One query about one ref. Ranks as often as it is asked to, and keeps nothing."""

    def __init__(
        self, settings: "Settings", repository_name: str, spec: SearchSpec, opened: OpenedRef
    ) -> None:
        """Understand a query; nothing is searched yet."""
        self.spec = spec
        self.opened = opened
        self.security = settings.security
        self.reading = classify_intent(spec.query, settings.search.intent)
        self.analysis = analyse_query(spec.query, repository_name)
        self._weights = self.analysis.weights
        self._budgets = _budgets_of(settings.search.ranking_signal_budgets)
        self._semantic = settings.semantic
        self.reranking = Reranking()  # what the last ranking's did
        self._plan = plan_semantics(settings, spec, self.reading, opened)

    def rank(self, texts: TextSource) -> Ranking:
        """Search; what the index cannot vouch for is looked at in the text before it counts."""
        ranking = self._checked(self.rank_unchecked(self.spec), texts)
        if wants_reranking(self._semantic):
            from cruxe.query.select.rerank_providers import rerank

            ranking, self.reranking = rerank(self._semantic, ranking, self.analysis, texts)
        return ranking

    def _checked(self, ranking: Ranking, texts: TextSource) -> Ranking:
        if self.analysis.expression is None:
            return ranking
        from cruxe.query.understand.demands import needs_text

        has_phrases = needs_text(self.analysis.expression.demand)

        def is_wanted(region: Region) -> bool:
            # Of chunks the index has checked all but phrases.
            if region.chunk is not None and not has_phrases:
                return True
            return self.is_met(region, texts.read(region.version_key, region.path))

        return ranking.only(is_wanted, _PHRASE_CANDIDATES if has_phrases else _ALL_CANDIDATES)

    def rank_unchecked(self, spec: SearchSpec) -> Ranking:
        """Search, perhaps with other filters, without a look at any text."""
        return search(self.analysis, spec, self.opened, self._budgets, self._plan)

    def gather(self, ranking: Ranking, offset: int, limit: int, texts: TextSource) -> Gathered:
        """The hits of a page, verified, narrowed and free of duplicates."""
        return gather(ranking, offset, limit, texts, self._narrow)

    def semantics(self, ranking: Ranking) -> Semantics:
        """What meaning had to do with a ranking, as an answer tells it."""
        return semantics_of(self._semantic, ranking.semantics, self.reranking)

    def without_secrets(self, each: Verified) -> Verified:
        """A hit as it may be sent; its text came without secrets already."""
        return each._replace(hit=safe_hit(each.hit, self.security))

    def is_unparsed(self, hit: SearchHit) -> bool:
        """Whether a hit neither belongs to a definition nor has one in it."""
        if hit.symbol is not None:
            return False
        name = hit.version_key, hit.chunk or 0
        chunk = self.opened.chunks.find(name, self.opened.snapshot)
        return chunk is None or not chunk.inside

    def is_met(self, region: SearchHit | Region, text: FileText | None) -> bool:
        """Whether a region meets what the query demands of every hit."""
        if self.analysis.expression is None:
            return True
        lines = [] if text is None else text.between(region.line_start, region.line_end)
        return self.is_met_by("\n".join((region.path, *lines)))

    def is_met_by(self, text: str) -> bool:
        """Whether a text meets it."""
        expression = self.analysis.expression
        if expression is None:
            return True
        from cruxe.query.understand.demands import is_satisfied

        return is_satisfied(expression.demand, text)

    def _narrow(self, each: Verified) -> Verified:
        hit, text = each
        if hit.chunk is None or text.changed is not None:
            return each
        chunk = self.opened.chunks.find((hit.version_key, hit.chunk), self.opened.snapshot)
        symbol = None if chunk is None else answering_symbol(chunk, text, self._weights)
        if symbol is None:
            return each
        narrowed = hit.showing(symbol)
        is_free = self.analysis.expression is None
        return Verified(narrowed, text) if is_free or self.is_met(narrowed, text) else each


@lru_cache(maxsize=8)
def _budgets_of(settings: "RankingSignalBudgets") -> Budgets:
    return {name: Budget(each.min, each.max) for name, each in settings.by_signal().items()}
