"""Models on this machine other than the one of the package: by their folder, or downloaded.

Takes the settings, gives the model; what is missing is told with what to do about it. Nothing is
loaded here, and nothing is downloaded but by `fetch_wanted_model`.
"""

import os
from typing import TYPE_CHECKING, Final

from cruxe.config.setting_choices import EmbeddingProfile, EmbeddingProvider
from cruxe.embed.downloads import downloaded_folder, fetch_model
from cruxe.embed.embedding_model import SHIPPED_NAMES, EmbeddingModel, EmbeddingUnavailableError
from cruxe.embed.onnx_folder import OnnxFolder, read_onnx_folder
from cruxe.embed.quantise import stored_size
from cruxe.embed.table import read_card
from cruxe.embed.transformer import is_installed, runtime_version
from cruxe.model.levels import SemanticMode

if TYPE_CHECKING:
    from cruxe.config.settings import EmbeddingSettings, SemanticSettings

INSTALL: Final = "pip install 'cruxe[fastembed]'"
# Both take questions and code without a prefix before them.
PROFILE_MODELS: Final = {
    EmbeddingProfile.CODE_QUALITY: "jinaai/jina-embeddings-v2-base-code",
    EmbeddingProfile.HIGH_QUALITY: "thenlper/gte-large",
}
_CARD: Final = "card.json"


def chosen_local_model(embedding: "EmbeddingSettings") -> EmbeddingModel:
    """The model that the settings name by a folder, a name or a profile."""
    folder, name = _folder_given(embedding), model_name(embedding)
    if folder and os.path.isfile(os.path.join(folder, _CARD)):
        card = read_card(folder)
        return EmbeddingModel(card.version, card.dimensions, folder)
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
    """Which of fastembed's models is meant; empty where a folder or nothing says it."""
    if embedding.model in SHIPPED_NAMES:
        is_given = bool(_folder_given(embedding))
        return "" if is_given else PROFILE_MODELS.get(embedding.profile, "")
    return "" if os.path.isabs(embedding.model) else embedding.model


def fetch_wanted_model(settings: "SemanticSettings") -> str | None:
    """Download the model that the settings name, if that is allowed and was not done; else nothing.

    Sends the model's name to whoever keeps fastembed's models, and nothing of the repository.
    """
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
    folder = downloaded_folder(_models_dir(embedding), name)
    if folder is None:
        raise EmbeddingUnavailableError(
            f"the model {name} is not on this machine",
            "set semantic.embedding.model_path to a folder that holds it, or let `cruxe index`"
            " download it: semantic.external_provider_enabled and"
            " semantic.embedding.allow_download, both true in your own configuration",
        )
    return folder


def _models_dir(embedding: "EmbeddingSettings") -> str:
    return embedding.models_dir or os.path.join(os.path.expanduser("~"), ".cruxe", "models")


def _held(folder: str) -> OnnxFolder:
    held = read_onnx_folder(folder)
    if held is None:
        raise EmbeddingUnavailableError(
            f"no model can be read from {folder}",
            "it must hold a graph (model.onnx) and tokenizer.json, or a table with its card.json;"
            " correct semantic.embedding.model_path",
        )
    return held
