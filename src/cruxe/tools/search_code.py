"""The tool `search_code`: find hits, verify them, rate confidence, shape the answer."""

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.hits import Confidence
from cruxe.model.intent import QueryIntent, QueryReading
from cruxe.model.levels import FreshnessStatus, RankingExplainLevel, ResultCompleteness
from cruxe.model.semantics import Semantics
from cruxe.query.rank.scoring import Findings, judge
from cruxe.query.select.gather import Gathered
from cruxe.query.select.question import Question
from cruxe.query.select.unknown_terms import (
    Unknowns,
    find_unknown,
    occurring_share,
)
from cruxe.query.select.verify import TextSource
from cruxe.query.understand.analysis import QueryAnalysis, likely_name
from cruxe.respond.metadata import Metadata
from cruxe.respond.search_answer import Asked, results_of, search_metadata
from cruxe.respond.size_limits import cut_found, is_over, narrower_requests, next_page, shorten
from cruxe.text.lines import sum_of_lines
from cruxe.tools.checked_requests import Cursor, SearchRequest, read_cursor, write_cursor
from cruxe.tools.ref_session import RefSession
from cruxe.tools.texts import ShownHit, show
from cruxe.workspace.context import Target

if TYPE_CHECKING:
    from collections.abc import Callable

    from cruxe.contract.ranking_parts import SearchStats
    from cruxe.contract.result_parts import (
        Bundles,
        EmptinessFields,
        SearchExtras,
        SearchMetadata,
        SuggestedAction,
    )
    from cruxe.contract.results import SearchCodeResult
    from cruxe.model.outcomes import Absence, Emptiness

# Suggested actions omit a longer query: the caller has it already.
_REPEATED_CHARACTERS: Final = 200
# Of a pasted text: about as many as its first line has.
_LEADING_TERMS: Final = 8


class _Finding(NamedTuple):
    analysis: QueryAnalysis
    reading: QueryReading
    gathered: Gathered
    shown: list[ShownHit]
    unknowns: Unknowns
    confidence: Confidence
    semantics: Semantics
    is_unparsed: bool  # the best result is in no definition and contains none
    relaxed_demands: tuple[str, ...] = ()  # that nothing satisfied
    defined: str = ""  # the name to look up if confidence is low or there are no hits
    emptiness: "Emptiness | None" = None  # set if there are no hits

    def bundles(self, count: int) -> "Bundles":
        """Group the first `count` shown results by file."""
        from cruxe.respond.bundles import bundles_of

        return bundles_of([each.hit for each in self.shown[:count]])


def search_code(session: RefSession, request: SearchRequest) -> "SearchCodeResult":
    """Search an opened ref and return the answer."""
    generation = session.snapshot.generation
    is_fresh = session.is_fresh(request.policy)
    identity = _identity(request, session.target)
    spec = request.spec
    if request.cursor is not None:
        cursor = read_cursor(request.cursor, identity, generation)
        spec = spec._replace(offset=cursor.offset)
    question = Question(session.settings, session.context.name, spec, session.opened)

    def is_absent(part: str) -> bool:
        return is_fresh or _is_absent(session, part)

    with session.texts() as texts:
        finding = _find(question, texts, request, is_absent)
    is_fresh = is_fresh and not finding.gathered.is_changed
    metadata = session.metadata(is_fresh=is_fresh)
    if not finding.shown:
        finding = _explain_emptiness(session, question, finding, is_fresh=is_fresh)
    answer = _answer(finding, metadata, request)

    def cursor_at(place: int) -> str:
        return write_cursor(Cursor(generation, place), identity)

    gathered = finding.gathered
    if not gathered.is_exhausted:
        answer["next_cursor"] = cursor_at(gathered.next_index)
    if not is_over(answer, request.response.max_bytes):
        return answer
    # Reserve space for the longest possible cursor. The exact one replaces it after the cut.
    longest = answer["next_cursor"] = cursor_at(gathered.next_index)
    bundles = None if request.response.group_by is None else finding.bundles
    actions = _narrower(request, request.spec.limit, longest)
    kept = cut_found(answer, actions, request.response.max_bytes, bundles)
    if kept < len(gathered.distinct):
        answer["next_cursor"] = cursor_at(gathered.distinct[kept].item.rank)
    elif gathered.is_exhausted:
        del answer["next_cursor"]
    answer["suggested_next_actions"] = _narrower(request, kept, answer.get("next_cursor"))
    return answer


def _find(
    question: Question,
    texts: TextSource,
    request: SearchRequest,
    is_absent: "Callable[[str], bool]",
) -> _Finding:
    spec, snapshot = question.spec, question.opened.snapshot
    ranking = question.rank(texts)
    gathered = question.gather(ranking, spec.offset, spec.limit, texts)
    distinct = gathered.distinct
    verified = [each.item.verified for each in distinct]
    question.opened.check_shown(each.hit.version_key for each in verified)
    found = show(verified, snapshot, request.response)
    shown = [each._replace(also_at=own.also_at) for each, own in zip(found, distinct, strict=True)]
    hits, analysis = [each.hit for each in shown], question.analysis
    is_path = question.reading.intent is QueryIntent.PATH
    unknowns = find_unknown(analysis, question.opened, texts, is_path=is_path).only(is_absent)
    findings = _findings(question, shown, unknowns)._replace(is_stale=gathered.is_changed)
    confidence = judge(hits, analysis, findings, ranking.table)
    semantics = question.semantics(ranking)
    is_unparsed = bool(hits) and question.is_unparsed(hits[0])
    finding = _Finding(
        analysis=analysis,
        reading=question.reading,
        gathered=gathered,
        shown=shown,
        unknowns=unknowns,
        confidence=confidence,
        semantics=semantics,
        is_unparsed=is_unparsed,
        relaxed_demands=question.relaxed_demands,
    )
    if not shown or confidence.value >= request.confidence_threshold:
        return finding
    if unknowns.terms:  # the first result is something else
        return finding._replace(defined=question.defined_name())
    return finding._replace(defined=question.suggested_name(hits[0].symbol))


def _is_absent(session: RefSession, part: str) -> bool:
    """Whether no file has a text, changed ones included."""
    from cruxe.model.outcomes import AbsenceVerdict
    from cruxe.tools.search_text import prove_absence

    return prove_absence(session, part).verdict is AbsenceVerdict.CONFIRMED_ABSENT


def _findings(question: Question, shown: list[ShownHit], unknowns: Unknowns) -> Findings:
    """What the answer is judged by; of a pasted text its start may do."""
    weights, is_pasted = question.analysis.weights, question.analysis.pasted is not None
    leading = dict(islice(weights.items(), _LEADING_TERMS)) if is_pasted else weights
    coverage = max(
        [_share_held(each, shown[0]) for each in (weights, leading) if shown], default=0.0
    )
    is_looked_up = bool(shown) and coverage < 1.0  # what the first result holds occurs
    return Findings(
        coverage=coverage,
        occurrence=occurring_share(leading, question.opened) if is_looked_up else coverage,
        is_pasted=is_pasted,
        names=unknowns.asked,
        unknown=len(unknowns.terms),
    )


def _share_held(weights: dict[str, float], first: ShownHit) -> float:
    total = sum(weights.values())
    if not total:
        return 0.0
    name = first.hit.symbol.qualified_name if first.hit.symbol else ""
    beside = f"{first.hit.path} {name}".replace("\n", " ")
    return sum_of_lines([beside, *first.above, *first.lines], weights) / total


def _answer(finding: _Finding, metadata: Metadata, request: SearchRequest) -> "SearchCodeResult":
    weights = finding.analysis.weights
    results = results_of(finding.shown, weights, request.response)
    grouped: SearchExtras = {}
    if request.response.group_by is not None:
        grouped["bundles"] = finding.bundles(len(results))
    stats: SearchExtras = {}
    if request.response.explain is RankingExplainLevel.FULL:
        stats["stats"] = _stats(finding, metadata)
    return {
        "results": results,
        **grouped,
        "query_intent": finding.reading.intent,
        "total_candidates": finding.gathered.total,
        **_emptiness(finding),
        "suggested_next_actions": _next_actions(finding, request),
        **stats,
        "metadata": _metadata(finding, metadata, request),
    }


def _emptiness(finding: _Finding) -> "EmptinessFields":
    if finding.emptiness is None:
        return {}
    from cruxe.respond.empty_answer import emptiness_answer

    return emptiness_answer(finding.emptiness)


def _metadata(finding: _Finding, metadata: Metadata, request: SearchRequest) -> "SearchMetadata":
    if finding.emptiness is not None:
        from cruxe.model.outcomes import EmptyReason

        if finding.emptiness.reason is EmptyReason.NOT_PROVEN:
            metadata = metadata._replace(result_completeness=ResultCompleteness.PARTIAL)
    defined = shorten(finding.defined, _REPEATED_CHARACTERS)
    unknown = [shorten(each, _REPEATED_CHARACTERS) for each in finding.unknowns.shown]
    asked = _asked(finding.analysis, request)
    asked = asked._replace(defined=defined, unknown=unknown[0] if unknown else "")
    block: SearchMetadata = {
        **metadata.to_mapping(),
        **search_metadata(asked, finding.reading, finding.confidence, finding.semantics),
    }
    if unknown:
        block["unknown_terms"] = unknown
    if finding.gathered.dropped:
        block["dropped_stale"] = finding.gathered.dropped
    if finding.gathered.suppressed:
        block["suppressed_duplicate_count"] = finding.gathered.suppressed
    if finding.relaxed_demands:
        block["relaxed_demands"] = [*finding.relaxed_demands]
    if request.response.explain is not RankingExplainLevel.OFF:
        from cruxe.respond.ranking_reasons import ranking_reasons

        hits = [each.hit for each in finding.shown]
        block["ranking_reasons"] = ranking_reasons(hits, request.response.explain)
    return block


def _stats(finding: _Finding, metadata: Metadata) -> "SearchStats":
    from cruxe.respond.search_answer import intent_stats
    from cruxe.respond.trust_stats import Degradations, trust_stats

    wrong = Degradations(
        is_empty=not finding.shown,
        is_stale=metadata.freshness_status is FreshnessStatus.STALE,
        has_dropped=bool(finding.gathered.dropped),
        is_unparsed=finding.is_unparsed,
        is_semantic=bool(finding.shown) and finding.semantics.ratio_used > 0,
        is_semantic_missing=finding.semantics.has_fallback,
    )
    return {
        "intent": intent_stats(finding.reading),
        "trust": trust_stats(finding.reading, finding.confidence, wrong),
    }


def _explain_emptiness(
    session: RefSession, question: Question, finding: _Finding, *, is_fresh: bool
) -> _Finding:
    from cruxe.query.select.empty_reason import find_reason
    from cruxe.tools.search_text import prove_absence

    def prove(literal: str) -> "Absence":
        return prove_absence(session, literal, is_fresh=is_fresh)

    emptiness = find_reason(question, finding.gathered, prove, is_fresh=is_fresh)
    return finding._replace(emptiness=emptiness, defined=question.defined_name())


def _asked(analysis: QueryAnalysis, request: SearchRequest) -> Asked:
    query = shorten(request.spec.query, _REPEATED_CHARACTERS)
    name = shorten(likely_name(analysis), _REPEATED_CHARACTERS)
    return Asked(query=query, name=name, threshold=request.confidence_threshold)


def _next_actions(finding: _Finding, request: SearchRequest) -> "list[SuggestedAction]":
    if finding.emptiness is not None:
        from cruxe.respond.empty_answer import next_actions_if_empty

        return next_actions_if_empty(finding.emptiness, request.spec, finding.defined)
    is_low = finding.confidence.value < request.confidence_threshold
    symbol = finding.shown[0].hit.symbol if finding.shown else None
    if is_low and finding.unknowns.terms:  # the first result is something else
        symbol = None
    return [] if symbol is None else [{"tool": "locate_symbol", "name": symbol.name}]


def _narrower(request: SearchRequest, fitting: int, cursor: str | None) -> "list[SuggestedAction]":
    """Suggest the next page and requests with a smaller answer, for an answer that was cut."""
    again: SuggestedAction = {"tool": "search_code"}
    if len(request.spec.query) <= _REPEATED_CHARACTERS:
        again["query"] = request.spec.query
    following = [] if cursor is None else [next_page(again, cursor)]
    return [*following, *narrower_requests(again, fitting, request.response)]


def _identity(request: SearchRequest, target: Target) -> str:
    """Return what all pages of one list share: everything that decides hits and their order."""
    return repr((target.ref.name, request.spec._replace(limit=0, offset=0)))
