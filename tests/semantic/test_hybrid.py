"""Hybrid search as seed 003 has it: what runs when, what it says of itself, what it may not do."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast

import pytest

from cruxe.model.errors import InvalidInputError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.models import MODEL_VARIABLE, write_model
from tests.support.polyglot import (
    bytes_of,
    metadata_of,
    paths_of,
    reasons_of,
    results_of,
    search_with,
)
from tests.support.programs import run_program
from tests.support.repositories import Repo
from tests.support.stores import layout_of

# None of its words stands in the repository; the model knows that two of them belong to `login`.
BY_MEANING: Final = "how do people sign in with a credential"
QUESTION: Final = "where is the payment of an invoice given back"


def semantics(answer: Mapping[str, object]) -> dict[str, object]:
    """What an answer says of vectors."""
    metadata = metadata_of(answer)
    return {
        key: metadata[f"semantic_{key}"]
        for key in ("mode", "enabled", "ratio_used", "triggered", "skipped_reason", "fallback")
    }


def reopened(repository: Repository) -> Repository:
    """The same repository under the environment as it is now."""
    return open_repository(repository.root)


@requirement("S003-MODE-HYBRID")
def test_what_no_word_finds_is_found_by_its_meaning(opened: Repository) -> None:
    answer = opened.search_code(BY_MEANING)

    assert paths_of(answer)[0] == "src/access.py"
    assert results_of(answer)[0]["provenance"] == "semantic"
    assert semantics(answer) == {
        "mode": "hybrid",
        "enabled": True,
        "ratio_used": pytest.approx(0.38, abs=0.15),
        "triggered": True,
        "skipped_reason": None,
        "fallback": False,
    }
    assert metadata_of(answer)["embedding_model_version"] == "topics-1"


@requirement("S003-PROVENANCE")
def test_every_result_says_which_channels_found_it(
    opened: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    hybrid = opened.search_code(QUESTION)
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")
    lexical = reopened(opened).search_code(QUESTION)

    assert results_of(hybrid)[0]["path"] == "src/money.py"
    assert results_of(hybrid)[0]["provenance"] == "hybrid"
    assert {result["provenance"] for result in results_of(hybrid)} <= {
        *("hybrid", "lexical", "semantic"),
    }
    assert {result["provenance"] for result in results_of(lexical)} == {"lexical"}


@requirement("S003-MODE-OFF")
def test_off_is_lexical_and_needs_no_vectors(
    shop: Repo, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    del model
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")
    repository = open_repository(shop.root)
    repository.sync_repo()

    assert results_of(repository.search_code(BY_MEANING)) == []
    assert semantics(repository.search_code(QUESTION)) == {
        "mode": "off",
        "enabled": False,
        "ratio_used": 0.0,
        "triggered": False,
        "skipped_reason": "semantic_disabled",
        "fallback": False,
    }
    store = layout_of(repository.context).current()
    assert store is not None
    assert not os.path.exists(store.vectors_path(1))


@requirement("S003-INTENT-TABLE")
@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("refund", "symbol"),
        ("src/access.py", "path"),
        ("ValueError: no such invoice", "error"),
    ],
)
def test_names_paths_and_errors_stay_lexical(
    opened: Repository, monkeypatch: pytest.MonkeyPatch, query: str, intent: str
) -> None:
    answer = opened.search_code(query)
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")
    lexical = reopened(opened).search_code(query)

    assert answer["query_intent"] == intent
    assert semantics(answer)["skipped_reason"] == "intent_not_nl"
    assert semantics(answer)["triggered"] is False
    assert answer["results"] == lexical["results"]


@requirement("S003-RATIO")
@pytest.mark.parametrize("ratio", [0.05, 0.2])
def test_a_ratio_caps_the_share_of_similarity(opened: Repository, ratio: float) -> None:
    answer = opened.search_code(QUESTION, semantic_ratio=ratio, ranking_explain_level="basic")

    assert semantics(answer)["ratio_used"] == ratio
    for reasons in reasons_of(answer):
        similarity = reasons["semantic_similarity"]
        assert isinstance(similarity, float)
        assert 0.0 <= similarity <= ratio + 1e-5
    free = semantics(opened.search_code(QUESTION, semantic_ratio=1.0))["ratio_used"]
    assert isinstance(free, float)
    assert ratio < free < 1.0


@requirement("S003-RATIO")
def test_a_ratio_of_zero_is_lexical(opened: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = opened.search_code(QUESTION, semantic_ratio=0.0)
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")

    assert semantics(answer)["skipped_reason"] == "semantic_ratio_zero"
    assert answer["results"] == reopened(opened).search_code(QUESTION)["results"]


@requirement("S003-RATIO")
@pytest.mark.parametrize("ratio", [-0.1, 1.1, float("nan")])
def test_a_ratio_that_is_no_share_is_invalid_input(opened: Repository, ratio: float) -> None:
    with pytest.raises(InvalidInputError, match="semantic_ratio is"):
        opened.search_code(QUESTION, semantic_ratio=ratio)


@requirement("S003-CONFIG")
def test_the_ratio_of_an_intent_overrides_the_general_one(opened: Repository, shop: Repo) -> None:
    shop.write(
        "-- .cruxe/config.toml\n[semantic]\nratio = 0.3\n"
        "[semantic.overrides.natural_language]\nratio = 0.1\n"
    )
    answer = reopened(opened).search_code(QUESTION)

    assert semantics(answer)["ratio_used"] == 0.1
    asked = reopened(opened).search_code(QUESTION, semantic_ratio=0.2)
    assert semantics(asked)["ratio_used"] == 0.2


@requirement("S003-SHORT-CIRCUIT")
def test_a_sure_lexical_answer_is_not_asked_again(
    opened: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEMANTIC_LEXICAL_SHORT_CIRCUIT_THRESHOLD", "0.2")
    answer = reopened(opened).search_code(QUESTION)
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")

    assert semantics(answer)["skipped_reason"] == "lexical_high_confidence"
    assert semantics(answer)["triggered"] is False
    assert semantics(answer)["fallback"] is False
    assert answer["results"] == reopened(opened).search_code(QUESTION)["results"]


@requirement("S003-FALLBACK")
def test_without_a_model_the_answer_is_lexical_and_says_so(
    opened: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")
    lexical = reopened(opened).search_code(QUESTION)
    monkeypatch.delenv("CRUXE_SEMANTIC_MODE")
    monkeypatch.setenv(MODEL_VARIABLE, str(tmp_path / "nowhere"))
    answer = reopened(opened).search_code(QUESTION)

    assert semantics(answer) == {
        "mode": "hybrid",
        "enabled": True,
        "ratio_used": 0.0,
        "triggered": False,
        "skipped_reason": "embedding_unavailable",
        "fallback": True,
    }
    assert metadata_of(answer)["embedding_model_version"] is None
    assert answer["results"] == lexical["results"]
    explained = reopened(opened).search_code(QUESTION, ranking_explain_level="full")
    assert "semantic_missing" in str(explained["stats"])


@requirement("S003-FALLBACK", "S003-MODEL-VERSION")
def test_another_model_answers_lexically_until_a_sync_has_made_its_vectors(
    opened: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, write_model(tmp_path / "other", "topics-2"))
    repository = reopened(opened)
    before = repository.search_code(BY_MEANING)
    repository.sync_repo()
    after = repository.search_code(BY_MEANING)

    assert semantics(before)["skipped_reason"] == "vectors_not_ready"
    assert semantics(before)["fallback"] is True
    assert results_of(before) == []
    assert metadata_of(after)["embedding_model_version"] == "topics-2"
    assert paths_of(after)[0] == "src/access.py"


@requirement("S000-EXPLAIN-FULL")
def test_the_explanation_adds_up_with_the_dense_share_in_it(opened: Repository) -> None:
    answer = opened.search_code(QUESTION, ranking_explain_level="full")

    for result, reasons in zip(results_of(answer), reasons_of(answer), strict=True):
        contributions = reasons["contributions"]
        assert isinstance(contributions, list)
        total = sum(each["effective"] for each in contributions)
        assert result["score"] == reasons["final_score"] == pytest.approx(total, abs=2e-5)
    first = reasons_of(answer)[0]["contributions"]
    assert isinstance(first, list)
    assert {"semantic_similarity", "semantic_rank", "semantic_doc"} <= {
        each["signal"] for each in first
    }


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"language": "go"}, ["src/keeper.go"]),
        ({"path": "src/later*"}, ["src/later.py"]),
        ({"kind": "class"}, []),
        ({"language": "python", "path": "src/a*"}, ["src/access.py"]),
    ],
)
def test_filters_gate_vectors_as_they_do_words(
    opened: Repository, filters: dict[str, str], expected: list[str]
) -> None:
    query = "how to sign and persist and wait until tomorrow"
    answer = search_with(opened, query, filters)

    assert paths_of(answer) == expected


def test_vectors_do_not_vouch_for_what_a_query_demands(opened: Repository) -> None:
    answer = opened.search_code('how to sign in with "credential" AND payment')

    assert results_of(answer) == []


def test_the_same_bytes_come_with_kernels_and_without(opened: Repository) -> None:
    program = (
        "import json; from cruxe.repository import open_repository;"
        f"print(json.dumps([open_repository({opened.root!r}).search_code(query,"
        f" ranking_explain_level='full') for query in ({QUESTION!r}, {BY_MEANING!r})]))"
    )
    without = run_program(f"from cruxe import native; native._loaded = None; {program}")

    assert without == run_program(program)


def test_the_list_goes_on_where_a_page_ended(opened: Repository) -> None:
    query = "where is the payment of an invoice given back for a password and a clock"
    whole = opened.search_code(query, limit=3)
    first = opened.search_code(query, limit=1)
    cursor = first["next_cursor"]
    assert isinstance(cursor, str)
    second = opened.search_code(query, limit=2, cursor=cursor)

    assert results_of(first) + results_of(second) == results_of(whole)
    assert len(results_of(whole)) == 3
    assert bytes_of(whole) == bytes_of(opened.search_code(query, limit=3))
    with pytest.raises(InvalidInputError):
        opened.search_code(query, limit=2, cursor=cursor, semantic_ratio=0.1)


def test_a_question_about_nothing_in_the_repository_finds_nothing(opened: Repository) -> None:
    answer = opened.search_code("how do zebras quack loudly")

    assert results_of(answer) == []
    assert answer["empty_reason"] == "no_match"


@requirement("S003-LOW-CONFIDENCE")
def test_an_answer_that_only_meaning_speaks_for_is_not_sure(opened: Repository) -> None:
    unsure, sure = opened.search_code(BY_MEANING), opened.search_code(QUESTION)

    assert metadata_of(unsure)["low_confidence"] is True
    assert metadata_of(unsure)["suggested_action"] == "Try locate_symbol with 'login'"
    assert metadata_of(sure)["low_confidence"] is False
    assert metadata_of(sure)["suggested_action"] is None
    assert metadata_of(sure)["channel_agreement"] == 0.5


@requirement("T003-OUT-RATIO")
@pytest.mark.parametrize("fusion", ["SCORE_BLEND", "RRF"])
def test_the_ratio_used_is_that_of_the_fusion(
    opened: Repository, monkeypatch: pytest.MonkeyPatch, fusion: str
) -> None:
    def ratio() -> float:
        answer = reopened(opened).search_code(QUESTION, ranking_explain_level="full")
        assert metadata_of(answer)["semantic_triggered"] is True
        most = max(
            sum(
                each["effective"]
                for each in cast("list[dict[str, float]]", reason["contributions"])
                if str(each["signal"]).startswith("semantic")
            )
            for reason in reasons_of(answer)
        )
        used = metadata_of(answer)["semantic_ratio_used"]
        assert isinstance(used, float)
        assert round(most, 4) <= used  # the metadata are rounded
        return used

    usual = ratio()
    monkeypatch.setenv(f"CRUXE_SEARCH_{fusion}_ENABLED", "true")
    fused = ratio()
    monkeypatch.setenv("CRUXE_SEARCH_SCORE_BLEND_DENSE_WEIGHT", "3")
    heavier = ratio()

    assert fused != usual
    assert heavier == fused if fusion == "RRF" else heavier > fused


@requirement("T003-OUT-AGREEMENT")
def test_one_channel_alone_agrees_with_nothing(
    opened: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = metadata_of(opened.search_code(QUESTION))
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")
    lexical = reopened(opened).search_code(QUESTION, ranking_explain_level="full")

    assert both["channel_agreement"] != 0.0
    assert metadata_of(lexical)["channel_agreement"] == 0.0
    assert "channels_disagree" not in str(lexical["stats"])


@requirement("S003-FALLBACK")
@pytest.mark.parametrize("damage", ["missing", "cut", "no rows"])
def test_damaged_or_missing_vectors_leave_a_lexical_answer(opened: Repository, damage: str) -> None:
    store = layout_of(opened.context).current()
    assert store is not None
    folder = next(Path(store.folder).glob("vectors-*"))
    if damage == "missing":
        shutil.rmtree(folder)
    elif damage == "cut":
        os.truncate(folder / "codes", 1)
    else:
        os.remove(folder / "rows")

    answer = reopened(opened).search_code(QUESTION)

    assert paths_of(answer)[0] == "src/money.py"
    told = semantics(answer)
    assert (told["triggered"], told["skipped_reason"]) == (False, "vectors_damaged")
    assert told["fallback"] is True
