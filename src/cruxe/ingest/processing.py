"""Process one file for the index: read it, classify it, parse it, build its record.

The same steps run in a worker process or, for a few files, in the caller's process.
"""

from collections.abc import Container, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.embed.models import EmbeddingModel
from cruxe.ingest.file_vectors import (
    FileTexts,
    docs_of,
    indexing_encoder,
    texts_to_send,
    vectors_of,
    words_of_chunks,
)
from cruxe.model.identity import BlobId, VersionKey, version_key_of
from cruxe.model.source import FileStat, FileTask, SkipReason, Workspace
from cruxe.model.stored import PackedKeys, RefFile
from cruxe.safety.redaction import Redaction, redact
from cruxe.store.records import VersionRecord, parsed_record, skipped_record
from cruxe.workspace.classify import classify_content
from cruxe.workspace.decode import decode_text
from cruxe.workspace.objects import BlobReader, blob_id_of
from cruxe.workspace.read import read_file, settled_stat

if TYPE_CHECKING:
    from cruxe.embed.encoding import Encoder
    from cruxe.embed.models import AnyEncoder
    from cruxe.embed.transformer import TransformerEncoder
    from cruxe.model.symbols import ParsedFile
    from cruxe.parse.language import Language
    from cruxe.parse.source_text import SourceText


# Small enough that the last batches of a run end together, large enough to hide the round trip.
BATCH_FILES: Final = 24


class ProcessingPlan(NamedTuple):
    """Settings for all files of a run; sent to each worker once."""

    workspace: Workspace
    max_file_bytes: int
    max_nodes: int
    include_generated: bool
    languages: tuple[str, ...]  # empty: all
    redaction: Redaction  # what is replaced before anything is extracted
    extraction_digest: str  # of the four above
    known_keys: bytes  # packed; versions that need no parsing
    model: EmbeddingModel | None = None  # makes vectors; None: no vectors


class Stretch(NamedTuple):
    """The range of ordered tasks whose files have one extension."""

    path: str  # of one of them
    start: int
    end: int


class FileOutcome(NamedTuple):
    """The result of a task; it has a record only if the version was not known before."""

    path: str
    file: RefFile
    record: VersionRecord | None
    texts: FileTexts | None = None  # for an external model, which gets them in batches


def failed_outcome(task: FileTask, reason: SkipReason) -> FileOutcome:
    """Return the outcome of a file that failed; it is not retried until it changes."""
    return FileOutcome(path=task.path, file=RefFile(None, reason, task.stat), record=None)


class FileProcessor:
    """Processes files one by one; keeps grammars and a git process open between them."""

    def __init__(self, plan: ProcessingPlan, known: Container[int] | None = None) -> None:
        """Prepare for a run; `known` replaces the known versions of the plan."""
        self._plan = plan
        self._known = PackedKeys(plan.known_keys) if known is None else known
        self._blobs = BlobReader(plan.workspace)
        self._is_external = plan.model is not None and bool(plan.model.address)
        self._quick, self._slow = _by_pace(indexing_encoder(plan.model))

    def process(self, task: FileTask) -> FileOutcome:
        """Return the task's entry for the ref's map and, for a new version, its record."""
        content = self._read(task)
        if isinstance(content, SkipReason):
            return failed_outcome(task, content)
        data, stat = content
        # `_read` guarantees that the data is the requested blob, from the tree or from git.
        blob_id = task.blob_id or blob_id_of(data, self._plan.workspace.object_format)
        key = version_key_of(task.path, blob_id, self._plan.extraction_digest)
        include_generated = self._plan.include_generated
        skip = classify_content(task.path, data, include_generated=include_generated)
        record = texts = None
        if key not in self._known:
            record, texts = self._record(task.path, blob_id, key, data, skip)
        return FileOutcome(
            path=task.path, file=RefFile(key, skip, stat), record=record, texts=texts
        )

    def warm_up(self, order: Iterable[Stretch] = ()) -> None:
        """Load what the first file needs, and the languages that several batches need."""
        from cruxe.parse import extract
        from cruxe.parse.languages import registry
        from cruxe.safety import secret_spans
        from cruxe.store import records as documents

        del documents, extract, secret_spans
        registry()
        self._load_languages(order)
        encoder = self._quick or self._slow
        if encoder is not None:
            encoder.warm_up()

    def close(self) -> None:
        """End the git process."""
        self._blobs.close()

    def _load_languages(self, order: Iterable[Stretch]) -> None:
        """Compile the queries of the languages that are in more than one batch."""
        from cruxe.parse.grammars import load_toolchain

        met: dict[Language, set[int]] = {}
        for path, start, end in order:
            # Detected by path alone, so a language may be loaded that the content rules out.
            batches = met.setdefault(self._language_of(path, b""), set())
            batches.update((start // BATCH_FILES, (end - 1) // BATCH_FILES))
        for language, batches in met.items():
            if language.grammar and len(batches) > 1:
                load_toolchain(language)

    def _read(self, task: FileTask) -> tuple[bytes, FileStat | None] | SkipReason:
        limit = self._plan.max_file_bytes
        if task.is_committed:
            assert task.blob_id is not None
            blob = self._blobs.read(task.blob_id, limit)
            return blob if isinstance(blob, SkipReason) else (blob, None)
        found = read_file(self._plan.workspace.root, task.path, limit)
        if isinstance(found, SkipReason):
            return found
        if task.blob_id is not None and not self._is_blob(found.data, task.blob_id):
            return self._read(task._replace(stat=None))
        return found.data, settled_stat(found.stat)

    def _is_blob(self, data: bytes, blob_id: BlobId) -> bool:
        return blob_id_of(data, self._plan.workspace.object_format) == blob_id

    def _record(
        self, path: str, blob_id: BlobId, key: VersionKey, data: bytes, skip: SkipReason | None
    ) -> tuple[VersionRecord, FileTexts | None]:
        if skip is not None:
            return skipped_record(key, path, blob_id, len(data), skip), None
        from cruxe.parse.extract import parse_source
        from cruxe.parse.source_text import SourceText
        from cruxe.store.records import build_documents
        from cruxe.text.trigrams import packed_trigrams

        redacted = redact(decode_text(data).utf8, self._plan.redaction)
        source = SourceText(path, redacted.data)
        language = self._language_of(source.path, source.data)
        parsed = parse_source(source, language, self._plan.max_nodes)
        record = parsed_record(key, path, blob_id, len(data), parsed)
        searchable = language.rules.searchable(source)
        words = words_of_chunks(source, parsed, searchable, self._quick)
        vectors = texts = None
        if self._quick is not None:
            docs = self._quick.pack(docs_of(parsed, searchable))
            vectors = self._quick.file_vectors(self._quick.pieces_of(path, words.pieces, docs))
        elif self._is_external:
            texts = self._texts_to_send(source, parsed, searchable)
        elif self._slow is not None:
            vectors = vectors_of(self._slow, source, parsed, searchable)
        documents = build_documents(record, parsed, language.mode, words.terms)
        # Of the whole text, including parts without searchable words, such as notebook images.
        trigrams = packed_trigrams(source.data)
        record = record._replace(
            documents=documents,
            trigrams=trigrams,
            vectors=vectors,
            redacted_count=len(redacted.kinds),
        )
        return record, texts

    def _texts_to_send(
        self, source: "SourceText", parsed: "ParsedFile", searchable: bytes
    ) -> FileTexts:
        """Return the texts that may leave the machine: redacted, whatever the settings say."""
        if self._plan.redaction.redaction_enabled:
            return texts_to_send(source, parsed, searchable)
        from cruxe.parse.extract import parse_source
        from cruxe.parse.source_text import SourceText

        safe = SourceText(source.path, redact(source.data, Redaction()).data)
        language = self._language_of(safe.path, safe.data)
        safely_parsed = parse_source(safe, language, self._plan.max_nodes)
        return texts_to_send(safe, safely_parsed, language.rules.searchable(safe))

    def _language_of(self, path: str, data: bytes) -> "Language":
        from cruxe.parse.languages import PLAIN_TEXT, registry

        language = registry().detect(path, data)
        wanted = self._plan.languages
        return language if not wanted or language.name in wanted else PLAIN_TEXT


def _by_pace(
    encoder: "AnyEncoder | None",
) -> "tuple[Encoder | None, TransformerEncoder | None]":
    """Return (quick, slow) encoders; the given one fills the slot of its kind."""
    if encoder is None:
        return None, None
    from cruxe.embed.encoding import Encoder

    if isinstance(encoder, Encoder):
        return encoder, None
    from cruxe.embed.transformer import TransformerEncoder

    return None, encoder if isinstance(encoder, TransformerEncoder) else None
