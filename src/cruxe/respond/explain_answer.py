"""The answer of `explain_ranking`: the rank of a region for a query, with the reasons."""

from typing import TYPE_CHECKING, Final

from cruxe.model.hits import Contribution, SearchHit
from cruxe.model.outcomes import Rival, Standing, Unranked, UnrankedReason
from cruxe.model.specs import FILTERS_BY_NAME
from cruxe.respond.metadata import Metadata
from cruxe.respond.ranking_reasons import contributions_to, scoring_factors
from cruxe.respond.search_answer import result_handle
from cruxe.respond.size_limits import Shortening, omit_empty, shorten

if TYPE_CHECKING:
    from cruxe.contract.ranking_parts import BeatenBy, ExplainedRegion, SignalDifference
    from cruxe.contract.result_parts import RankedFields, SuggestedAction, UnrankedFields
    from cruxe.contract.results import ExplainRankingResult

_DIGITS: Final = 6
_REPEATED_CHARACTERS: Final = 200
SIGNAL_MEANINGS: Final = {
    "bm25": "how well its best chunk holds the query's words, against the best of all",
    "bm25_rank": "the place of its file by the best three chunks",
    "defined_names": "how well the names that its file defines hold the words",
    "file_head": "how well the head of its file holds the words",
    "definition_boost": "its file defines a name in the query",
    "exact_match": "it is the name that was asked for; less in another spelling or scope",
    "fuzzy": "its name is a typing error away from the one asked for",
    "kind_match": "types come before callables, and those before what is only named so",
    "qualified_name": "the qualified name in the query is the end of its own",
    "path_affinity": "the share of its file name's words that the query mentions",
    "file_name": "its file is called what was asked for",
    "path_match": "its path is the one that was asked for",
    "file_size": "how much there is in its file, as far as its best chunk answers the query",
    "semantic_similarity": "how near in meaning its best chunk is to the query",
    "semantic_rank": "the place of its file by the three chunks nearest in meaning",
    "semantic_doc": "how near in meaning the docs of its file are to the query",
    "declaration_penalty": "its file only declares what other files define",
    "literal_match": "a literal or message of the query stands in it",
    "title_rank": "the place of its file by the title of the pasted text",
    "text_rank": "the place of its file by the whole pasted text",
    "terms_rank": "the place of its file by the most telling words of the text",
    "names_rank": "the place of its file by the names in the text",
    "code_rank": "the place of its file by the code in the text",
    "error_rank": "the place of its file by the error that the text reports",
    "named_definitions": "how many names in the text its file defines, and few others do",
    "frame_match": "its file is in the traceback of the text",
    "stem_in_text": "how often the text has the name of its file",
    "folder_in_title": "a folder of its file is a word of the title",
    "recent_change": "how recently and often commits changed its file",
    "answering_part": "other definitions of its file answer the text better",
    "test_file_penalty": "it is a test",
    "example_penalty": "it is in a folder of examples, documents, tools or copies",
    "prose_penalty": "it is prose, not code",
    "data_penalty": "it is data or configuration, not code",
    "further_definition": "an earlier definition of its file has the name too",
    "saturation": "better parts of its file come before it",
    "rerank": "what the reranker makes of the text itself",
}


def explained_answer(
    query: str, standing: Standing, metadata: Metadata, max_bytes: int
) -> "ExplainRankingResult":
    """Return the answer: a rank with its reasons, or the reason why there is no rank.

    Over the size limit it loses first the regions that rank before it, then meanings, then numbers.
    It never loses the rank.
    """
    shown = shorten(query, _REPEATED_CHARACTERS)
    answer = _explained(shown, standing, metadata)
    shortening = Shortening(answer, answer["metadata"], max_bytes)
    shortening.cut_list(answer.get("beaten_by", []))
    shortening.cut_table(answer.get("scoring_details", {}))
    shortening.cut_list(answer.get("candidate_regions", []))
    shortening.cut_list(answer.get("terms", []))
    shortening.cut_list(answer.get("held_terms", []))
    if "scoring" in answer:
        shortening.cut_list(answer["scoring"]["signal_accounting"])
    return answer


def _explained(query: str, standing: Standing, metadata: Metadata) -> "ExplainRankingResult":
    hit = standing.hit
    if hit is None:
        assert standing.unranked is not None
        return {
            "query": query,
            "result": {"path": standing.path, "line_start": standing.line},
            "total_candidates": standing.total,
            **_unranked(standing.unranked, standing),
            "metadata": metadata.to_mapping(),
        }
    return {
        "query": query,
        "result": _region(hit),
        **_rank(standing),
        "total_candidates": standing.total,
        **_scoring(hit, standing),
        "metadata": metadata.to_mapping(),
    }


def _region(hit: SearchHit) -> "ExplainedRegion":
    symbol = hit.symbol
    region: ExplainedRegion = {
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
    }
    if symbol is not None:
        region["kind"] = symbol.kind
        region["name"] = symbol.name
        region["qualified_name"] = symbol.qualified_name
    region["result_id"] = result_handle(hit)
    return region


def _rank(standing: Standing) -> "RankedFields":
    if standing.rank is None:
        return {"candidate_rank": standing.place}
    return {"rank": standing.rank, "candidate_rank": standing.place}


def _scoring(hit: SearchHit, standing: Standing) -> "RankedFields":
    fields: RankedFields = {}
    if standing.duplicate_of:
        fields["duplicate_of"] = standing.duplicate_of
    fields["scoring"] = {
        **scoring_factors(hit),
        "total": hit.score,
        "signal_accounting": contributions_to(hit),
    }
    fields["scoring_details"] = {
        f"{each.signal}_reason": _meaning(each) for each in hit.contributions
    }
    fields["beaten_by"] = [_beaten_by(rival, hit) for rival in standing.rivals]
    return fields


def _meaning(each: Contribution) -> str:
    meaning = SIGNAL_MEANINGS[each.signal]
    return meaning if each.raw == each.clamped else f"{meaning}; held to its budget"


def _beaten_by(rival: Rival, hit: SearchHit) -> "BeatenBy":
    """Describe a hit that ranks before `hit`; the signal differences sum to `ahead_by`."""
    other = rival.hit
    theirs = {each.signal: each.effective for each in other.contributions}
    ours = {each.signal: each.effective for each in hit.contributions}
    differences = [
        _difference(signal, theirs.get(signal, 0.0), ours.get(signal, 0.0))
        for signal in dict.fromkeys((*theirs, *ours))
        if theirs.get(signal, 0.0) != ours.get(signal, 0.0)
    ]
    differences.sort(key=lambda each: (-abs(each["difference"]), each["signal"]))
    return {
        "rank": rival.rank,
        **_region(other),
        "score": other.score,
        "ahead_by": round(other.score - hit.score, _DIGITS),
        "signals": differences,
    }


def _difference(signal: str, theirs: float, ours: float) -> "SignalDifference":
    difference = round(theirs - ours, _DIGITS)
    return {"signal": signal, "theirs": theirs, "ours": ours, "difference": difference}


def _unranked(unranked: Unranked, standing: Standing) -> "UnrankedFields":
    fields: UnrankedFields = {
        "unranked_reason": unranked.reason,
        "explanation": _sentence(unranked, standing),
        "skip_reason": unranked.skip_reason or "",
        "filters": list(unranked.filters),
        "candidate_regions": [
            {"line_start": each.line_start, "line_end": each.line_end, "place": each.place}
            for each in unranked.regions
        ],
        "terms": list(unranked.terms),
        "held_terms": list(unranked.held_terms),
        "suggested_next_actions": _next_actions(unranked, standing),
    }
    return omit_empty(fields)


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


def _next_actions(unranked: Unranked, standing: Standing) -> "list[SuggestedAction]":
    if unranked.reason is UnrankedReason.OTHER_REGION:
        line = unranked.regions[0].line_start
        return [
            {
                "tool": "explain_ranking",
                "result_path": standing.path,
                "result_line_start": line,
            }
        ]
    if unranked.reason is UnrankedReason.NOT_INDEXED:
        return [{"tool": "index_status"}]
    return [{"tool": "read_symbol", "symbol": f"{standing.path}:{standing.line}"}]
