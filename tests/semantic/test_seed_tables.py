"""The tables of seed 003 row by row, through the protocol's own tool."""

import os
from collections.abc import Callable, Mapping
from typing import Final

import pytest

from cruxe.config.keys import flat_values
from cruxe.config.load import load_settings
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.models import MODEL_VARIABLE
from tests.support.polyglot import metadata_of, paths_of, results_of
from tests.support.repositories import Repo
from tests.support.wires import MemoryWire, decoded, initialize, payload_of, tool_call

BY_MEANING: Final = "how do people sign in with a credential"
QUESTION: Final = "where is the payment of an invoice given back"
OTHERS: Final = {"symbol": "refund", "path": "src/access.py", "error": "ValueError: no invoice"}
SEED_CONFIG: Final = """
[semantic]
mode = "off"
ratio = 0.3
lexical_short_circuit_threshold = 0.85
confidence_threshold = 0.5
profile_advisor_mode = "off"
external_provider_enabled = false
allow_code_payload_to_external = false

[semantic.embedding]
profile = "fast_local"
provider = "local"
model = "NomicEmbedTextV15Q"
model_version = "fastembed-1"
dimensions = 768
batch_size = 32

[semantic.rerank]
provider = "none"
timeout_ms = 5000

[semantic.overrides.natural_language]
ratio = 0.5

[semantic.overrides.symbol]
ratio = 0.0

[semantic.overrides.path]
ratio = 0.0

[semantic.overrides.error]
ratio = 0.0
"""
# Another value than the default for each, so that a key that is not read shows.
CHANGED: Final = {
    "mode": "rerank_only",
    "ratio": 0.25,
    "lexical_short_circuit_threshold": 0.75,
    "confidence_threshold": 0.45,
    "profile_advisor_mode": "suggest",
    "external_provider_enabled": True,
    "allow_code_payload_to_external": True,
    "embedding.profile": "external",
    "embedding.provider": "voyage",
    "embedding.model": "voyage-code-3",
    "embedding.model_version": "7",
    "embedding.dimensions": 1024,
    "embedding.batch_size": 16,
    "rerank.provider": "cohere",
    "rerank.timeout_ms": 900,
    "overrides.natural_language.ratio": 0.4,
    "overrides.symbol.ratio": 0.1,
    "overrides.path.ratio": 0.2,
    "overrides.error.ratio": 0.3,
}

Answer = Mapping[str, object]
Search = Callable[..., Answer]


@pytest.fixture
def search(opened: Repository) -> Search:
    """`search_code` as a client calls it, under the settings as they are then."""

    def ask(**arguments: object) -> Answer:
        wire = MemoryWire(opened.root)
        wire.ask(initialize())
        try:
            return payload_of(wire.ask(tool_call("search_code", arguments)))
        finally:
            wire.workspaces.close()

    return ask


@requirement("T003-IN-QUERY")
def test_a_query_is_required(opened: Repository) -> None:
    wire = MemoryWire(opened.root)
    wire.ask(initialize())
    answer = decoded(wire.ask(tool_call("search_code", {"limit": 3})))
    wire.workspaces.close()

    assert "invalid_input" in str(answer)
    assert "query" in str(answer)


@requirement("T003-IN-REF", "T003-IN-LANGUAGE", "T003-IN-LIMIT")
def test_ref_language_and_limit_hold_for_results_by_meaning_too(search: Search, shop: Repo) -> None:
    shop.commit("all of it")
    shop.branch("other")
    open_repository(shop.root).index_repo(ref="other")
    query = "how to sign and persist and wait until tomorrow"
    of_ref = search(query=query, ref="other")

    assert metadata_of(of_ref)["ref"] == "other"
    assert metadata_of(of_ref)["semantic_triggered"] is True
    assert paths_of(search(query=query, language="go")) == ["src/keeper.go"]
    assert len(results_of(search(query=query, limit=1))) == 1
    assert len(results_of(search(query=query))) <= 10


@requirement("T003-IN-RATIO", "T003-OUT-RATIO")
def test_the_ratio_is_a_cap_for_questions_and_nothing_else(search: Search) -> None:
    capped = metadata_of(search(query=QUESTION, semantic_ratio=0.1))
    free = metadata_of(search(query=QUESTION, semantic_ratio=1.0))
    name = metadata_of(search(query="refund", semantic_ratio=1.0))

    assert capped["semantic_ratio_used"] == 0.1
    assert isinstance(free["semantic_ratio_used"], float)
    assert 0.1 < free["semantic_ratio_used"] < 1.0
    assert name["semantic_ratio_used"] == 0.0


@requirement("T003-IN-THRESHOLD", "T003-OUT-THRESHOLD", "T003-OUT-LOW", "T003-OUT-ACTION")
def test_the_threshold_decides_what_is_unsure(search: Search) -> None:
    sure = metadata_of(search(query=QUESTION, confidence_threshold=0.0))
    unsure = metadata_of(search(query=QUESTION, confidence_threshold=1.0))
    usual = metadata_of(search(query=QUESTION))

    assert (sure["confidence_threshold"], unsure["confidence_threshold"]) == (0.0, 1.0)
    assert usual["confidence_threshold"] == 0.5
    assert (sure["low_confidence"], sure["suggested_action"]) == (False, None)
    assert unsure["low_confidence"] is True
    assert isinstance(unsure["suggested_action"], str)


@requirement(
    "T003-OUT-PROVENANCE",
    "T003-OUT-ENABLED",
    "T003-OUT-MODE",
    "T003-OUT-TRIGGERED",
    "T003-OUT-MODEL",
    "T003-OUT-TOP",
    "T003-OUT-MARGIN",
    "T003-OUT-AGREEMENT",
    "T003-OUT-INTENT",
    "T003-INTENT-LANGUAGE",
)
def test_a_question_is_answered_by_meaning_and_says_so(search: Search) -> None:
    answer = search(query=BY_MEANING)
    both = search(query=f"{QUESTION} for a password and a clock")
    metadata = metadata_of(both)
    first, second = (result["score"] for result in results_of(both)[:2])
    assert isinstance(first, float)
    assert isinstance(second, float)

    assert results_of(answer)[0]["provenance"] == "semantic"
    assert results_of(both)[0]["provenance"] == "hybrid"
    assert answer["query_intent"] == "natural_language"
    for each in (metadata, metadata_of(answer)):
        assert each["semantic_mode"] == "hybrid"
        assert each["semantic_enabled"] is True
        assert each["semantic_triggered"] is True
        assert each["semantic_skipped_reason"] is None
        assert each["embedding_model_version"] == "topics-1"
    assert metadata["top_score"] == first
    assert metadata["score_margin"] == pytest.approx(first - second, abs=1e-4)
    for name in ("channel_agreement", "query_intent_confidence"):
        value = metadata[name]
        assert isinstance(value, float)
        assert 0.0 < value <= 1.0


@requirement("T003-OUT-SKIPPED", "T003-INTENT-SYMBOL", "T003-INTENT-PATH", "T003-INTENT-ERROR")
@pytest.mark.parametrize("intent", OTHERS)
def test_other_intents_stay_lexical(search: Search, intent: str) -> None:
    answer = search(query=OTHERS[intent])
    metadata = metadata_of(answer)

    assert answer["query_intent"] == intent
    assert metadata["semantic_triggered"] is False
    assert metadata["semantic_skipped_reason"] == "intent_not_nl"
    assert metadata["embedding_model_version"] is None
    assert {result["provenance"] for result in results_of(answer)} <= {"lexical"}


@requirement("T003-INTENT-RERANK", "T003-OUT-RERANKER", "T003-OUT-SKIPPED")
@pytest.mark.parametrize("query", [QUESTION, *OTHERS.values()])
def test_rerank_only_is_lexical_for_every_intent_and_reranks(
    search: Search, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "rerank_only")
    monkeypatch.setenv("CRUXE_SEMANTIC_RERANK_PROVIDER", "local")
    answer = search(query=query)
    metadata = metadata_of(answer)

    assert results_of(answer) != []
    assert metadata["semantic_mode"] == "rerank_only"
    assert metadata["semantic_triggered"] is False
    assert metadata["semantic_skipped_reason"] == "mode_rerank_only"
    assert metadata["rerank_provider"] == "local"
    assert metadata["rerank_fallback"] is False
    assert {result["provenance"] for result in results_of(answer)} == {"lexical"}


@requirement("T003-OUT-BLOCKED", "T003-OUT-RERANK-FALLBACK", "T003-OUT-FALLBACK")
def test_a_closed_gate_is_told_and_the_answer_is_local(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_gates = metadata_of(search(query=QUESTION))
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_PROVIDER", "openai")
    monkeypatch.setenv("CRUXE_SEMANTIC_RERANK_PROVIDER", "cohere")
    blocked = metadata_of(search(query=QUESTION))

    fields = ("external_provider_blocked", "rerank_provider", "rerank_fallback")
    assert [open_gates[name] for name in fields] == [False, "none", False]
    assert [blocked[name] for name in fields] == [True, "local", True]
    assert (open_gates["semantic_fallback"], blocked["semantic_fallback"]) == (False, True)
    assert blocked["semantic_skipped_reason"] == "external_provider_blocked"


@requirement("T003-OUT-HINT")
def test_an_intent_that_is_not_sure_comes_with_a_hint(search: Search) -> None:
    queries = (QUESTION, "money.py refundInvoice https://x", "refund")
    told = [metadata_of(search(query=query)) for query in queries]
    hints = {bool(each["intent_escalation_hint"]) for each in told}

    assert hints == {True, False}
    for each in told:
        confidence = each["query_intent_confidence"]
        assert isinstance(confidence, float)
        assert (each["intent_escalation_hint"] is None) == (confidence >= 0.65)


@requirement(
    "T003-ACTION-LANGUAGE",
    "T003-ACTION-SYMBOL-NONE",
    "T003-ACTION-SYMBOL-LOW",
    "T003-ACTION-PATH",
    "T003-ACTION-ANY",
)
@pytest.mark.parametrize(
    ("query", "threshold", "action"),
    [
        (BY_MEANING, 0.5, "Try locate_symbol with 'login'"),
        ("zebraQuota", 0.5, "Try search_code with broader query: 'zebraQuota'"),
        (
            "refundInvoice",
            1.0,
            "Try search_code with natural language: 'where is refundInvoice defined'",
        ),
        ("zz/qq/xx.kt", 0.5, "Check file path spelling or try search_code with filename"),
        (
            "ZebraError: quacked zealously",
            0.5,
            "No results found. Try broader search terms or check index status.",
        ),
        (
            "how do zebras quack loudly",
            0.5,
            "No results found. Try broader search terms or check index status.",
        ),
    ],
)
def test_an_unsure_answer_suggests_what_the_table_says(
    search: Search, query: str, threshold: float, action: str
) -> None:
    metadata = metadata_of(search(query=query, confidence_threshold=threshold))

    assert metadata["low_confidence"] is True
    assert metadata["suggested_action"] == action


@requirement("T003-CONFIG-KEYS")
@pytest.mark.parametrize("table", ["semantic", "search.semantic"])
def test_every_key_of_the_seed_is_read(home: str, table: str) -> None:
    lines = [f"{table}.{key} = {_literal(value)}" for key, value in CHANGED.items()]
    settings = _loaded_from(home, "\n".join(lines))

    assert {key: settings[f"semantic.{key}"] for key in CHANGED} == CHANGED


@requirement("T003-CONFIG-WHOLE")
def test_the_seeds_own_file_is_taken_as_it_stands(
    home: str, shop: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    _loaded_from(home, SEED_CONFIG)
    off = open_repository(shop.root)
    off.sync_repo()
    disabled = metadata_of(off.search_code(QUESTION))
    _loaded_from(home, SEED_CONFIG.replace('"off"', '"hybrid"', 1))
    hybrid = open_repository(shop.root)
    hybrid.sync_repo()
    triggered = metadata_of(hybrid.search_code(QUESTION))

    assert off.context.loaded.notices == ()
    assert disabled["semantic_skipped_reason"] == "semantic_disabled"
    assert triggered["semantic_triggered"] is True
    assert triggered["semantic_fallback"] is False


@requirement("T003-ENV-EMBEDDING", "T003-ENV-RERANK")
@pytest.mark.parametrize("prefix", ["CODECOMPASS", "CRUXE"])
@pytest.mark.parametrize("kind", ["embedding", "rerank"])
def test_keys_come_from_the_environment(prefix: str, kind: str) -> None:
    variables = {f"{prefix}_{kind.upper()}_API_KEY": "sk-very-secret-key"}
    loaded = load_settings(None, None, variables, "/nowhere")
    key = getattr(loaded.settings.semantic, kind).api_key

    assert key.reveal() == "sk-very-secret-key"
    assert "sk-very-secret-key" not in repr(loaded)


def _loaded_from(home: str, text: str) -> dict[str, object]:
    """The settings with a file in the home directory, which must be taken without a notice."""
    path = os.path.join(home, ".cruxe", "config.toml")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    loaded = load_settings(None, None, {}, home)
    assert loaded.notices == ()
    return dict(flat_values(loaded.settings))


def _literal(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
