"""What status, health and doctor say of the model in use, of what is missing and of what fits."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from cruxe.hosting.hosted_workspace import HostedWorkspace
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.semantic.larger_models import write_stand_in
from tests.support.command import run_cruxe
from tests.support.models import MODEL_VARIABLE, write_model
from tests.support.polyglot import metadata_of, paths_of
from tests.support.repositories import Repo

PROFILE = "CRUXE_SEMANTIC_EMBEDDING_PROFILE"
ADVISOR = "CRUXE_SEMANTIC_PROFILE_ADVISOR_MODE"
INSTALL = "run `pip install 'fastembed>=0.9,<1'`, or set semantic.embedding.profile to fast_local"


def semantic_of(answer: Mapping[str, object]) -> dict[str, object]:
    report = answer["semantic"]
    assert isinstance(report, dict)
    return report


def check_of(answer: Mapping[str, object]) -> object:
    """What a health check found of semantic search."""
    checks = answer["checks"]
    assert isinstance(checks, list)
    (found,) = [check for check in checks if check["check"] == "semantic"]
    return found


@requirement("ADVISE-REPORT")
def test_status_and_health_name_the_model_in_use(opened: Repository) -> None:
    expected = {
        "mode": "hybrid",
        "profile": "fast_local",
        "provider": "local",
        "rerank_provider": "none",
        "status": "ready",
        "model": "topics",
        "model_version": "topics-1",
        "dimensions": 64,
        "vectors": "ready",
    }
    health = opened.health_check()

    assert opened.index_status()["semantic"] == expected
    assert health["semantic"] == expected
    assert check_of(health) == {"check": "semantic", "ok": True}


@requirement("ADVISE-REPORT")
@pytest.mark.parametrize("mode", ["off", "rerank_only"])
def test_without_vectors_there_is_nothing_to_report(
    opened: Repository, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", mode)
    answer = open_repository(opened.root).health_check()

    assert semantic_of(answer) == {
        "mode": mode,
        "profile": "fast_local",
        "provider": "local",
        "rerank_provider": "none",
        "status": "off",
    }
    assert check_of(answer) == {"check": "semantic", "ok": True}


@requirement("ADVISE-REPORT", "ADVISE-EXTRA-MISSING")
@pytest.mark.parametrize(
    ("profile", "needed"),
    [
        ("code_quality", "jinaai/jina-embeddings-v2-base-code"),
        ("high_quality", "thenlper/gte-large"),
    ],
)
def test_a_profile_without_its_extra_says_what_to_install(
    opened: Repository, monkeypatch: pytest.MonkeyPatch, profile: str, needed: str
) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    monkeypatch.delenv(MODEL_VARIABLE)
    monkeypatch.setenv(PROFILE, profile)
    repository = open_repository(opened.root)
    problem = f"{needed} needs fastembed, which is not installed"
    health = repository.health_check()

    assert semantic_of(repository.index_status()) == {
        "mode": "hybrid",
        "profile": profile,
        "provider": "local",
        "rerank_provider": "none",
        "status": "unavailable",
        "problem": problem,
        "remedy": INSTALL,
    }
    assert health["status"] == "error"
    assert check_of(health) == {
        "check": "semantic",
        "ok": False,
        "problem": f"{problem}; {INSTALL}",
    }


@requirement("ADVISE-REPORT", "ADVISE-EXTRA-MISSING")
def test_a_model_that_is_found_but_does_not_load_fails_the_check_and_nothing_else(
    opened: Repository, shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_model(tmp_path / "broken", "topics-9")
    Path(folder, "table.npy").write_bytes(b"short")
    monkeypatch.setenv(MODEL_VARIABLE, folder)
    shop.write("-- src/new.py\ndef payment():\n    pass\n")
    repository = open_repository(opened.root)
    health = repository.health_check()
    synced = repository.sync_repo()
    answer = repository.search_code("where is the new payment")

    assert semantic_of(health)["status"] == "unavailable"
    assert health["status"] == "error"
    assert synced["status"] == "published"
    assert metadata_of(answer)["semantic_skipped_reason"] == "vectors_not_ready"
    assert "src/new.py" in paths_of(answer)


@requirement("ADVISE-REPORT")
@pytest.mark.parametrize(
    ("gates", "key", "problem"),
    [
        ("false", "", "openai is outside this machine and a privacy gate is closed"),
        ("true", "", "there is no key for openai"),
        ("true", "sk-secret", None),
    ],
)
def test_a_provider_is_reported_without_being_asked(
    opened: Repository,
    monkeypatch: pytest.MonkeyPatch,
    gates: str,
    key: str,
    problem: str | None,
) -> None:
    monkeypatch.setenv(PROFILE, "external")
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_PROVIDER", "openai")
    monkeypatch.setenv("CRUXE_SEMANTIC_EXTERNAL_PROVIDER_ENABLED", gates)
    monkeypatch.setenv("CRUXE_SEMANTIC_ALLOW_CODE_PAYLOAD_TO_EXTERNAL", gates)
    monkeypatch.setenv("CODECOMPASS_EMBEDDING_API_KEY", key)
    told = run_cruxe(opened.root, "doctor", "--json")
    report = semantic_of(told.answer)

    assert report.get("problem") == problem
    assert report["status"] == ("ready" if problem is None else "unavailable")
    assert "sk-secret" not in told.stdout + told.stderr
    checks = told.answer["checks"]
    assert isinstance(checks, list)
    assert {"check": "network", "ok": True} in checks


@requirement("ADVISE-MODE")
def test_without_being_asked_nothing_is_recommended(opened: Repository) -> None:
    assert "semantic_profile_recommendation" not in opened.index_status()
    assert "semantic_profile_recommendation" not in opened.health_check()


@requirement("ADVISE-MODE")
def test_a_recommendation_is_given_where_it_is_asked_for_and_changes_nothing(
    opened: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = metadata_of(opened.search_code("where is the payment given back"))
    monkeypatch.setenv(ADVISOR, "suggest")
    repository = open_repository(opened.root)
    served = HostedWorkspace(repository.context)
    expected = {
        "profile": "code_quality",
        "repo_size_bucket": "small",
        "reason_codes": [
            "repo_size_small",
            "code_quality_fits",
            "high_quality_over_latency_budget",
        ],
        "estimated_minutes": 1,
        "is_current": False,
        "install": "pip install 'fastembed>=0.9,<1'",
        "model": "jinaai/jina-embeddings-v2-base-code",
    }

    assert repository.index_status()["semantic_profile_recommendation"] == expected
    assert repository.health_check()["semantic_profile_recommendation"] == expected
    assert served.repository.health_check()["semantic_profile_recommendation"] == expected
    after = repository.search_code("where is the payment given back")
    assert metadata_of(after) == before
    assert semantic_of(repository.index_status())["profile"] == "fast_local"
    served.close()


@requirement("ADVISE-MODE")
def test_a_workspace_without_an_index_gets_no_recommendation(
    shop: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ADVISOR, "suggest")

    assert "semantic_profile_recommendation" not in open_repository(shop.root).index_status()


@requirement("ADVISE-REPORT", "ADVISE-MODE")
def test_the_command_line_tells_the_model_and_the_advice(
    opened: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ADVISOR, "suggest")
    status = run_cruxe(opened.root, "status").stdout
    doctor = run_cruxe(opened.root, "doctor")

    assert "semantic    hybrid by topics (fast_local, version topics-1)" in status
    assert "advice      profile code_quality would fit this repository" in status
    assert doctor.code == 0
    assert "ok       semantic search: hybrid by topics (fast_local" in doctor.stdout
    assert "advice   profile code_quality would fit this repository" in doctor.stdout


@requirement("ADVISE-EXTRA-MISSING")
def test_an_index_run_says_why_there_are_no_vectors(
    opened: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_stand_in(tmp_path / "large")
    Path(folder, "tokenizer.json").unlink()
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_MODEL_PATH", folder)
    told = run_cruxe(opened.root, "index")

    assert told.code == 0
    assert f"answers are lexical: no model can be read from {folder}" in told.stderr
