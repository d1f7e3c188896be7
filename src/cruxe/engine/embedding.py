"""Vectors on their way into the index: which model makes them, and who still lacks them."""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cruxe.config.choices import EmbeddingProfile, EmbeddingProvider
from cruxe.embed.failures import EmbeddingUnavailableError
from cruxe.model.levels import SemanticMode
from cruxe.model.named import NamedTuple

if TYPE_CHECKING:
    from cruxe.config.settings import SemanticSettings
    from cruxe.embed.encoding import Encoder
    from cruxe.embed.mixing import Vectors
    from cruxe.engine.processing import FileTask
    from cruxe.index.ref_rows import RefFile
    from cruxe.index.writer import StoreWriter
    from cruxe.model.symbols import ParsedFile
    from cruxe.parse.source import SourceText


class LocalModel(NamedTuple):
    """A model on this machine."""

    folder: str
    version: str
    dimensions: int


def local_model(settings: "SemanticSettings") -> LocalModel | None:
    """The model that the settings name; nothing where no vectors are wanted or none can be made."""
    if settings.mode is not SemanticMode.HYBRID:
        return None
    from cruxe.embed.table import read_card

    try:
        folder = model_folder(settings)
        card = read_card(folder)
    except EmbeddingUnavailableError:
        return None
    return LocalModel(folder, card.version, card.dimensions)


def local_encoder(settings: "SemanticSettings") -> "Encoder":
    """The encoder that the settings name."""
    from cruxe.embed.encoding import encoder_of

    return encoder_of(model_folder(settings))


def model_folder(settings: "SemanticSettings") -> str:
    """Where the model lies: a folder that the settings name, else the one of this package."""
    from cruxe.embed.table import shipped_folder

    embedding = settings.embedding
    is_here = embedding.provider is EmbeddingProvider.LOCAL
    if not is_here or embedding.profile is not EmbeddingProfile.FAST_LOCAL:
        raise EmbeddingUnavailableError(
            f"{embedding.provider} with profile {embedding.profile} makes no vectors here"
        )
    return embedding.model if os.path.isabs(embedding.model) else shipped_folder()


def vectors_of(
    encoder: "Encoder", source: "SourceText", parsed: "ParsedFile", searchable: bytes
) -> "Vectors":
    """The vectors of a parsed file's chunks and docs."""
    from cruxe.text.identifiers import space_out, words_of_spaced

    spaced = space_out(searchable)
    starts = [*source.line_starts, len(spaced)]
    chunks = [
        words_of_spaced(spaced[starts[chunk.line_start - 1] : starts[chunk.line_end]])
        for chunk in parsed.chunks
    ]
    docs = b" ".join(spaced[span.start : span.end] for span in parsed.prose if span.is_doc)
    return encoder.file_vectors(source.path, chunks, words_of_spaced(docs))


def lacking_tasks(writer: "StoreWriter", files: "Mapping[str, RefFile]") -> Iterator["FileTask"]:
    """The files of a map whose versions have no vectors yet."""
    from cruxe.engine.processing import FileTask

    keys = {file.version_key for file in files.values() if file.version_key is not None}
    lacking = writer.vectors.lacking(keys)
    blobs = writer.blob_ids(lacking)
    for path, file in files.items():
        if file.version_key in lacking:
            yield FileTask(path, blobs[file.version_key], file.stat)
