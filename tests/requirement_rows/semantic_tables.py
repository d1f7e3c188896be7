"""The rows of seed 003's tables, each by itself."""

from typing import Final

from tests.requirement_rows import Group

SEMANTIC_TABLES: Final = (
    Group(
        "seed 003: table of parameters",
        None,
        {
            "T003-IN-QUERY": "query is required, and any text.",
            "T003-IN-REF": "ref chooses what is searched.",
            "T003-IN-LANGUAGE": "language keeps only results in it.",
            "T003-IN-LIMIT": "limit bounds the results, 10 unless given.",
            "T003-IN-RATIO": "semantic_ratio caps the blend of a natural-language query.",
            "T003-IN-THRESHOLD": "confidence_threshold decides what is low_confidence.",
        },
    ),
    Group(
        "seed 003: table of response fields",
        None,
        {
            "T003-OUT-PROVENANCE": "results[].provenance is lexical, semantic or hybrid.",
            "T003-OUT-ENABLED": "semantic_enabled tells whether semantic search was active.",
            "T003-OUT-MODE": "semantic_mode is the effective mode.",
            "T003-OUT-RATIO": "semantic_ratio_used is what was used, not what was asked for.",
            "T003-OUT-TRIGGERED": "semantic_triggered tells whether vectors were asked.",
            "T003-OUT-SKIPPED": "semantic_skipped_reason says why they were not.",
            "T003-OUT-BLOCKED": "external_provider_blocked is true behind a closed gate.",
            "T003-OUT-MODEL": "embedding_model_version names the model while it has a part.",
            "T003-OUT-RERANKER": "rerank_provider is cohere, voyage, local or none.",
            "T003-OUT-RERANK-FALLBACK": "rerank_fallback is true where the local one stood in.",
            "T003-OUT-LOW": "low_confidence is true below the threshold.",
            "T003-OUT-ACTION": "suggested_action is there with low_confidence and else null.",
            "T003-OUT-THRESHOLD": "confidence_threshold is the one used.",
            "T003-OUT-TOP": "top_score is the first result's score.",
            "T003-OUT-MARGIN": "score_margin is the first score less the second.",
            "T003-OUT-AGREEMENT": "channel_agreement lies between 0 and 1.",
            "T003-OUT-INTENT": "query_intent_confidence lies between 0 and 1.",
            "T003-OUT-HINT": "intent_escalation_hint is there where the intent is not sure.",
            "T003-OUT-FALLBACK": "semantic_fallback is true where the model was unavailable.",
        },
    ),
    Group(
        "seed 003: table of intents",
        None,
        {
            "T003-INTENT-LANGUAGE": "natural_language is searched by meaning, in hybrid only.",
            "T003-INTENT-SYMBOL": "symbol is lexical.",
            "T003-INTENT-PATH": "path is lexical.",
            "T003-INTENT-ERROR": "error is lexical.",
            "T003-INTENT-RERANK": "rerank_only keeps every intent lexical and reranks.",
        },
    ),
    Group(
        "seed 003: table of suggested actions",
        None,
        {
            "T003-ACTION-LANGUAGE": "Natural language below the threshold: locate_symbol.",
            "T003-ACTION-SYMBOL-NONE": "Symbol without results: a broader query.",
            "T003-ACTION-SYMBOL-LOW": "Symbol of low score: a natural-language query.",
            "T003-ACTION-PATH": "Path without results: spelling or file name.",
            "T003-ACTION-ANY": "Any other intent without results: broader terms.",
        },
    ),
    Group(
        "seed 003: configuration and environment",
        None,
        {
            "T003-CONFIG-KEYS": (
                "Every key of the seed's [semantic] tables is read, in both places of the table,"
                " and has the value that is written."
            ),
            "T003-CONFIG-WHOLE": (
                "The seed's file as it stands gives no notice, and with mode hybrid it answers by"
                " meaning with the model of the package."
            ),
            "T003-ENV-EMBEDDING": "CODECOMPASS_EMBEDDING_API_KEY is the key of embeddings.",
            "T003-ENV-RERANK": "CODECOMPASS_RERANK_API_KEY is the key of the reranker.",
        },
    ),
)
