"""Vectors on their way into the index: which model makes them, and who still lacks them."""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from cruxe.config.choices import EmbeddingProfile, EmbeddingProvider
from cruxe.embed.failures import EmbeddingUnavailableError
from cruxe.model.levels import SemanticMode
from cruxe.model.named import NamedTuple

if TYPE_CHECKING:
    from cruxe.config.settings import SemanticSettings
    from cruxe.config.values import Secret
    from cruxe.embed.encoding import Encoder
    from cruxe.embed.external import ExternalEncoder
    from cruxe.engine.processing import FileTask
    from cruxe.index.ref_rows import RefFile
    from cruxe.index.writer import StoreWriter
    from cruxe.model.symbols import ParsedFile
    from cruxe.model.vectors import Vectors
    from cruxe.parse.source import SourceText

_ADDRESSES: Final = {
    EmbeddingProvider.OPENAI: "https://api.openai.com/v1/embeddings",
    EmbeddingProvider.VOYAGE: "https://api.voyageai.com/v1/embeddings",
}
# Well under what a worker has for a file.
_TIMEOUT_MS: Final = 10_000
_KEY_VARIABLES: Final = ("CRUXE_EMBEDDING_API_KEY", "CODECOMPASS_EMBEDDING_API_KEY")


class EmbeddingModel(NamedTuple):
    """The model that makes vectors; crosses to the workers, so it holds no key."""

    version: str
    dimensions: int
    folder: str = ""  # of a model on this machine
    address: str = ""  # of a provider outside it
    name: str = ""
    provider: str = ""
    batch_size: int = 1


def embedding_model(settings: "SemanticSettings") -> EmbeddingModel | None:
    """The model that the settings name; nothing where no vectors are wanted or none can be made.

    Nobody outside this machine is named unless both privacy gates are open.
    """
    if settings.mode is not SemanticMode.HYBRID:
        return None
    try:
        if settings.embedding.provider is EmbeddingProvider.LOCAL:
            return _local_model(settings)
        return _external_model(settings) if are_gates_open(settings) else None
    except EmbeddingUnavailableError:
        return None


def local_encoder(settings: "SemanticSettings") -> "Encoder":
    """The encoder on this machine that the settings name."""
    from cruxe.embed.encoding import encoder_of

    return encoder_of(_model_folder(settings))


def encoder_for(model: EmbeddingModel, key: "Secret | None" = None) -> "Encoder | ExternalEncoder":
    """What makes vectors with a model; a key that is not given is the environment's."""
    from cruxe.embed.encoding import encoder_of

    if model.folder:
        return encoder_of(model.folder)
    from cruxe.config.values import Secret
    from cruxe.embed.calls import Provider
    from cruxe.embed.external import ExternalEncoder, ExternalModel

    if key is None:
        found = (os.environ.get(name, "") for name in _KEY_VARIABLES)
        key = Secret(next(filter(None, found), ""))
    has_input_types = model.provider == EmbeddingProvider.VOYAGE
    return ExternalEncoder(
        ExternalModel(
            Provider(model.address, key, _TIMEOUT_MS),
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


def vectors_of(
    encoder: "Encoder | ExternalEncoder",
    source: "SourceText",
    parsed: "ParsedFile",
    searchable: bytes,
) -> "Vectors | None":
    """The vectors of a parsed file's chunks and docs; nothing where a provider fails."""
    from cruxe.embed.encoding import Encoder
    from cruxe.text.identifiers import space_out, words_of_spaced

    is_local = isinstance(encoder, Encoder)
    text = space_out(searchable) if is_local else searchable
    starts = [*source.line_starts, len(text)]
    chunks = [
        text[starts[chunk.line_start - 1] : starts[chunk.line_end]] for chunk in parsed.chunks
    ]
    docs = b" ".join(text[span.start : span.end] for span in parsed.prose if span.is_doc)
    if isinstance(encoder, Encoder):
        words = [words_of_spaced(chunk) for chunk in chunks]
        return encoder.file_vectors(source.path, words, words_of_spaced(docs))
    return _external_vectors(encoder, source.path, chunks, docs)


def lacking_tasks(writer: "StoreWriter", files: "Mapping[str, RefFile]") -> Iterator["FileTask"]:
    """The files of a map whose versions have no vectors yet."""
    from cruxe.engine.processing import FileTask

    keys = {file.version_key for file in files.values() if file.version_key is not None}
    lacking = writer.vectors.lacking(keys)
    blobs = writer.blob_ids(lacking)
    for path, file in files.items():
        if file.version_key in lacking:
            yield FileTask(path, blobs[file.version_key], file.stat)


def _local_model(settings: "SemanticSettings") -> EmbeddingModel:
    from cruxe.embed.table import read_card

    folder = _model_folder(settings)
    card = read_card(folder)
    return EmbeddingModel(card.version, card.dimensions, folder)


def _model_folder(settings: "SemanticSettings") -> str:
    """Where the model lies: a folder that the settings name, else the one of this package."""
    from cruxe.embed.table import shipped_folder

    embedding = settings.embedding
    if embedding.profile is not EmbeddingProfile.FAST_LOCAL:
        raise EmbeddingUnavailableError(f"no model of profile {embedding.profile} is installed")
    return embedding.model if os.path.isabs(embedding.model) else shipped_folder()


def _external_model(settings: "SemanticSettings") -> EmbeddingModel:
    embedding = settings.embedding
    parts = (embedding.provider, embedding.model, embedding.model_version, embedding.dimensions)
    return EmbeddingModel(
        version="/".join(map(str, parts)),
        dimensions=embedding.dimensions,
        address=embedding.endpoint or _ADDRESSES[embedding.provider],
        name=embedding.model,
        provider=embedding.provider,
        batch_size=embedding.batch_size,
    )


def _external_vectors(
    encoder: "ExternalEncoder", path: str, chunks: list[bytes], docs: bytes
) -> "Vectors | None":
    from cruxe.config.settings import SecuritySettings
    from cruxe.embed.calls import ProviderError
    from cruxe.respond.redaction import redact

    def sent(text: bytes) -> str:
        # Whatever the settings let answers show: secrets do not leave the machine.
        return redact(text.decode("utf-8", "replace"), SecuritySettings()).text

    try:
        return encoder.text_vectors([f"{path}\n{sent(each)}" for each in chunks], sent(docs))
    except ProviderError as error:
        import logging

        logger = logging.getLogger(__name__)
        logger.warning("embedding failed", extra={"reason": error.reason})
        return None
