"""A query about an opened ref: understood, ranked, and narrowed to what is shown of each hit."""

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.model.semantics import Semantics
from cruxe.model.specs import FusionMethod, SearchSpec
from cruxe.model.stored import StoredChunk
from cruxe.model.symbols import SymbolRole
from cruxe.query.rank.ranking import Ranking, search
from cruxe.query.rank.regions import Region
from cruxe.query.rank.scoring import Budget, Budgets
from cruxe.query.retrieve.dense import (
    Reranking,
    plan_semantics,
    semantics_of,
    wants_reranking,
)
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.select.gather import Gathered, gather
from cruxe.query.select.verify import (
    FileText,
    TextSource,
    Verified,
    answering_symbol,
    holds_half,
)
from cruxe.query.understand.analysis import (
    analyse_query,
    analyse_relaxed,
    likely_words,
    may_have_literals,
)
from cruxe.query.understand.intent_classifier import classify_intent
from cruxe.query.understand.operators import is_satisfied, needs_text, written

if TYPE_CHECKING:
    from cruxe.config.settings import RankingSignalBudgets, Settings
    from cruxe.query.select.pasted_query import Asked
    from cruxe.query.understand.operators import Expression, Node

# A definition with more lines is not shown in place of a chunk of it. A callable is read as a
# whole, so it may be four chunks long: on seven repositories of `search_quality` this keeps the
# name of 94 % of the results that would have one without a limit, for two thirds of the lines.
MOST_CALLABLE_LINES: Final = 240
MOST_LINES: Final = 120
# Candidates whose text is checked for phrases.
_PHRASE_CANDIDATES: Final = 200
_ALL_CANDIDATES: Final = 10_000
# Words of a query that are looked up to suggest a name.
_MAX_LOOKED_UP: Final = 8


class Question:
    """One query about one ref. Ranks on demand and caches nothing."""

    def __init__(
        self, settings: "Settings", repository_name: str, spec: SearchSpec, opened: OpenedRef
    ) -> None:
        """Analyse a query; nothing is searched yet."""
        self.spec = spec
        self.opened = opened
        self.settings = settings
        self.repository_name = repository_name
        self.reading = classify_intent(spec.query, settings.search.intent)
        self.analysis = analyse_query(spec.query, repository_name)
        self._weights = self.analysis.weights
        self.budgets = _budgets_of(settings.search.ranking_signal_budgets)
        self._semantic = settings.semantic
        self.reranking = Reranking()  # of the last ranking
        self.relaxed_demands: tuple[str, ...] = ()  # that nothing satisfied
        self._plan = plan_semantics(settings, spec, self.reading, opened)

    @property
    def asked(self) -> "Asked":
        """The query and what it is asked of, as ranking by parts and by literals needs it."""
        from cruxe.query.select.pasted_query import Asked

        return Asked(
            spec=self.spec,
            analysis=self.analysis,
            reading=self.reading,
            settings=self.settings,
            repository_name=self.repository_name,
            opened=self.opened,
        )

    def rank(self, texts: TextSource) -> Ranking:
        """Search; phrases, which the index cannot check, are checked in the text."""
        ranking = self._searched(texts)
        if not ranking.regions and self._relax(texts):
            ranking = self._searched(texts)
        if wants_reranking(self._semantic) and not self.spec.is_blank:
            from cruxe.query.select.rerank import rerank

            ranking, self.reranking = rerank(self._semantic, ranking, self.analysis, texts)
        return ranking

    def _searched(self, texts: TextSource) -> Ranking:
        ranking = self._with_evidence(self._rank_by_kind(texts), texts)
        return self._checked(ranking, texts)

    def _relax(self, texts: TextSource) -> bool:
        """Drop the demands that nothing satisfies if other words remain; exclusions stay."""
        expression = self.analysis.expression
        if expression is None:
            return False
        unmet = [each for each in expression.positives if not self._is_satisfiable(each, texts)]
        if not unmet and expression.optional:
            unmet = [*expression.positives]  # each occurs, but nowhere together
        if not unmet or (len(unmet) == len(expression.positives) and not expression.optional):
            return False
        self.relaxed_demands = tuple(map(written, unmet))
        self._analyse_with(expression.without(unmet))
        return True

    def _is_satisfiable(self, demand: "Node", texts: TextSource) -> bool:
        expression = self.analysis.expression
        assert expression is not None
        self._analyse_with(expression.alone(demand))
        try:
            return bool(self._checked(self.rank_unchecked(self.spec), texts).regions)
        finally:
            self._analyse_with(expression)

    def _analyse_with(self, expression: "Expression | None") -> None:
        self.analysis = analyse_relaxed(self.spec.query, expression, self.repository_name)
        self._weights = self.analysis.weights

    def _rank_by_kind(self, texts: TextSource) -> Ranking:
        pasted = self.analysis.pasted
        if pasted is None:
            ranking = self.rank_unchecked(self.spec)
            # What an operator query quotes is demanded already.
            if self.analysis.expression is not None or not may_have_literals(self.spec.query):
                return ranking
            from cruxe.query.select.literal_hits import with_literals

            return with_literals(self.asked, ranking, texts)
        from cruxe.query.select.pasted_query import rank_pasted

        return rank_pasted(self.asked, pasted, texts, self.budgets)

    def _with_evidence(self, ranking: Ranking, texts: TextSource) -> Ranking:
        """Leave out filtered symbols without a word of the query, unless all are without."""
        if not self.spec.filters.on_symbols or not self._weights:
            return ranking
        from cruxe.query.select.evidence_check import keep_similar, keep_worded

        worded = ranking.with_evidence(partial(keep_worded, self._weights, texts))
        if worded.regions[: self.spec.limit]:
            return worded
        return ranking.with_evidence(keep_similar)

    def _checked(self, ranking: Ranking, texts: TextSource) -> Ranking:
        if self.analysis.expression is None:
            return ranking
        has_phrases = needs_text(self.analysis.expression.demand)
        limit = _PHRASE_CANDIDATES if has_phrases else _ALL_CANDIDATES

        def is_checked(region: Region) -> bool:
            # The index has checked chunks for all but phrases.
            return region.chunk is not None and not has_phrases

        def is_wanted(region: Region) -> bool:
            if is_checked(region):
                return True
            return self.is_met(region, texts.read(region.version_key, region.path))

        unchecked = [each for each in ranking.regions[:limit] if not is_checked(each)]
        texts.expect([(each.version_key, each.path) for each in unchecked])
        return ranking.only(is_wanted, limit)

    def rank_unchecked(self, spec: SearchSpec) -> Ranking:
        """Search, perhaps with other filters, without reading any text."""
        if spec.is_blank:
            from cruxe.query.rank.filtered_list import list_passing

            return list_passing(self.analysis, spec, self.opened)
        return search(self.analysis, spec, self.opened, self.budgets, self._plan)

    def gather(self, ranking: Ranking, offset: int, limit: int, texts: TextSource) -> Gathered:
        """The hits of a page, verified, narrowed and without duplicates."""
        return gather(ranking, offset, limit, texts, self._narrow)

    def semantics(self, ranking: Ranking) -> Semantics:
        """What an answer reports of vectors and rerankers."""
        run = ranking.semantics
        if run.ratio and self.spec.fusion.method is not FusionMethod.SUM:
            run = run._replace(ratio=ranking.table.dense_share)
        return semantics_of(self._semantic, run, self.reranking)

    def is_unparsed(self, hit: SearchHit) -> bool:
        """Whether a hit neither belongs to a definition nor has one in it."""
        if hit.symbol is not None or hit.around is not None:
            return False
        name = hit.version_key, hit.chunk or 0
        chunk = self.opened.chunks.find(name, self.opened.snapshot)
        return chunk is None or not chunk.inside

    def is_met(self, region: SearchHit | Region, text: FileText | None) -> bool:
        """Whether a region satisfies the query's operators."""
        if self.analysis.expression is None:
            return True
        lines = [] if text is None else text.between(region.line_start, region.line_end)
        return self.is_met_by("\n".join((region.path, *lines)))

    def is_met_by(self, text: str) -> bool:
        """Whether a text satisfies them."""
        expression = self.analysis.expression
        if expression is None:
            return True
        return is_satisfied(expression.demand, text)

    def suggested_name(self, first: StoredSymbol | None) -> str:
        """Return a name with a definition to look up instead, or an empty string.

        A name that the query writes as in code is meant; else the first result's name says more
        about the whole query than any one of its words.
        """
        if name := self.defined_name():
            return name
        if first is not None:
            # The own name of a member, such as `__init__`, belongs to many.
            whole = [first.qualified_name] if first.parent is not None else []
            return self._first_defined(whole) or first.name
        return self._first_defined(likely_words(self.analysis))

    def defined_name(self) -> str:
        """Return the first name in the query that has a definition, or an empty string."""
        return self._first_defined(self.analysis.names)

    def _first_defined(self, names: Iterable[str]) -> str:
        few = list(islice(dict.fromkeys(names), _MAX_LOOKED_UP))
        if not few:
            return ""
        from cruxe.query.retrieve.definitions_by_name import first_defined

        return first_defined(few, self.opened)

    def _narrow(self, each: Verified) -> Verified:
        hit, text = each
        if hit.chunk is None or text.changed is not None:
            return each
        chunk = self.opened.chunks.find((hit.version_key, hit.chunk), self.opened.snapshot)
        if chunk is None:
            return each
        for symbol in self._answering(chunk, text):
            shown = None if symbol is None else hit.showing(symbol)
            if shown is not None and self.is_met(shown, text):
                return Verified(shown, text)
        return each

    def _answering(self, chunk: StoredChunk, text: FileText) -> Iterator[StoredSymbol | None]:
        yield answering_symbol(chunk, text, self._weights)
        yield self._naming(chunk, text)

    def _naming(self, chunk: StoredChunk, text: FileText) -> StoredSymbol | None:
        """The definition with half of a chunk's lines and of what it holds of the query.

        None if it is so long that the chunk is a small part of it.
        """
        symbol = chunk.symbol
        if symbol is None:
            return None
        is_callable = symbol.role == SymbolRole.CALLABLE
        most = MOST_CALLABLE_LINES if is_callable else MOST_LINES
        if symbol.line_end - symbol.line_start >= most:
            return None
        return symbol if holds_half(symbol, chunk, text, self._weights) else None


@lru_cache(maxsize=8)
def _budgets_of(settings: "RankingSignalBudgets") -> Budgets:
    return {name: Budget(each.min, each.max) for name, each in settings.by_signal().items()}
