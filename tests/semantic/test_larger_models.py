"""Larger models by the `fastembed` extra: from a folder or downloaded, and never needed.

Most tests run against a stand-in for the package; the last ones against the package itself.
"""

import logging
import os
import shutil
import socket
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

from cruxe.config.load import load_settings
from cruxe.embed import EmbeddingUnavailableError
from cruxe.embed.models import EmbeddingModel, chosen_model, encoder_for, fetch_wanted_model
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.semantic.larger_models import write_onnx, write_stand_in
from tests.support.command import run_cruxe
from tests.support.polyglot import bytes_of, metadata_of, paths_of, results_of
from tests.support.repositories import Repo

BY_MEANING = "how do people sign in with a credential"
QUESTION = "where is the payment of an invoice given back"
PATH = "CRUXE_SEMANTIC_EMBEDDING_MODEL_PATH"
NAME = "CRUXE_SEMANTIC_EMBEDDING_MODEL"
PROFILE = "CRUXE_SEMANTIC_EMBEDDING_PROFILE"
has_extra = pytest.mark.skipif(
    find_spec("fastembed") is None or find_spec("onnx") is None,
    reason="needs `pip install 'fastembed>=0.9,<1' onnx`",
)


@pytest.fixture
def no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder with a model that the stand-in reads, named by the settings."""
    folder = write_stand_in(tmp_path / "large")
    monkeypatch.setenv(PATH, folder)
    return folder


def model_now() -> EmbeddingModel:
    """The model that the environment chooses."""
    return chosen_model(load_settings(None, None, os.environ, "/nowhere").settings.semantic)


def problem_now() -> tuple[str, str]:
    """What is wrong with the model that the environment chooses, and what to do."""
    with pytest.raises(EmbeddingUnavailableError) as caught:
        model_now()
    return str(caught.value), caught.value.remedy


@requirement("ADVISE-EXTRA")
@pytest.mark.usefixtures("extra", "folder")
def test_a_model_in_a_folder_answers_by_meaning(shop: Repo) -> None:
    repository = open_repository(shop.root)
    repository.sync_repo()
    answer = repository.search_code(BY_MEANING)

    assert paths_of(answer)[0] == "src/access.py"
    assert results_of(answer)[0]["provenance"] == "semantic"
    metadata = metadata_of(answer)
    assert metadata["semantic_triggered"] is True
    assert metadata["embedding_model_version"] == model_now().version
    assert str(metadata["embedding_model_version"]).startswith("fastembed-")
    assert bytes_of(answer) == bytes_of(open_repository(shop.root).search_code(BY_MEANING))


@requirement("ADVISE-EXTRA-MISSING", "S003-FALLBACK")
@pytest.mark.usefixtures("no_extra")
@pytest.mark.parametrize("profile", ["code_quality", "high_quality"])
def test_without_the_extra_the_answer_is_lexical_and_the_remedy_is_told(
    opened: Repository, monkeypatch: pytest.MonkeyPatch, profile: str
) -> None:
    monkeypatch.delenv(NAME)
    monkeypatch.setenv(PROFILE, profile)
    repository = open_repository(opened.root)
    repository.sync_repo()
    answer = repository.search_code(QUESTION)

    assert paths_of(answer)[0] == "src/money.py"
    assert metadata_of(answer)["semantic_skipped_reason"] == "embedding_unavailable"
    assert metadata_of(answer)["semantic_fallback"] is True
    assert {result["provenance"] for result in results_of(answer)} == {"lexical"}
    message, remedy = problem_now()
    assert "needs fastembed, which is not installed" in message
    assert "pip install 'fastembed>=0.9,<1'" in remedy


@requirement("ADVISE-EXTRA-MISSING")
@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize("left_out", ["model.onnx", "tokenizer.json", ""])
def test_a_folder_without_a_model_is_told_and_answers_stay_lexical(
    opened: Repository, folder: str, left_out: str
) -> None:
    if left_out:
        os.remove(os.path.join(folder, left_out))
    else:
        shutil.rmtree(folder)
    answer = open_repository(opened.root).search_code(QUESTION)

    assert metadata_of(answer)["semantic_skipped_reason"] == "embedding_unavailable"
    message, remedy = problem_now()
    assert message == f"no model can be read from {folder}"
    assert "correct semantic.embedding.model_path" in remedy


@requirement("ADVISE-EXTRA-MISSING")
@pytest.mark.usefixtures("extra")
def test_a_model_that_cannot_be_loaded_leaves_answers_lexical(
    shop: Repo, folder: str, caplog: pytest.LogCaptureFixture
) -> None:
    Path(folder, "model.onnx").write_text("no graph", encoding="utf-8")
    repository = open_repository(shop.root)
    repository.sync_repo()
    with caplog.at_level(logging.DEBUG):
        metadata = metadata_of(repository.search_code(QUESTION))

    assert metadata["semantic_skipped_reason"] == "vectors_not_ready"
    assert metadata["semantic_fallback"] is True
    with pytest.raises(EmbeddingUnavailableError, match="Expecting value"):
        encoder_for(model_now()).query_vector(QUESTION)


@requirement("ADVISE-EXTRA-VERSION", "S003-MODEL-VERSION")
@pytest.mark.usefixtures("extra")
def test_vectors_are_keyed_by_what_the_folder_holds(folder: str) -> None:
    first = model_now()
    again = model_now()
    Path(folder, "tokenizer_config.json").write_text("{}", encoding="utf-8")
    other_tokens = model_now()
    write_stand_in(Path(folder), dimensions=100)
    other_size = model_now()

    assert first == again
    assert len({first.version, other_tokens.version, other_size.version}) == 3
    assert (first.dimensions, other_size.dimensions) == (64, 128)


@requirement("ADVISE-EXTRA-VERSION", "S003-MODEL-VERSION")
@pytest.mark.usefixtures("extra")
def test_a_change_of_model_drops_the_vectors_of_the_one_before(
    opened: Repository, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    del folder
    repository = open_repository(opened.root)
    before = metadata_of(repository.search_code(QUESTION))
    repository.sync_repo()
    after = metadata_of(repository.search_code(QUESTION))
    monkeypatch.delenv(PATH)
    back = metadata_of(open_repository(opened.root).search_code(QUESTION))

    assert before["semantic_skipped_reason"] == "vectors_not_ready"
    assert str(after["embedding_model_version"]).startswith("fastembed-")
    assert back["semantic_skipped_reason"] == "vectors_not_ready"


@requirement("ADVISE-EXTRA")
@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize(("rank", "dimensions"), [(2, 64), (3, 65), (3, 384)])
def test_graphs_of_any_rank_and_size_are_run(folder: str, rank: int, dimensions: int) -> None:
    write_stand_in(Path(folder), rank=rank, dimensions=dimensions)
    model = model_now()
    encoder = encoder_for(model)
    near, far = encoder.query_vector("password"), encoder.query_vector("invoice")
    asked = encoder.query_vector("credential")

    def product(one: Iterable[int], other: Iterable[int]) -> int:
        return sum(a * b for a, b in zip(one, other, strict=True))

    assert len(asked) == model.dimensions == -(-dimensions // 64) * 64
    assert product(asked, near) > 4 * product(asked, far)


@requirement("ADVISE-EXTRA-MISSING")
@pytest.mark.usefixtures("extra")
def test_a_model_of_another_size_than_it_says_is_refused(folder: str) -> None:
    Path(folder, "config.json").write_text('{"hidden_size": 640}', encoding="utf-8")

    with pytest.raises(EmbeddingUnavailableError, match="it gives vectors of 64 numbers"):
        encoder_for(model_now()).query_vector(QUESTION)


@requirement("ADVISE-DOWNLOAD")
@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize(
    "consent",
    [
        (),
        ("CRUXE_SEMANTIC_EXTERNAL_PROVIDER_ENABLED",),
        ("CRUXE_SEMANTIC_EMBEDDING_ALLOW_DOWNLOAD",),
    ],
)
def test_nothing_is_downloaded_without_consent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, consent: tuple[str, ...]
) -> None:
    monkeypatch.setenv(NAME, "topics/known")
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_MODELS_DIR", str(tmp_path / "models"))
    for each in consent:
        monkeypatch.setenv(each, "true")

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    settings = load_settings(None, None, os.environ, "/nowhere").settings.semantic

    assert fetch_wanted_model(settings) is None
    assert not os.path.exists(tmp_path / "models")
    message, remedy = problem_now()
    assert message == "the model topics/known is not on this machine"
    assert "semantic.embedding.allow_download" in remedy


@requirement("ADVISE-DOWNLOAD")
@pytest.mark.usefixtures("extra")
def test_a_model_is_downloaded_once_with_consent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shop: Repo
) -> None:
    monkeypatch.setenv("FAKE_HUB", write_stand_in(tmp_path / "hub"))
    monkeypatch.setenv(NAME, "topics/known")
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("CRUXE_SEMANTIC_EXTERNAL_PROVIDER_ENABLED", "true")
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_ALLOW_DOWNLOAD", "true")
    settings = load_settings(None, None, os.environ, "/nowhere").settings.semantic
    fetched = fetch_wanted_model(settings)
    again = fetch_wanted_model(settings)
    monkeypatch.delenv("FAKE_HUB")
    repository = open_repository(shop.root)
    repository.sync_repo()

    assert fetched is not None
    assert again is None
    assert model_now().folder == fetched
    assert model_now().name == "topics/known"
    assert paths_of(repository.search_code(BY_MEANING))[0] == "src/access.py"


@requirement("ADVISE-DOWNLOAD")
@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize(
    ("name", "reason"),
    [("topics/known", "from any source"), ("topics/unknown", "knows no such model")],
)
def test_a_download_that_fails_says_why_and_leaves_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    monkeypatch.setenv(NAME, name)
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("CRUXE_SEMANTIC_EXTERNAL_PROVIDER_ENABLED", "true")
    monkeypatch.setenv("CRUXE_SEMANTIC_EMBEDDING_ALLOW_DOWNLOAD", "true")
    settings = load_settings(None, None, os.environ, "/nowhere").settings.semantic

    with pytest.raises(EmbeddingUnavailableError, match=reason):
        fetch_wanted_model(settings)
    assert problem_now()[0] == f"the model {name} is not on this machine"


@requirement("ADVISE-PROFILES")
@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize(
    ("profile", "named"),
    [
        ("code_quality", "jinaai/jina-embeddings-v2-base-code"),
        ("high_quality", "thenlper/gte-large"),
    ],
)
@pytest.mark.parametrize("given", ["codevec-static-256", "NomicEmbedTextV15Q"])
def test_a_profile_names_its_model_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch, profile: str, named: str, given: str
) -> None:
    monkeypatch.setenv(PROFILE, profile)
    monkeypatch.setenv(NAME, given)
    of_profile = problem_now()[0]
    monkeypatch.setenv(NAME, "topics/known")

    assert of_profile == f"the model {named} is not on this machine"
    assert problem_now()[0] == "the model topics/known is not on this machine"


@requirement("ADVISE-PROFILES")
@pytest.mark.parametrize("given", ["codevec-static-256", "NomicEmbedTextV15Q"])
def test_the_default_profile_is_the_model_of_the_package(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv(NAME, given)

    assert model_now().is_quick
    assert model_now().dimensions == 256


@requirement("ADVISE-PROFILES")
def test_the_external_profile_needs_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROFILE, "external")

    message, remedy = problem_now()
    assert message == "profile external makes no vectors on this machine"
    assert "semantic.embedding.provider to openai or voyage" in remedy


@has_extra
@pytest.mark.parametrize(("is_pooled", "dimensions"), [(False, 64), (True, 64), (False, 100)])
def test_fastembed_itself_runs_a_model_of_a_folder(
    shop: Repo,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_pooled: bool,  # noqa: FBT001 - a parameter of the test
    dimensions: int,
) -> None:
    folder = write_onnx(tmp_path / "onnx", is_pooled=is_pooled, dimensions=dimensions)
    monkeypatch.setenv(PATH, folder)
    repository = open_repository(shop.root)
    repository.sync_repo()
    answer = repository.search_code(BY_MEANING)

    assert paths_of(answer)[0] == "src/access.py"
    assert metadata_of(answer)["semantic_triggered"] is True
    assert bytes_of(answer) == bytes_of(open_repository(shop.root).search_code(BY_MEANING))


@has_extra
def test_fastembed_itself_knows_the_models_of_the_profiles() -> None:
    from fastembed import TextEmbedding

    from cruxe.embed.models import PROFILE_MODELS

    known = {str(each["model"]) for each in TextEmbedding.list_supported_models()}
    assert set(PROFILE_MODELS.values()) <= known


@has_extra
def test_fastembed_itself_says_what_is_wrong_with_a_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_onnx(tmp_path / "onnx")
    Path(folder, "model.onnx").write_bytes(b"no graph")
    monkeypatch.setenv(PATH, folder)

    with pytest.raises(EmbeddingUnavailableError, match="onnx"):
        encoder_for(model_now()).query_vector(QUESTION)


@has_extra
def test_fastembed_itself_opens_no_socket_for_a_model_of_a_folder(
    shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PATH, write_onnx(tmp_path / "onnx"))
    doctor = run_cruxe(shop.root, "doctor")

    assert "ok       semantic search: hybrid by" in doctor.stdout
    assert "ok       no network socket was opened during these checks" in doctor.stdout
    assert doctor.code == 0
