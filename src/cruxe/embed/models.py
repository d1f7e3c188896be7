"""Which embedding model the settings name, and the encoder that makes vectors with it."""

import os
from functools import cache
from typing import TYPE_CHECKING, Final

from cruxe.config.setting_choices import EmbeddingProfile, EmbeddingProvider
from cruxe.embed.embedding_model import SHIPPED_NAMES, EmbeddingModel, EmbeddingUnavailableError
from cruxe.model.levels import SemanticMode

if TYPE_CHECKING:
    from cruxe.config.settings import SemanticSettings
    from cruxe.config.values import Secret
    from cruxe.embed.encoding import Encoder
    from cruxe.embed.external import ExternalEncoder
    from cruxe.embed.transformer import TransformerEncoder

    SlowEncoder = ExternalEncoder | TransformerEncoder
    AnyEncoder = Encoder | SlowEncoder

_ADDRESSES: Final = {
    EmbeddingProvider.OPENAI: "https://api.openai.com/v1/embeddings",
    EmbeddingProvider.VOYAGE: "https://api.voyageai.com/v1/embeddings",
}
_TIMEOUT_MS: Final = 10_000
# Whoever asks a question does not wait longer for its vector; the answer is lexical then.
QUESTION_TIMEOUT_MS: Final = 2_000
_KEY_VARIABLES: Final = ("CRUXE_EMBEDDING_API_KEY", "CODECOMPASS_EMBEDDING_API_KEY")


def embedding_model(settings: "SemanticSettings") -> EmbeddingModel | None:
    """The model that the settings name; nothing where no vectors are wanted or none can be made."""
    if settings.mode is not SemanticMode.HYBRID:
        return None
    try:
        return chosen_model(settings)
    except EmbeddingUnavailableError:
        return None


def chosen_model(settings: "SemanticSettings") -> EmbeddingModel:
    """The model that the settings name; where it cannot be used, the error says what to do.

    Nobody outside this machine is named unless both privacy gates are open.
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
    """The encoder of the quick model on this machine: the settings', else the package's."""
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
    """What makes vectors with a model; a key that is not given is the environment's."""
    from cruxe.embed.encoding import encoder_of

    if model.is_quick:
        return encoder_of(model.folder)
    if model.is_transformer:
        from cruxe.embed.transformer import TransformerEncoder, TransformerModel

        return TransformerEncoder(
            TransformerModel(model.folder, model.name, model.version, model.dimensions)
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
            Provider(model.address, key, timeout_ms),
            model.name,
            model.version,
            model.dimensions,
            model.batch_size,
            has_input_types,
        )
    )


def are_gates_open(settings: "SemanticSettings") -> bool:
    """Whether anything may be sent to someone outside this machine; both must be opened."""
    return settings.external_provider_enabled and settings.allow_code_payload_to_external


def _local_model(settings: "SemanticSettings") -> EmbeddingModel:
    embedding = settings.embedding
    is_shipped = embedding.profile is EmbeddingProfile.FAST_LOCAL and not embedding.model_path
    if is_shipped and embedding.model in SHIPPED_NAMES:
        return _shipped_model()
    from cruxe.embed.local_models import chosen_local_model

    return chosen_local_model(embedding)


@cache
def _shipped_model() -> EmbeddingModel:
    from cruxe.embed.table import read_card, shipped_folder

    folder = shipped_folder()
    card = read_card(folder)
    return EmbeddingModel(card.version, card.dimensions, folder)


def _external_model(settings: "SemanticSettings") -> EmbeddingModel:
    from cruxe.embed.quantise import stored_size

    embedding = settings.embedding
    parts = (embedding.provider, embedding.model, embedding.model_version, embedding.dimensions)
    return EmbeddingModel(
        version="/".join(map(str, parts)),
        dimensions=stored_size(embedding.dimensions),
        address=embedding.endpoint or _ADDRESSES[embedding.provider],
        name=embedding.model,
        provider=embedding.provider,
        batch_size=embedding.batch_size,
    )
