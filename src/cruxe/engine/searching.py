"""Answering `search_code`: find, verify, judge, shape."""

from typing import Final, NamedTuple

from cruxe.engine.asking import Question
from cruxe.engine.context import RepositoryContext
from cruxe.engine.cursors import Cursor, read_cursor, write_cursor
from cruxe.engine.freshness import FreshnessCheck, require_fresh
from cruxe.engine.gathering import Gathered
from cruxe.engine.requests import SearchRequest
from cruxe.engine.shown import ShownHit, show
from cruxe.engine.targets import Target
from cruxe.engine.texts import TextReader
from cruxe.model.hits import Confidence
from cruxe.model.intent import QueryReading
from cruxe.model.levels import RankingExplainLevel
from cruxe.model.specs import SearchSpec
from cruxe.query.analysis import QueryAnalysis, likely_name
from cruxe.query.confidence import judge
from cruxe.query.intent import classify_intent
from cruxe.query.opened import OpenedRef
from cruxe.respond.explanation import ranking_reasons
from cruxe.respond.limits import cut_to_limit, is_over
from cruxe.respond.metadata import Metadata
from cruxe.respond.results import Answer, result_of
from cruxe.respond.search_metadata import Asked, Semantics, search_metadata
from cruxe.respond.snippets import shorten, sum_of_terms

# A longer query is not repeated in what is suggested: whoever sent it has it.
_REPEATED_CHARACTERS: Final = 200


class _Finding(NamedTuple):
    analysis: QueryAnalysis
    reading: QueryReading
    gathered: Gathered
    shown: list[ShownHit]
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
    is_fresh = require_fresh(check, snapshot, request.policy)
    identity = _identity(request, target)
    spec = request.spec
    if request.cursor is not None:
        cursor = read_cursor(request.cursor, identity, snapshot.generation)
        spec = spec._replace(offset=cursor.offset)
    with TextReader(context, target, opened) as texts:
        finding = _find(context, spec, opened, texts, request)
    is_fresh = is_fresh and not finding.gathered.is_changed
    metadata = Metadata.ready(target.shown, is_fresh=is_fresh)
    answer = _answer(finding, metadata, request)

    def cursor_at(place: int) -> str:
        return write_cursor(Cursor(snapshot.generation, place), identity)

    gathered = finding.gathered
    if not gathered.is_exhausted:
        answer["next_cursor"] = cursor_at(gathered.next_place)
    if not is_over(answer, request.response.max_bytes):
        return answer
    # The longest that it can be; once it is known what fits, the true one takes its place.
    answer["next_cursor"] = cursor_at(gathered.next_place)
    kept = cut_to_limit(answer, _narrower(request), request.response.max_bytes)
    if kept < len(gathered.distinct):
        answer["next_cursor"] = cursor_at(gathered.distinct[kept].item.place)
    elif gathered.is_exhausted:
        del answer["next_cursor"]
    return answer


def _find(
    context: RepositoryContext,
    spec: SearchSpec,
    opened: OpenedRef,
    texts: TextReader,
    request: SearchRequest,
) -> _Finding:
    question = Question(context, spec, opened)
    ranking = question.rank(texts)
    gathered = question.gather(ranking, spec.offset, spec.limit, texts)
    shown = [
        show(each.item.verified, opened.snapshot, request.response, each.also_at)
        for each in gathered.distinct
    ]
    coverage = _coverage(question.analysis, shown[0]) if shown else 0.0
    hits = [each.hit for each in shown]
    confidence = judge(hits, coverage, is_stale=gathered.is_changed)
    reading = classify_intent(spec.query, context.settings.search.intent)
    filtered_out = {} if gathered.total else _filtered_out(question)
    return _Finding(question.analysis, reading, gathered, shown, confidence, filtered_out)


def _filtered_out(question: Question) -> dict[str, int]:
    """How many candidates each filter takes away by itself; nothing where none takes any."""
    spec = question.spec
    bare = SearchSpec(spec.query)
    alone = {
        "language": bare._replace(language=spec.language),
        "kind": bare._replace(kind=spec.kind),
        "role": bare._replace(role=spec.role),
        "path": bare._replace(path=spec.path),
    }
    given = {name: each for name, each in alone.items() if each != bare}

    def count(asked: SearchSpec) -> int:
        return len(question.rank_unchecked(asked).regions)

    total = count(bare) if given else 0
    left = {name: count(each) for name, each in given.items()}
    return {name: total - count for name, count in left.items() if count < total}


def _coverage(analysis: QueryAnalysis, first: ShownHit) -> float:
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
        "total_candidates": finding.gathered.total,
    }
    asked = _asked(finding.analysis, request)
    block = metadata.to_mapping()
    block |= search_metadata(asked, finding.reading, finding.confidence, Semantics())
    if finding.gathered.dropped:
        block["dropped_stale"] = finding.gathered.dropped
    if finding.gathered.suppressed:
        block["suppressed_duplicate_count"] = finding.gathered.suppressed
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
    if finding.gathered.dropped:
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


def _narrower(request: SearchRequest) -> list[Answer]:
    """What to do about an answer that was cut."""
    fewer = max(1, request.spec.limit // 2)
    if len(request.spec.query) > _REPEATED_CHARACTERS:
        return [{"tool": "search_code", "limit": fewer}]
    return [{"tool": "search_code", "query": request.spec.query, "limit": fewer}]


def _identity(request: SearchRequest, target: Target) -> str:
    """What pages of one list share: everything that decides about hits and their order."""
    return repr((target.ref.name, request.spec._replace(limit=0, offset=0)))
