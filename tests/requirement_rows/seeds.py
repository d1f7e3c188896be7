"""The requirements of the five seeds, the contract that Cruxe grew from.

FR and SC are the ids of seed 002; the other seeds number nothing, so their ids start with the seed.
"""

from typing import Final

from tests.requirement_rows import Capability, Group

SEEDS: Final = (
    Group(
        "seed 000: configuration",
        None,
        {
            "S000-EXPLAIN-CONFIG": (
                "search.ranking_explain_level resolves to off, basic or full;"
                " debug.ranking_reasons=true means full and false off where it is not set; an"
                " invalid value falls back to the default."
            ),
        },
    ),
    Group(
        "seed 000: explainability",
        None,
        {
            "S000-EXPLAIN-PRECEDENCE": (
                "The explain level is the request's, else search.ranking_explain_level, else what"
                " the legacy debug flag means."
            ),
            "S000-EXPLAIN-OFF": "At off the metadata has no ranking_reasons.",
            "S000-EXPLAIN-BASIC": (
                "At basic ranking_reasons has result_index, exact_match, path_boost,"
                " definition_boost, semantic_similarity and final_score."
            ),
            "S000-EXPLAIN-FULL": (
                "At full ranking_reasons has result_index, exact_match_boost,"
                " qualified_name_boost, path_affinity, definition_boost, kind_match, bm25_score and"
                " final_score."
            ),
        },
    ),
    Group(
        "seed 000: compact, duplicates, limits",
        None,
        {
            "S000-COMPACT-ORDER": "Compact keeps the order and the identifiers of the results.",
            "S000-COMPACT-FIELDS": "Compact leaves out large optional fields such as previews.",
            "S000-DEDUP-ONE": "Of hits with the same symbol or file region one is kept.",
            "S000-LIMIT-TRUNCATED": (
                "An answer over the hard limit is cut to a deterministic prefix with"
                " result_completeness truncated and safety_limit_applied true."
            ),
            "S000-LIMIT-SOFT": (
                "The hard limit never fails a request: the answer is valid and has deterministic"
                " suggested_next_actions."
            ),
        },
    ),
    Group(
        "seed 000: near-duplicates",
        None,
        {
            "S000-DEDUP-COUNT": (
                "suppressed_duplicate_count counts the hits removed and is left out at zero."
            ),
        },
    ),
    Group(
        "seed 000: errors",
        None,
        {
            "S000-ERROR-INPUT": "The same invalid input gives the same code on stdio and HTTP.",
            "S000-ERROR-COMPATIBILITY": (
                "not_indexed, reindex_required and corrupt_manifest give the same codes and"
                " remedies on both transports."
            ),
        },
    ),
    Group(
        "seed 001",
        None,
        {
            "S001-CANONICAL-WRITE": (
                "indexing_status is not_indexed, indexing, ready or failed and"
                " result_completeness complete, partial or truncated; no other value is written."
            ),
            "S001-LEGACY-READ": "The legacy values idle and partial_available are read as ready.",
            "S001-METADATA-BUILDER": (
                "One builder maps each state to its statuses: ready complete, not_indexed partial,"
                " indexing partial, failed partial for reindex_required and corrupt_manifest."
            ),
            "S001-BUDGET-FIRST": (
                "An answer already cut by its token budget is not cut again by the hard limit."
            ),
        },
    ),
    Group(
        "seed 002: detail levels",
        None,
        {
            "FR-101": (
                "search_code and locate_symbol take detail_level location, signature (default) or"
                " context, which decides the fields of a result."
            ),
            "FR-102": "At location a result has path, line_start, line_end, kind and name.",
            "FR-103": (
                "At signature it has also qualified_name, signature, language and visibility."
            ),
            "FR-104": (
                "At context it has also body_preview, parent and related_symbols, where there are"
                " such."
            ),
            "FR-105": "detail_level changes what is written, not what is found or its order.",
            "FR-105a": (
                "compact (default false) leaves out large optional fields and keeps identity,"
                " location, score and follow-up handles."
            ),
            "FR-105c": (
                "Hard payload limits cut with result_completeness truncated and"
                " suggested_next_actions, and never fail."
            ),
        },
    ),
    Group(
        "seed 002: near-duplicates",
        None,
        {
            "FR-105b": (
                "Near-identical hits are removed before the top k are cut, and the metadata counts"
                " them."
            ),
        },
    ),
    Group(
        "seed 002: get_file_outline",
        None,
        {
            "FR-106": "get_file_outline gives the nested symbol tree of a file on a ref.",
            "FR-107": (
                "get_file_outline takes path, ref, depth (top or all) and optionally language."
            ),
            "FR-108": (
                "get_file_outline reads symbol_relations and nests by the chain of"
                " parent_symbol_id."
            ),
            "FR-109": "With depth top only symbols without a parent are given.",
        },
    ),
    Group(
        "seed 002: the handshake while prewarming",
        None,
        {"FR-121": "initialize and tools/list succeed while prewarming runs."},
    ),
    Group(
        "seed 002: health and start-up",
        None,
        {
            "FR-110": (
                "health_check reports the health of Tantivy and SQLite, grammars, active jobs,"
                " prewarming and start-up compatibility."
            ),
            "FR-111": "serve-mcp prewarms the index by default.",
            "FR-112": "--no-prewarm turns prewarming off.",
            "FR-113": "Health is warming while prewarming runs and ready afterwards.",
            "FR-122": (
                "health_check and index_status have the start-up payload: index.status,"
                " current_schema_version, required_schema_version."
            ),
            "FR-123": (
                "With reindex_required or corrupt_manifest query tools give index_incompatible and"
                " its remedy."
            ),
            "S002-PREWARM-FAILS": (
                "When prewarming fails, health is error with diagnostics and queries still work."
            ),
        },
    ),
    Group(
        "seed 002: ranking reasons",
        None,
        {
            "FR-114": "ranking_reasons is in the metadata unless the level is off.",
            "FR-115": "ranking_reasons breaks each result's score down by factor.",
            "FR-115a": (
                "ranking_explain_level is off, basic (compact normalized factors) or full (the"
                " whole breakdown)."
            ),
            "S002-CONTEXT-OMITS": (
                "At context, parent and related_symbols are left out where there are none, not"
                " null."
            ),
            "S002-REASONS-LOCATE": "locate_symbol gives ranking_reasons too.",
        },
    ),
    Group(
        "seed 002: freshness",
        None,
        {
            "FR-116": (
                "Before a query freshness is checked under the policy strict, balanced (default) or"
                " best_effort."
            ),
            "FR-117": "Under strict a stale index blocks the query with an error and guidance.",
            "FR-118": "Under balanced a stale index answers, says so, and syncs in the background.",
            "FR-119": "Under best_effort the answer comes at once and nothing is synced.",
            "FR-120": "The policy is set in the configuration and overridden per request.",
        },
    ),
    Group(
        "seed 002: success criteria on size",
        None,
        {
            "SC-101": "At location a result takes at most 60 tokens on average.",
            "SC-102": "At signature a result takes at most 120 tokens on average.",
        },
    ),
    Group(
        "seed 002: success criteria on compact",
        Capability.BENCHMARKS,
        {
            "SC-102a": "Compact answers take at most 20 % of the bytes of the same full answer.",
        },
    ),
    Group(
        "seed 002: success criteria on time",
        Capability.BENCHMARKS,
        {
            "SC-103": "get_file_outline has p95 under 50 ms on files with up to 200 symbols.",
            "SC-104": "The first query after a start with prewarming has p95 under 500 ms.",
            "SC-105": "health_check has p95 under 10 ms.",
            "SC-106": "The freshness check adds less than 5 ms to a query under balanced.",
            "SC-107": "Level basic adds at most 10 % to the p95 of a warm search_code.",
        },
    ),
    Group(
        "seed 003: metadata and confidence",
        None,
        {
            "S003-METADATA": (
                "Every search_code answer has the whole block from semantic_mode to"
                " intent_escalation_hint plus semantic_fallback, false and null included."
            ),
            "S003-THRESHOLD": "confidence_threshold overrides the configured one, and is told.",
            "S003-ACTION-LANGUAGE": (
                "A natural-language query of low confidence suggests locate_symbol with the"
                " identifier found in it."
            ),
            "S003-ACTION-SYMBOL": (
                "A symbol query without results suggests a broader search_code, one of low score a"
                " natural-language one."
            ),
            "S003-ACTION-PATH": "A path query without results suggests checking the spelling.",
            "S003-ACTION-NOTHING": "Any other query without results suggests broader terms.",
            "S003-INTENT-HINT": "A low intent confidence gives intent_escalation_hint.",
        },
    ),
    Group(
        "seed 003: search_code, extended",
        None,
        {
            "S003-RATIO": (
                "semantic_ratio caps the blend between 0 and 1; the ratio used may be lower and is"
                " told."
            ),
            "S003-PROVENANCE": "Each result says lexical, semantic or hybrid.",
            "S003-MODE-OFF": "Mode off is lexical only and says semantic_disabled.",
            "S003-MODE-RERANK": (
                "Mode rerank_only stays lexical for all intents and reranks the candidates."
            ),
            "S003-MODE-HYBRID": "Mode hybrid blends lexical and vector search.",
            "S003-INTENT-TABLE": (
                "Semantic search serves natural_language only; symbol, path and error stay"
                " lexical with intent_not_nl."
            ),
            "S003-SHORT-CIRCUIT": (
                "Above the lexical threshold semantic search is skipped with"
                " lexical_high_confidence."
            ),
            "S003-LOW-CONFIDENCE": (
                "low_confidence comes from top_score, score_margin, channel_agreement and intent"
                " confidence against the threshold."
            ),
            "S003-FALLBACK": (
                "Without the embedding model the answer is lexical with semantic_fallback true,"
                " and no new error code exists."
            ),
            "S003-RERANK-FALLBACK": (
                "When the external reranker fails the local one serves and rerank_fallback is true."
            ),
            "S003-PRIVACY-GATES": (
                "Nothing is sent out unless external_provider_enabled and"
                " allow_code_payload_to_external are both true; otherwise"
                " external_provider_blocked."
            ),
            "S003-CONFIG": "The [semantic] tables have the keys and overrides of the seed.",
            "S003-KEYS": "API keys come from the environment only and are never logged.",
            "S003-MODEL-VERSION": "Vectors of different model versions are never mixed.",
        },
    ),
    Group(
        "seed 004: explain schema",
        None,
        {
            "S004-EXPLAIN": "Explain output is valid JSON and the same for the same input.",
            "S004-INTENT": (
                "stats.intent has type, effectiveType, confidenceByType, confidence,"
                " confidenceMargin, confidenceBucket; low confidence abstains to mixed."
            ),
            "S004-TRUST": (
                "stats.trust has schemaVersion 1, confidence with its buckets, signals and"
                " reasonCodes."
            ),
        },
    ),
    Group(
        "seed 004: bundles",
        None,
        {
            "S004-BUNDLES": (
                "With group_by file, which --json asks for, an answer has bundles with"
                " schemaVersion 1: groups by file, hits without a file in bundles of their own, and"
                " of the results that are sent, no others."
            ),
            "S004-BUNDLE-ORDER": (
                "Bundles are ordered by totalScore, topScore, modeCount, file, bundleId; hits in"
                " one by score, mode, source index, id."
            ),
        },
    ),
    Group(
        "seed 004: search contract",
        Capability.SEARCH,
        {
            "S004-RANKING": (
                "Ranking blends sparse, dense, near-duplicate and symbol signals with weights per"
                " field, by RRF or weighted sum as configured."
            ),
            "S004-FILTERS": (
                "All filter flags of the seed exist, are ANDed, and apply before ranking to sparse"
                " and dense search alike."
            ),
            "S004-PREFILTER": "Prefilters only narrow: the exact filter always runs.",
            "S004-TOP": (
                "--top applies after ranking and fusion; fewer results come only when there are"
                " fewer candidates."
            ),
            "S004-MODES": (
                "code, prose, extractedProse, records and mixed are searched; mixed fuses them by"
                " RRF with a weight each."
            ),
            "S004-GRAPH-MEMBERSHIP": (
                "Graph ranking reorders the chosen results and never changes which they are."
            ),
            "S004-GRAPH-EXPLAIN": (
                "With graph ranking scoreBreakdown.graph has score, degree, proximity, weights,"
                " seedSelection and seedK."
            ),
            "S004-CONTEXT-EXPANSION": (
                "Context expansion comes after ranking, with explicit caps and deterministic"
                " truncation."
            ),
        },
    ),
)
