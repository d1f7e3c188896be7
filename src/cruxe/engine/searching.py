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
from cruxe.query.analysis import QueryAnalysis, analyse_query, likely_name
from cruxe.query.confidence import judge
from cruxe.query.demands import is_satisfied, needs_text
from cruxe.query.intent import classify_intent
from cruxe.query.opened import OpenedRef
from cruxe.query.operators import Node
from cruxe.query.search import search
from cruxe.query.signals import Budget
from cruxe.respond.explanation import ranking_reasons
from cruxe.respond.limits import fit_results, size_of
from cruxe.respond.metadata import Metadata
from cruxe.respond.results import Answer, Neighbours, result_of
from cruxe.respond.search_metadata import Asked, Semantics, search_metadata
from cruxe.respond.snippets import shorten, sum_of_terms
from cruxe.respond.spec import ResponseSpec

_RELATED: Final = 5
# Phrases are checked against the text: of so many candidates at most.
_PHRASE_CANDIDATES: Final = 200
_ALL_CANDIDATES: Final = 10_000
# A longer query is not repeated in what is suggested: whoever sent it has it.
_REPEATED_CHARACTERS: Final = 200


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
    filtered_out: dict[str, int]  # of an empty answer: what each filter alone takes away


def search_code(
    context: RepositoryContext,
    target: Target,
    opened: OpenedRef,
    check: FreshnessCheck,
    request: SearchRequest,
) -> Answer:
    """Search an opened ref and write the answer."""
    snapshot = opened.snapshot
    # Whatever the policy: an answer that nobody compared with the files must not be called fresh.
    is_fresh = check.is_fresh(snapshot)
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

    def cursor_at(place: int) -> str:
        return write_cursor(Cursor(snapshot.generation, spec.offset + place), identity)

    if not finding.outcome.is_exhausted:
        answer["next_cursor"] = cursor_at(len(finding.outcome.hits))
    if size_of(answer) <= request.response.max_bytes:
        return answer
    # The longest that it can be; once it is known what fits, the true one takes its place.
    answer["next_cursor"] = cursor_at(len(finding.outcome.hits))
    kept = _cut_to_limit(answer, request)
    if kept < len(finding.shown):
        answer["next_cursor"] = cursor_at(_place_of(finding.shown[kept].hit, finding.outcome))
    elif finding.outcome.is_exhausted:
        del answer["next_cursor"]
    return answer


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
    is_empty = not outcome.total
    filtered_out = _filtered_out(analysis, spec, opened, _budgets(context)) if is_empty else {}
    return _Finding(analysis, reading, outcome, verified, shown, confidence, filtered_out)


def _filtered_out(
    analysis: QueryAnalysis, spec: SearchSpec, opened: OpenedRef, budgets: Mapping[str, Budget]
) -> dict[str, int]:
    """How many candidates each filter takes away by itself; nothing where none takes any."""
    bare = SearchSpec(spec.query, limit=1)
    alone = {
        "language": bare._replace(language=spec.language),
        "kind": bare._replace(kind=spec.kind),
        "role": bare._replace(role=spec.role),
        "path": bare._replace(path=spec.path),
    }
    given = {name: each for name, each in alone.items() if each != bare}
    total = search(analysis, bare, opened, budgets).total if given else 0
    left = {name: search(analysis, each, opened, budgets).total for name, each in given.items()}
    return {name: total - count for name, count in left.items() if count < total}


def _search_with_phrases(
    analysis: QueryAnalysis,
    spec: SearchSpec,
    opened: OpenedRef,
    budgets: Mapping[str, Budget],
    texts: TextReader,
) -> SearchOutcome:
    """Search; hits that the index cannot vouch for are looked at in the text before they count."""
    expression = analysis.expression
    if expression is None:
        return search(analysis, spec, opened, budgets)
    candidates = _PHRASE_CANDIDATES if needs_text(expression.demand) else _ALL_CANDIDATES
    every = spec._replace(offset=0, limit=candidates)
    outcome = search(analysis, every, opened, budgets)
    satisfying = [hit for hit in outcome.hits if _satisfies(hit, expression.demand, texts)]
    page = satisfying[spec.offset : spec.offset + spec.limit]
    return SearchOutcome(page, len(satisfying), spec.offset + spec.limit >= len(satisfying))


def _satisfies(hit: SearchHit, demand: Node, texts: TextReader) -> bool:
    """Whether a hit meets a demand; of chunks the index has checked all but phrases."""
    if hit.chunk is not None and not needs_text(demand):
        return True
    text = texts.read(hit.version_key, hit.path)
    lines = [] if text is None else text.between(hit.line_start, hit.line_end)
    return is_satisfied(demand, "\n".join((hit.path, *lines)))


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
    asked = _asked(finding.analysis, request)
    block = metadata.to_mapping()
    block |= search_metadata(asked, finding.reading, finding.confidence, Semantics())
    if finding.verified.dropped:
        block["dropped_stale"] = finding.verified.dropped
    if request.response.explain is not RankingExplainLevel.OFF:
        hits = [each.hit for each in finding.shown]
        block["ranking_reasons"] = ranking_reasons(hits, request.response.explain)
    if not results:
        answer |= _emptiness(finding)
    answer["suggested_next_actions"] = _next_actions(finding)
    answer["metadata"] = block
    return answer


def _emptiness(finding: _Finding) -> Answer:
    """Why there is nothing."""
    if finding.verified.dropped:
        return {"empty_reason": "stale"}
    if finding.filtered_out:
        return {"empty_reason": "filtered_out", "filtered_out": finding.filtered_out}
    return {"empty_reason": "no_match"}


def _asked(analysis: QueryAnalysis, request: SearchRequest) -> Asked:
    query = shorten(request.spec.query, _REPEATED_CHARACTERS)
    name = shorten(likely_name(analysis), _REPEATED_CHARACTERS)
    return Asked(query, name, request.confidence_threshold)


def _next_actions(finding: _Finding) -> list[Answer]:
    if not finding.shown:
        return []
    symbol = finding.shown[0].hit.symbol
    return [] if symbol is None else [{"tool": "locate_symbol", "name": symbol.name}]


def _cut_to_limit(answer: Answer, request: SearchRequest) -> int:
    """Cut an answer that is over the hard limit, say so, and tell how many results are left."""
    results, metadata = answer["results"], answer["metadata"]
    assert isinstance(results, list)
    assert isinstance(metadata, dict)
    reasons = metadata.get("ranking_reasons", [])
    metadata |= {"result_completeness": "truncated", "safety_limit_applied": True}
    fewer = max(1, request.spec.limit // 2)
    action: Answer = {"tool": "search_code", "query": request.spec.query, "limit": fewer}
    if len(request.spec.query) > _REPEATED_CHARACTERS:
        del action["query"]
    answer |= {"suggested_next_actions": [action], "results": []}
    if reasons:
        metadata["ranking_reasons"] = []
    fitted = fit_results(results, request.response.max_bytes - size_of(answer), reasons)
    answer["results"] = fitted.results
    if reasons:
        metadata["ranking_reasons"] = fitted.reasons
    return len(fitted.results)


def _place_of(shown: SearchHit, outcome: SearchOutcome) -> int:
    """Where a hit stood before some were dropped and others narrowed."""
    return next(place for place, hit in enumerate(outcome.hits) if _key(hit) == _key(shown))


def _key(hit: SearchHit) -> tuple[int, int | None, int | None]:
    is_definition = hit.chunk is None and hit.symbol is not None
    return hit.version_key, hit.chunk, hit.symbol.ordinal if is_definition and hit.symbol else None


def _identity(request: SearchRequest, target: Target) -> str:
    """What pages of one list share: everything that decides about hits and their order."""
    return repr((target.ref.name, request.spec._replace(limit=0, offset=0)))


def _budgets(context: RepositoryContext) -> dict[str, Budget]:
    budgets = context.settings.search.ranking_signal_budgets.by_signal()
    return {name: Budget(each.min, each.max) for name, each in budgets.items()}
