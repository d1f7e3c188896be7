"""Vectors of files for the index: make them from a parsed file, find versions that lack them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cruxe.embed import EmbeddingUnavailableError
from cruxe.embed.models import EmbeddingModel, encoder_for
from cruxe.model.source import FileTask
from cruxe.model.stored import RefFile

if TYPE_CHECKING:
    from cruxe.embed.encoding import Encoder
    from cruxe.embed.models import AnyEncoder
    from cruxe.embed.transformer import TransformerEncoder
    from cruxe.model.stored import Vectors
    from cruxe.model.symbols import ParsedFile
    from cruxe.parse.source_text import SourceText
    from cruxe.store.api import StoreWriter


def indexing_encoder(model: EmbeddingModel | None) -> "AnyEncoder | None":
    """Return the model's encoder, or None if no model is given or it cannot be opened."""
    try:
        return None if model is None else encoder_for(model)
    except EmbeddingUnavailableError as error:
        _tell(str(error))
        return None


class FileTexts(NamedTuple):
    """The texts of a file that an external model makes vectors of, without secrets."""

    chunks: list[str]
    docs: str  # empty if it has none


def texts_to_send(source: "SourceText", parsed: "ParsedFile", searchable: bytes) -> FileTexts:
    """Return the texts of chunks and docs of a parsed file, whose source is redacted."""
    chunks = _chunks_of(source, parsed, searchable)
    texts = [f"{source.path}\n{_decoded(each)}" for each in chunks]
    return FileTexts(texts, _decoded(docs_of(parsed, searchable)))


def vectors_in_batches(
    model: EmbeddingModel, files: "Sequence[FileTexts]"
) -> "list[Vectors | None]":
    """Return the vectors of files from an external model; None where a batch failed."""
    from cruxe.embed.external import ExternalEncoder

    encoder = indexing_encoder(model)
    if not isinstance(encoder, ExternalEncoder):
        return [None] * len(files)
    return encoder.vectors_of_files(files, _tell)


def vectors_of(
    encoder: "TransformerEncoder",
    source: "SourceText",
    parsed: "ParsedFile",
    searchable: bytes,
) -> "Vectors | None":
    """Return the vectors of a parsed file's chunks and docs, or None if the encoder fails."""
    chunks = _chunks_of(source, parsed, searchable)
    texts = [f"{source.path}\n{_decoded(each)}" for each in chunks]
    try:
        return encoder.text_vectors(texts, _decoded(docs_of(parsed, searchable)))
    except EmbeddingUnavailableError as error:
        _tell(str(error))
        return None


def _chunks_of(source: "SourceText", parsed: "ParsedFile", searchable: bytes) -> list[bytes]:
    starts = [*source.line_starts, len(searchable)]
    return [
        searchable[starts[chunk.line_start - 1] : starts[chunk.line_end]] for chunk in parsed.chunks
    ]


def docs_of(parsed: "ParsedFile", searchable: bytes) -> bytes:
    """Return all docs of a parsed file, joined by spaces."""
    return b" ".join(searchable[start:end] for start, end in parsed.doc_spans)


def lacking_tasks(writer: "StoreWriter", files: Mapping[str, RefFile]) -> Iterator[FileTask]:
    """Yield tasks for the files of a map whose versions have no vectors yet."""
    keys = {file.version_key for file in files.values() if file.version_key is not None}
    lacking = writer.vectors.lacking(keys)
    blobs = writer.blob_ids(lacking)
    for path, file in files.items():
        if file.version_key in lacking:
            yield FileTask(path, blobs[file.version_key], file.stat)


def _tell(reason: str) -> None:
    import logging

    logging.getLogger(__name__).warning("embedding failed", extra={"reason": reason})


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")


class ChunkWords(NamedTuple):
    """The search terms and vocabulary pieces of each chunk."""

    terms: list[bytes]
    pieces: list[bytes]  # of a model's vocabulary, packed; empty without a model


def words_of_chunks(
    source: "SourceText", parsed: "ParsedFile", searchable: bytes, encoder: "Encoder | None"
) -> ChunkWords:
    """Return the terms and pieces of a file's searchable text, chunk by chunk."""
    from cruxe.text.identifiers import space_out, terms_of_spaced

    spaced = space_out(searchable)
    starts = [*source.line_starts, len(spaced)]
    spans = [(starts[first - 1], starts[last]) for first, last, _ in parsed.chunks]
    if encoder is None:
        return ChunkWords([terms_of_spaced(spaced, *span) for span in spans], [])
    return ChunkWords(*encoder.split_spaced(spaced, spans))
