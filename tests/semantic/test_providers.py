"""Providers outside this machine: asked only through open gates, and never needed for an answer."""

import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from cruxe.config.values import Secret
from cruxe.embed.provider_calls import Provider, ProviderError, post_json
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.semantic.provider import DIMENSIONS, FakeProvider, serve_provider
from tests.support.command import run_cruxe
from tests.support.polyglot import metadata_of, paths_of, reasons_of, results_of
from tests.support.repositories import Repo

KEY = "sk-very-secret-key"
QUESTION = "where is the payment of an invoice given back"
FAILURES = ["slow", "401", "429", "500", "302", "garbage", "partial"]
GATES = (
    "CRUXE_SEMANTIC_EXTERNAL_PROVIDER_ENABLED",
    "CRUXE_SEMANTIC_ALLOW_CODE_PAYLOAD_TO_EXTERNAL",
)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with serve_provider() as fake:
        yield fake


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> None:
    for gate in GATES:
        monkeypatch.setenv(gate, "true")


@pytest.fixture
def external_embedding(provider: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_PROFILE", "external")
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_PROVIDER", "openai")
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_MODEL", "topics-large")
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_DIMENSIONS", str(DIMENSIONS))
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_ENDPOINT", provider.address)
    monkeypatch.setenv("CODECOMPASS_EMBEDDING_API_KEY", KEY)
    return provider


@pytest.fixture
def external_rerank(provider: FakeProvider, monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    monkeypatch.setenv("CRUXE_SEMANTIC_RERANK_PROVIDER", "cohere")
    monkeypatch.setenv("CRUXE_SEMANTIC_RERANK_ENDPOINT", provider.address)
    monkeypatch.setenv("CRUXE_SEMANTIC_RERANK_TIMEOUT_MS", "600")
    monkeypatch.setenv("CODECOMPASS_RERANK_API_KEY", KEY)
    return provider


def reopened(repository: Repository) -> Repository:
    return open_repository(repository.root)


@requirement("S003-PRIVACY-GATES")
@pytest.mark.parametrize("open_gates", [(), GATES[:1], GATES[1:]])
def test_no_socket_opens_while_a_gate_is_closed(
    opened: Repository,
    external_embedding: FakeProvider,
    external_rerank: FakeProvider,
    monkeypatch: pytest.MonkeyPatch,
    open_gates: tuple[str, ...],
) -> None:
    for gate in open_gates:
        monkeypatch.setenv(gate, "true")

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    repository = reopened(opened)
    repository.sync_repo()
    metadata = metadata_of(repository.search_code(QUESTION))

    assert external_embedding.requests == external_rerank.requests == []
    assert metadata["external_provider_blocked"] is True
    assert metadata["semantic_skipped_reason"] == "external_provider_blocked"
    assert metadata["semantic_fallback"] is True
    assert metadata["rerank_provider"] == "local"
    assert metadata["rerank_fallback"] is True


@pytest.mark.usefixtures("gates")
def test_vectors_of_a_provider_serve_as_our_own_do(
    shop: Repo, external_embedding: FakeProvider
) -> None:
    repository = open_repository(shop.root)
    repository.sync_repo()
    sent = len(external_embedding.requests)
    answer = repository.search_code("how do people sign in with a credential")

    assert sent > 0
    assert len(external_embedding.requests) == sent + 1
    assert set(external_embedding.keys) == {f"Bearer {KEY}"}
    assert paths_of(answer)[0] == "src/access.py"
    version = metadata_of(answer)["embedding_model_version"]
    assert version == f"openai/topics-large//{DIMENSIONS}"


@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize(("told", "is_taken"), [(100, True), (128, False), (300, False)])
def test_vectors_of_any_size_are_taken_but_of_no_other_than_is_set(
    shop: Repo,
    external_embedding: FakeProvider,
    monkeypatch: pytest.MonkeyPatch,
    told: int,
    is_taken: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    external_embedding.dimensions = 100
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_DIMENSIONS", str(told))
    repository = open_repository(shop.root)
    repository.sync_repo()
    metadata = metadata_of(repository.search_code(QUESTION))

    assert metadata["semantic_triggered"] is is_taken
    assert metadata["semantic_fallback"] is not is_taken


@requirement("S003-FALLBACK")
@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize("behaviour", ["401", "429", "500", "garbage", "partial"])
def test_a_provider_that_fails_leaves_the_index_lexical_and_the_next_sync_tries_again(
    shop: Repo, external_embedding: FakeProvider, behaviour: str
) -> None:
    external_embedding.behaviour = behaviour
    repository = open_repository(shop.root)
    repository.sync_repo()
    without = metadata_of(repository.search_code(QUESTION))
    external_embedding.behaviour = "success"
    repository.sync_repo()

    assert without["semantic_skipped_reason"] == "vectors_not_ready"
    assert without["semantic_fallback"] is True
    assert metadata_of(repository.search_code(QUESTION))["semantic_triggered"] is True


@requirement("S003-FALLBACK", "S003-KEYS")
@pytest.mark.usefixtures("gates")
def test_a_provider_that_fails_for_a_question_leaves_that_answer_lexical(
    shop: Repo, external_embedding: FakeProvider, caplog: pytest.LogCaptureFixture
) -> None:
    repository = open_repository(shop.root)
    repository.sync_repo()
    found: dict[str, tuple[object, object]] = {}
    for external_embedding.behaviour in FAILURES:
        with caplog.at_level(logging.DEBUG):
            metadata = metadata_of(repository.search_code(QUESTION))
        told = metadata["semantic_skipped_reason"], metadata["semantic_fallback"]
        found[external_embedding.behaviour] = told
    external_embedding.behaviour = "success"

    assert found == dict.fromkeys(FAILURES, ("embedding_unavailable", True))
    assert KEY not in caplog.text + str([vars(record) for record in caplog.records])
    assert metadata_of(repository.search_code(QUESTION))["semantic_triggered"] is True


@requirement("S003-KEYS")
@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize("behaviour", ["success", "401", "garbage"])
def test_a_key_is_in_no_output_and_no_file(
    shop: Repo, external_embedding: FakeProvider, home: str, behaviour: str
) -> None:
    external_embedding.behaviour = behaviour
    commands = (["index"], ["search", QUESTION], ["status", "--json"], ["config", "show"])
    told = [run_cruxe(shop.root, "--verbose", *command) for command in commands]
    kept = [file.read_bytes() for file in Path(home).rglob("*") if file.is_file()]

    assert f"Bearer {KEY}" in external_embedding.keys
    assert [each.code for each in told] == [0, 0, 0, 0]
    assert [each for each in told if KEY in each.stdout + each.stderr] == []
    assert [content for content in kept if KEY.encode() in content] == []
    assert KEY not in repr(open_repository(shop.root).context)


@pytest.mark.usefixtures("gates")
def test_secrets_do_not_leave_the_machine(shop: Repo, external_embedding: FakeProvider) -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    shop.write(f'-- src/token.py\nTOKEN = "{token}"\n')
    open_repository(shop.root).sync_repo()

    assert "TOKEN" in str(external_embedding.requests)
    assert token not in str(external_embedding.requests)


@requirement("S003-MODE-RERANK")
def test_the_local_reranker_looks_again_at_the_candidates(
    opened: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "rerank_only")
    plain = reopened(opened).search_code(QUESTION)
    monkeypatch.setenv("CRUXE_SEMANTIC_RERANK_PROVIDER", "local")
    answer = reopened(opened).search_code(QUESTION, ranking_explain_level="full")
    metadata = metadata_of(answer)

    assert metadata_of(plain)["rerank_provider"] == "none"
    assert metadata["semantic_mode"] == "rerank_only"
    assert metadata["semantic_triggered"] is False
    assert metadata["semantic_skipped_reason"] == "mode_rerank_only"
    assert metadata["rerank_provider"] == "local"
    assert metadata["rerank_fallback"] is False
    assert sorted(map(str, paths_of(answer))) == sorted(map(str, paths_of(plain)))
    for result, reasons in zip(results_of(answer), reasons_of(answer), strict=True):
        contributions = reasons["contributions"]
        assert isinstance(contributions, list)
        assert [each["signal"] for each in contributions].count("rerank") == 1
        total = sum(each["effective"] for each in contributions)
        assert result["score"] == pytest.approx(total, abs=2e-5)
        assert result["provenance"] == "lexical"


@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize("name", ["cohere", "voyage"])
def test_a_provider_reorders_the_candidates(
    opened: Repository,
    external_rerank: FakeProvider,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.setenv("CRUXE_SEMANTIC_RERANK_PROVIDER", name)
    answer = reopened(opened).search_code(QUESTION)

    assert metadata_of(answer)["rerank_provider"] == name
    assert metadata_of(answer)["rerank_fallback"] is False
    (request,) = external_rerank.requests
    assert request["query"] == QUESTION
    documents = request["documents"]
    assert isinstance(documents, list)
    assert str(documents[0]).startswith("src/money.py\n")


@requirement("S003-RERANK-FALLBACK", "S003-KEYS")
@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize("behaviour", FAILURES)
def test_a_reranker_that_fails_is_replaced_by_the_local_one(
    opened: Repository,
    external_rerank: FakeProvider,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    behaviour: str,
) -> None:
    external_rerank.behaviour = behaviour
    with caplog.at_level(logging.DEBUG):
        answer = reopened(opened).search_code(QUESTION)
    monkeypatch.setenv("CRUXE_SEMANTIC_RERANK_PROVIDER", "local")
    local = reopened(opened).search_code(QUESTION)

    assert len(external_rerank.requests) == 1
    assert metadata_of(answer)["rerank_provider"] == "local"
    assert metadata_of(answer)["rerank_fallback"] is True
    assert answer["results"] == local["results"]
    assert KEY not in caplog.text + str([vars(record) for record in caplog.records])
    assert QUESTION not in str([vars(record) for record in caplog.records])


@requirement("S003-KEYS")
@pytest.mark.usefixtures("gates")
def test_without_a_key_nobody_is_asked(
    opened: Repository, external_rerank: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CODECOMPASS_RERANK_API_KEY")
    metadata = metadata_of(reopened(opened).search_code(QUESTION))

    assert external_rerank.requests == []
    assert metadata["rerank_fallback"] is True


@requirement("S003-KEYS")
@pytest.mark.parametrize("behaviour", FAILURES)
def test_a_failed_call_tells_a_reason_and_no_key(provider: FakeProvider, behaviour: str) -> None:
    provider.behaviour = behaviour
    asked = Provider(provider.address, Secret(KEY), 500)
    if behaviour == "partial":
        assert post_json(asked, {"input": ["a", "b"]}).keys() == {"data"}
        return

    with pytest.raises(ProviderError) as caught:
        post_json(asked, {"input": ["a", "b"]})

    expected = {"slow": "timeout", "garbage": "garbage"}
    assert caught.value.reason == expected.get(behaviour, f"http_{behaviour}")
    assert caught.value.__cause__ is None
    assert KEY not in repr(caught.value) + repr(asked)


def test_nobody_there_is_told_apart_from_a_timeout() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/"
    with pytest.raises(ProviderError, match="unreachable"):
        post_json(Provider(address, Secret(KEY), 500), {})


@requirement("S003-RERANK-FALLBACK")
@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize(("timeout_ms", "is_awaited"), [("20000", True), ("500", False)])
def test_a_reranker_has_the_time_that_is_set(
    opened: Repository,
    external_rerank: FakeProvider,
    monkeypatch: pytest.MonkeyPatch,
    timeout_ms: str,
    is_awaited: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    external_rerank.behaviour = "slow"
    monkeypatch.setenv("CRUXE_SEMANTIC_RERANK_TIMEOUT_MS", timeout_ms)

    metadata = metadata_of(reopened(opened).search_code(QUESTION))

    assert metadata["rerank_fallback"] is not is_awaited


@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize("size", [1, 5, 32])
def test_texts_are_sent_in_batches_of_the_size_that_is_set(
    shop: Repo, external_embedding: FakeProvider, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_BATCH_SIZE", str(size))
    repository = open_repository(shop.root)
    repository.sync_repo()

    counts = [len(cast("list[str]", each["input"])) for each in external_embedding.requests]
    assert set(counts[:-1]) <= {size}
    assert 0 < counts[-1] <= size
    assert metadata_of(repository.search_code(QUESTION))["semantic_triggered"] is True
