"""Answering `search_code`: find, verify, judge, shape."""

import os.path
from collections.abc import Mapping
from typing import Final, NamedTuple

from cruxe.engine.context import RepositoryContext
from cruxe.engine.cursors import Cursor, read_cursor, write_cursor
from cruxe.engine.focus import focus
from cruxe.engine.freshness import FreshnessCheck
from cruxe.engine.targets import Target
from cruxe.engine.texts import TextReader
from cruxe.engine.verify import Verified, VerifiedHits, verify_hits
from cruxe.index.snapshot import Snapshot
from cruxe.model.errors import IndexStaleError
from cruxe.model.hits import Confidence, SearchHit, SearchOutcome
from cruxe.model.intent import QueryReading
from cruxe.model.levels import DetailLevel, FreshnessPolicy, RankingExplainLevel
from cruxe.model.specs import SearchSpec
from cruxe.query.analysis import QueryAnalysis, analyse_query
from cruxe.query.confidence import judge
from cruxe.query.demands import is_satisfied, needs_text
from cruxe.query.intent import classify_intent
from cruxe.query.opened import OpenedRef
from cruxe.query.search import search
from cruxe.query.signals import Budget
from cruxe.respond.explanation import ranking_reasons
from cruxe.respond.limits import fit_results, size_of
from cruxe.respond.metadata import Metadata
from cruxe.respond.results import Answer, Neighbours, result_of
from cruxe.respond.search_metadata import Asked, Semantics, search_metadata
from cruxe.respond.snippets import sum_of_terms
from cruxe.respond.spec import ResponseSpec

_RELATED: Final = 5
# Phrases are checked against the text: of so many candidates at most.
_PHRASE_CANDIDATES: Final = 200


class SearchRequest(NamedTuple):
    """What a caller of `search_code` wants."""

    spec: SearchSpec
    response: ResponseSpec
    policy: FreshnessPolicy
    confidence_threshold: float
    cursor: str | None


class _Shown(NamedTuple):
    hit: SearchHit
    lines: list[str]
    neighbours: Neighbours
    also_at: tuple[str, ...] = ()


class _Finding(NamedTuple):
    analysis: QueryAnalysis
    reading: QueryReading
    outcome: SearchOutcome
    verified: VerifiedHits
    shown: list[_Shown]
    confidence: Confidence


def search_code(
    context: RepositoryContext,
    target: Target,
    opened: OpenedRef,
    check: FreshnessCheck,
    request: SearchRequest,
) -> Answer:
    """Search an opened ref and write the answer."""
    snapshot = opened.snapshot
    is_fresh = request.policy is FreshnessPolicy.BEST_EFFORT or check.is_fresh(snapshot)
    if not is_fresh and request.policy is FreshnessPolicy.STRICT:
        raise IndexStaleError("the index is behind the working tree")
    identity = _identity(request, target)
    spec = request.spec
    if request.cursor is not None:
        cursor = read_cursor(request.cursor, identity, snapshot.generation)
        spec = spec._replace(offset=cursor.offset)
    with TextReader(context, target, opened) as texts:
        finding = _find(context, spec, opened, texts, request)
    is_fresh = is_fresh and not finding.verified.is_changed
    metadata = Metadata.ready(target.shown, is_fresh=is_fresh)
    answer = _answer(finding, metadata, request)
    following = spec.offset + len(finding.outcome.hits)
    if not finding.outcome.is_exhausted:
        answer["next_cursor"] = write_cursor(Cursor(snapshot.generation, following), identity)
    return _within_limit(answer, request)


def _find(
    context: RepositoryContext,
    spec: SearchSpec,
    opened: OpenedRef,
    texts: TextReader,
    request: SearchRequest,
) -> _Finding:
    analysis = analyse_query(spec.query, os.path.basename(context.workspace.root))
    outcome = _search_with_phrases(analysis, spec, opened, _budgets(context), texts)
    verified = verify_hits(outcome.hits, texts)
    focused = [focus(each, analysis, opened.snapshot) for each in verified.hits]
    shown = [_show(each, opened.snapshot, request.response) for each in focused]
    coverage = _coverage(analysis, shown[0]) if shown else 0.0
    hits = [each.hit for each in shown]
    confidence = judge(hits, coverage, is_stale=verified.is_changed)
    reading = classify_intent(spec.query, context.settings.search.intent)
    return _Finding(analysis, reading, outcome, verified, shown, confidence)


def _search_with_phrases(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
    budgets: Mapping[str, Budget],
    texts: TextReader,
) -> SearchOutcome:
    """Search; hits that must hold a phrase are looked at in the text before they are counted."""
    expression = analysis.expression
    if expression is None or not needs_text(expression.demand):
        return search(analysis, spec, opened, budgets)
    every = spec._replace(offset=0, limit=_PHRASE_CANDIDATES)
    outcome = search(analysis, every, opened, budgets)
    satisfying: list[SearchHit] = []
    for hit in outcome.hits:
        text = texts.read(hit.version_key, hit.path)
        lines = [] if text is None else text.between(hit.line_start, hit.line_end)
        if is_satisfied(expression.demand, "\n".join(lines)):
            satisfying.append(hit)
    page = satisfying[spec.offset : spec.offset + spec.limit]
    return SearchOutcome(page, len(satisfying), spec.offset + spec.limit >= len(satisfying))


def _show(each: Verified, snapshot: Snapshot, response: ResponseSpec) -> _Shown:
    hit, neighbours = each.hit, Neighbours()
    if response.detail is DetailLevel.CONTEXT and not response.is_compact:
        neighbours = _neighbours(hit, snapshot)
    return _Shown(hit, each.text.between(hit.line_start, hit.line_end), neighbours)


def _neighbours(hit: SearchHit, snapshot: Snapshot) -> Neighbours:
    symbol = hit.symbol
    if symbol is None:
        return Neighbours()
    parent = None if symbol.parent is None else snapshot.symbol_at(hit.version_key, symbol.parent)
    around = snapshot.symbols_around(hit.version_key, symbol.ordinal, symbol.parent, _RELATED)
    return Neighbours(parent, tuple(around))


def _coverage(analysis: QueryAnalysis, first: _Shown) -> float:
    weights = analysis.weights
    total = sum(weights.values())
    if not total:
        return 0.0
    name = first.hit.symbol.qualified_name if first.hit.symbol else ""
    return sum_of_terms("\n".join((first.hit.path, name, *first.lines)), weights) / total


def _answer(finding: _Finding, metadata: Metadata, request: SearchRequest) -> Answer:
    weights = finding.analysis.weights
    results = [result_of(each, weights, request.response) for each in finding.shown]
    answer: Answer = {
        "results": results,
        "query_intent": finding.reading.intent.value,
        "total_candidates": finding.outcome.total,
    }
    names = finding.analysis.names
    asked = Asked(request.spec.query, names[0] if names else "", request.confidence_threshold)
    block = metadata.to_mapping()
    block |= search_metadata(asked, finding.reading, finding.confidence, Semantics())
    if finding.verified.dropped:
        block["dropped_stale"] = finding.verified.dropped
    if request.response.explain is not RankingExplainLevel.OFF:
        hits = [each.hit for each in finding.shown]
        block["ranking_reasons"] = ranking_reasons(hits, request.response.explain)
    if not results:
        answer["empty_reason"] = "stale" if finding.verified.dropped else "no_match"
    answer["suggested_next_actions"] = _next_actions(finding)
    answer["metadata"] = block
    return answer


def _next_actions(finding: _Finding) -> list[Answer]:
    if not finding.shown:
        return []
    symbol = finding.shown[0].hit.symbol
    return [] if symbol is None else [{"tool": "locate_symbol", "name": symbol.name}]


def _within_limit(answer: Answer, request: SearchRequest) -> Answer:
    """Cut an answer that is over the hard limit, and say so."""
    limit = request.response.max_bytes
    if size_of(answer) <= limit:
        return answer
    results = answer["results"]
    assert isinstance(results, list)
    metadata = answer["metadata"]
    assert isinstance(metadata, dict)
    reasons = metadata.pop("ranking_reasons", None)
    metadata |= {"result_completeness": "truncated", "safety_limit_applied": True}
    fewer = max(1, request.spec.limit // 2)
    actions = [{"tool": "search_code", "query": request.spec.query, "limit": fewer}]
    answer["suggested_next_actions"] = actions
    room = limit - size_of({**answer, "results": []})
    fitted = fit_results(results, room)
    answer["results"] = fitted.results
    if reasons is not None and size_of(answer) + size_of(reasons[: len(fitted.results)]) < limit:
        metadata["ranking_reasons"] = reasons[: len(fitted.results)]
    return answer


def _identity(request: SearchRequest, target: Target) -> str:
    """What pages of one list share: everything that decides about hits and their order."""
    return repr((target.ref.name, request.spec._replace(limit=0, offset=0)))


def _budgets(context: RepositoryContext) -> dict[str, Budget]:
    budgets = context.settings.search.ranking_signal_budgets.by_signal()
    return {name: Budget(each.min, each.max) for name, each in budgets.items()}
