"""Choose the embedding model that the settings name, and open its encoder.

A local model other than the package's comes from a folder or a download. If something is missing,
the error has a remedy. Choosing loads no model, and only `fetch_wanted_model` downloads. What only
larger models need is imported where they are chosen.
"""

import os
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.config.setting_choices import EmbeddingProfile, EmbeddingProvider
from cruxe.embed import EmbeddingUnavailableError
from cruxe.model.levels import SemanticMode

if TYPE_CHECKING:
    from cruxe.config.settings import EmbeddingSettings, SemanticSettings
    from cruxe.config.values import Secret
    from cruxe.embed.encoding import Encoder
    from cruxe.embed.external import ExternalEncoder
    from cruxe.embed.onnx_folder import OnnxFolder
    from cruxe.embed.transformer import TransformerEncoder

    SlowEncoder = ExternalEncoder | TransformerEncoder
    AnyEncoder = Encoder | SlowEncoder

# Names for the package's own model: its name, the default that configurations for other models
# start from, and none.
SHIPPED_NAMES: Final = ("codevec-static-256", "NomicEmbedTextV15Q", "")


class EmbeddingModel(NamedTuple):
    """The model that makes vectors. It is sent to the workers, so it holds no API key."""

    version: str
    dimensions: int  # of a stored vector
    answer_dimensions: int = 0  # of a vector as an external provider gives it
    folder: str = ""  # of a model on this machine
    address: str = ""  # of an external provider
    name: str = ""
    provider: str = ""
    batch_size: int = 1
    is_transformer: bool = False  # a model on this machine that fastembed runs

    @property
    def is_quick(self) -> bool:
        """Return whether vectors cost less than reading a file, so they are made with the index."""
        return bool(self.folder) and not self.is_transformer


_ADDRESSES: Final = {
    EmbeddingProvider.OPENAI: "https://api.openai.com/v1/embeddings",
    EmbeddingProvider.VOYAGE: "https://api.voyageai.com/v1/embeddings",
}
_TIMEOUT_MS: Final = 10_000
# A query waits no longer for its vector; after that the answer is lexical.
QUESTION_TIMEOUT_MS: Final = 2_000
_KEY_VARIABLES: Final = ("CRUXE_EMBEDDING_API_KEY", "CODECOMPASS_EMBEDDING_API_KEY")


def embedding_model(settings: "SemanticSettings") -> EmbeddingModel | None:
    """Return the model that the settings name, or None if vectors are off or unavailable."""
    if settings.mode is not SemanticMode.HYBRID:
        return None
    try:
        return chosen_model(settings)
    except EmbeddingUnavailableError:
        return None


def chosen_model(settings: "SemanticSettings") -> EmbeddingModel:
    """Return the model that the settings name; raise with a remedy if it cannot be used.

    Returns an external model only if both privacy gates are open.
    """
    if settings.embedding.provider is EmbeddingProvider.LOCAL:
        return _local_model(settings)
    if not are_gates_open(settings):
        raise EmbeddingUnavailableError(
            f"{settings.embedding.provider} is outside this machine and a privacy gate is closed",
            "set semantic.external_provider_enabled and semantic.allow_code_payload_to_external"
            " if code may be sent there, or semantic.embedding.provider to local",
        )
    return _external_model(settings)


def local_encoder(settings: "SemanticSettings") -> "Encoder":
    """Return the encoder of a quick local model: that of the settings, else the package's."""
    from cruxe.embed.encoding import encoder_of
    from cruxe.embed.table import shipped_folder

    try:
        model = chosen_model(settings)
    except EmbeddingUnavailableError:
        return encoder_of(shipped_folder())
    return encoder_of(model.folder if model.is_quick else shipped_folder())


def encoder_for(
    model: EmbeddingModel, key: "Secret | None" = None, timeout_ms: int = _TIMEOUT_MS
) -> "AnyEncoder":
    """Return the encoder of a model; without a key, that of the environment is used."""
    from cruxe.embed.encoding import encoder_of

    if model.is_quick:
        return encoder_of(model.folder)
    if model.is_transformer:
        from cruxe.embed.transformer import TransformerEncoder, TransformerModel

        return TransformerEncoder(
            TransformerModel(
                folder=model.folder,
                name=model.name,
                version=model.version,
                dimensions=model.dimensions,
            )
        )
    from cruxe.config.values import Secret
    from cruxe.embed.external import ExternalEncoder, ExternalModel
    from cruxe.embed.provider_calls import Provider

    if key is None:
        found = (os.environ.get(name, "") for name in _KEY_VARIABLES)
        key = Secret(next(filter(None, found), ""))
    has_input_types = model.provider == EmbeddingProvider.VOYAGE
    return ExternalEncoder(
        ExternalModel(
            provider=Provider(model.address, key, timeout_ms),
            name=model.name,
            version=model.version,
            dimensions=model.dimensions,
            answer_dimensions=model.answer_dimensions,
            batch_size=model.batch_size,
            has_input_types=has_input_types,
        )
    )


def are_gates_open(settings: "SemanticSettings") -> bool:
    """Return whether code may be sent to an external provider: both gates must be open."""
    return settings.external_provider_enabled and settings.allow_code_payload_to_external


def _local_model(settings: "SemanticSettings") -> EmbeddingModel:
    embedding = settings.embedding
    is_shipped = embedding.profile is EmbeddingProfile.FAST_LOCAL and not embedding.model_path
    if is_shipped and embedding.model in SHIPPED_NAMES:
        return _shipped_model()
    return chosen_local_model(embedding)


@cache
def _shipped_model() -> EmbeddingModel:
    from cruxe.embed.table import read_card, shipped_folder

    folder = shipped_folder()
    card = read_card(folder)
    return EmbeddingModel(version=card.version, dimensions=card.dimensions, folder=folder)


def _external_model(settings: "SemanticSettings") -> EmbeddingModel:
    from cruxe.embed.quantise import stored_size

    embedding = settings.embedding
    parts = (embedding.provider, embedding.model, embedding.model_version, embedding.dimensions)
    return EmbeddingModel(
        version="/".join(map(str, parts)),
        dimensions=stored_size(embedding.dimensions),
        answer_dimensions=embedding.dimensions,
        address=embedding.endpoint or _ADDRESSES[embedding.provider],
        name=embedding.model,
        provider=embedding.provider,
        batch_size=embedding.batch_size,
    )


INSTALL: Final = "pip install 'fastembed>=0.9,<1'"
# Both take queries and code without a prefix.
PROFILE_MODELS: Final = {
    EmbeddingProfile.CODE_QUALITY: "jinaai/jina-embeddings-v2-base-code",
    EmbeddingProfile.HIGH_QUALITY: "thenlper/gte-large",
}
_CARD: Final = "card.json"


def chosen_local_model(embedding: "EmbeddingSettings") -> EmbeddingModel:
    """Return the model that the settings name by a folder, a name or a profile."""
    from cruxe.embed.quantise import stored_size
    from cruxe.embed.table import read_card
    from cruxe.embed.transformer import is_installed, runtime_version

    folder, name = _folder_given(embedding), model_name(embedding)
    if folder and os.path.isfile(os.path.join(folder, _CARD)):
        card = read_card(folder)
        return EmbeddingModel(version=card.version, dimensions=card.dimensions, folder=folder)
    if not folder and not name:
        raise EmbeddingUnavailableError(
            "profile external makes no vectors on this machine",
            "set semantic.embedding.provider to openai or voyage, or the profile to fast_local",
        )
    held = _held(folder) if folder else None
    if not is_installed():
        raise EmbeddingUnavailableError(
            f"{name or folder} needs fastembed, which is not installed",
            f"run `{INSTALL}`, or set semantic.embedding.profile to fast_local",
        )
    folder = folder or _downloaded(embedding, name)
    title = name or os.path.basename(os.path.normpath(folder))
    held = held or _held(folder)
    parts = (f"fastembed-{runtime_version()}", title, embedding.model_version, held.version)
    return EmbeddingModel(
        version="/".join(filter(None, parts)),
        dimensions=stored_size(held.dimensions or embedding.dimensions),
        folder=folder,
        name=name,
        is_transformer=True,
    )


def model_name(embedding: "EmbeddingSettings") -> str:
    """Return the name of the fastembed model, or "" if the settings give a folder or no model."""
    if embedding.model in SHIPPED_NAMES:
        is_given = bool(_folder_given(embedding))
        return "" if is_given else PROFILE_MODELS.get(embedding.profile, "")
    return "" if os.path.isabs(embedding.model) else embedding.model


def fetch_wanted_model(settings: "SemanticSettings") -> str | None:
    """Download the model that the settings name and return its folder.

    Return None if that is not allowed, not wanted, or already done. Sends only the model's name to
    the host of fastembed's models, nothing of the repository.
    """
    from cruxe.embed.downloads import downloaded_folder, fetch_model
    from cruxe.embed.transformer import is_installed

    embedding = settings.embedding
    is_wanted = settings.mode is SemanticMode.HYBRID
    if not is_wanted or embedding.provider is not EmbeddingProvider.LOCAL:
        return None
    name = model_name(embedding)
    is_allowed = settings.external_provider_enabled and embedding.allow_download
    if not name or _folder_given(embedding) or not is_allowed or not is_installed():
        return None
    if downloaded_folder(_models_dir(embedding), name) is not None:
        return None
    return fetch_model(_models_dir(embedding), name)


def _folder_given(embedding: "EmbeddingSettings") -> str:
    if embedding.model_path:
        return embedding.model_path
    return embedding.model if os.path.isabs(embedding.model) else ""


def _downloaded(embedding: "EmbeddingSettings", name: str) -> str:
    from cruxe.embed.downloads import downloaded_folder

    folder = downloaded_folder(_models_dir(embedding), name)
    if folder is None:
        raise EmbeddingUnavailableError(
            f"the model {name} is not on this machine",
            "set semantic.embedding.model_path to a folder that holds it, or let indexing"
            " download it: semantic.external_provider_enabled and"
            " semantic.embedding.allow_download, both true in your own configuration",
        )
    return folder


def _models_dir(embedding: "EmbeddingSettings") -> str:
    return embedding.models_dir or os.path.join(os.path.expanduser("~"), ".cruxe", "models")


def _held(folder: str) -> "OnnxFolder":
    from cruxe.embed.onnx_folder import read_onnx_folder

    held = read_onnx_folder(folder)
    if held is None:
        raise EmbeddingUnavailableError(
            f"no model can be read from {folder}",
            "it must hold a graph (model.onnx) and tokenizer.json, or a table with its card.json;"
            " correct semantic.embedding.model_path",
        )
    return held
