"""Where a region stands for a query, as the answer of `explain_ranking`."""

from typing import Final, NamedTuple, cast

from cruxe.model.filters import FILTERS_BY_NAME
from cruxe.model.hits import Contribution, SearchHit
from cruxe.model.outcomes import Rival, Standing, Unranked, UnrankedReason
from cruxe.respond.metadata import Metadata
from cruxe.respond.ranking_reasons import scoring_factors
from cruxe.respond.search_results import result_handle
from cruxe.respond.size_limits import shorten_fields
from cruxe.respond.snippets import shorten

Answer = dict[str, object]

_DIGITS: Final = 6
_REPEATED_CHARACTERS: Final = 200
_GIVEN_UP: Final = ("beaten_by", "scoring_details", "candidate_regions", "terms", "held_terms")
SIGNAL_MEANINGS: Final = {
    "bm25": "how well its best chunk holds the query's words, against the best of all",
    "bm25_rank": "the place of its file by the best three chunks",
    "defined_names": "how well the names that its file defines hold the words",
    "file_head": "how well the head of its file holds the words",
    "definition_boost": "its file defines a name in the query",
    "exact_match": "it is the very name that was asked for",
    "qualified_name": "the qualified name in the query is the end of its own",
    "path_affinity": "the share of its file name's words that the query mentions",
    "file_name": "its file is called what was asked for",
    "path_match": "its path is the one that was asked for",
    "file_size": "how much there is in its file, as far as its best chunk answers the query",
    "semantic_similarity": "how near in meaning its best chunk is to the query",
    "semantic_rank": "the place of its file by the three chunks nearest in meaning",
    "semantic_doc": "how near in meaning the docs of its file are to the query",
    "test_file_penalty": "it is a test",
    "example_penalty": "it is in a folder of examples, documents, tools or copies",
    "prose_penalty": "it is prose, not code",
    "data_penalty": "it is data or configuration, not code",
    "further_definition": "an earlier definition of its file has the name too",
    "saturation": "better parts of its file come before it",
    "rerank": "what the reranker makes of the text itself",
}


def explained_answer(query: str, standing: Standing, metadata: Metadata, max_bytes: int) -> Answer:
    """The answer: a rank with its reasons, or the reason why there is none.

    Over the hard limit it loses what others have, then meanings, then numbers; never the rank.
    """
    answer: Answer = {"query": shorten(query, _REPEATED_CHARACTERS)}
    if standing.hit is None:
        answer["result"] = {"path": standing.path, "line_start": standing.line}
        answer["total_candidates"] = standing.total
        assert standing.unranked is not None
        answer |= _unranked(standing.unranked, standing)
    else:
        answer["result"] = _place(standing.hit)
        answer |= _ranked(standing.hit, standing)
    answer["metadata"] = metadata.to_mapping()
    scoring = cast("Answer", answer.get("scoring", {}))
    given_up = [(answer, field) for field in _GIVEN_UP]
    return shorten_fields(answer, [*given_up, (scoring, "signal_accounting")], max_bytes)


def _place(hit: SearchHit) -> Answer:
    symbol = hit.symbol
    place: Answer = {"path": hit.path, "line_start": hit.line_start, "line_end": hit.line_end}
    if symbol is not None:
        place |= {"kind": symbol.kind, "name": symbol.name, "qualified_name": symbol.qualified_name}
    return place | {"result_id": result_handle(hit)}


def _ranked(hit: SearchHit, standing: Standing) -> Answer:
    answer: Answer = {}
    if standing.rank is not None:
        answer["rank"] = standing.rank
    answer |= {"candidate_rank": standing.place, "total_candidates": standing.total}
    if standing.duplicate_of:
        answer["duplicate_of"] = standing.duplicate_of
    answer["scoring"] = {
        **scoring_factors(hit),
        "total": hit.score,
        "signal_accounting": [each._asdict() for each in hit.contributions],
    }
    answer["scoring_details"] = {
        f"{each.signal}_reason": _meaning(each) for each in hit.contributions
    }
    answer["beaten_by"] = [_beaten_by(rival, hit) for rival in standing.rivals]
    return answer


def _meaning(each: Contribution) -> str:
    meaning = SIGNAL_MEANINGS[each.signal]
    return meaning if each.raw == each.clamped else f"{meaning}; held to its budget"


class _Difference(NamedTuple):
    """What one signal makes between two hits."""

    signal: str
    theirs: float
    ours: float
    difference: float

    @classmethod
    def of(cls, signal: str, theirs: float, ours: float) -> "_Difference":
        return cls(signal, theirs, ours, round(theirs - ours, _DIGITS))


def _beaten_by(rival: Rival, hit: SearchHit) -> Answer:
    """A hit before the one asked about; the differences of the signals are that of the scores."""
    other = rival.hit
    theirs = {each.signal: each.effective for each in other.contributions}
    ours = {each.signal: each.effective for each in hit.contributions}
    differences = [
        _Difference.of(signal, theirs.get(signal, 0.0), ours.get(signal, 0.0))
        for signal in dict.fromkeys((*theirs, *ours))
        if theirs.get(signal, 0.0) != ours.get(signal, 0.0)
    ]
    differences.sort(key=lambda each: (-abs(each.difference), each.signal))
    return {
        "rank": rival.rank,
        **_place(other),
        "score": other.score,
        "ahead_by": round(other.score - hit.score, _DIGITS),
        "signals": [each._asdict() for each in differences],
    }


def _unranked(unranked: Unranked, standing: Standing) -> Answer:
    answer: Answer = {"unranked_reason": unranked.reason.value}
    answer["explanation"] = _sentence(unranked, standing)
    details: Answer = {
        "skip_reason": unranked.skip_reason,
        "filters": list(unranked.filters),
        "candidate_regions": [each._asdict() for each in unranked.regions],
        "terms": list(unranked.terms),
        "held_terms": list(unranked.held_terms),
    }
    answer |= {name: value for name, value in details.items() if value}
    answer["suggested_next_actions"] = _next_actions(unranked, standing)
    return answer


def _sentence(unranked: Unranked, standing: Standing) -> str:
    path, place = standing.path, f"{standing.path}:{standing.line}"
    match unranked.reason:
        case UnrankedReason.NOT_INDEXED:
            why = (unranked.skip_reason or "unknown").replace("_", " ")
            return f"{path} is not indexed: {why}"
        case UnrankedReason.FILTERED_OUT:
            labels = [FILTERS_BY_NAME[name].label for name in unranked.filters]
            return f"{place} is left out by {', '.join(labels)}"
        case UnrankedReason.NOT_DEMANDED:
            return f"{path} does not hold what the quotes, minus signs or operators demand"
        case UnrankedReason.NO_TERM:
            return f"{path} holds no word of the query"
        case UnrankedReason.OTHER_REGION:
            first = unranked.regions[0]
            lines = f"{first.line_start}-{first.line_end}"
            return f"{path} is a candidate by lines {lines}, not by line {standing.line}"
        case UnrankedReason.BELOW_CUTOFF:
            held = ", ".join(unranked.held_terms)
            return f"{path} holds {held}, but too many others hold the query's words better"


def _next_actions(unranked: Unranked, standing: Standing) -> list[Answer]:
    if unranked.reason is UnrankedReason.OTHER_REGION:
        first = unranked.regions[0]
        region = {"result_path": standing.path, "result_line_start": first.line_start}
        return [{"tool": "explain_ranking", **region}]
    if unranked.reason is UnrankedReason.NOT_INDEXED:
        return [{"tool": "index_status"}]
    return [{"tool": "read_symbol", "symbol": f"{standing.path}:{standing.line}"}]
