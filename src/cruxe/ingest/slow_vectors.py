"""Vectors of a slow model, made after the files have been published without them.

Answers are lexical until all vectors of a ref exist. The work is done in slices. Each slice is
published, and between two slices the writer lock is free for edits.
"""

from contextlib import closing
from typing import TYPE_CHECKING, Final

from cruxe.embed.models import EmbeddingModel
from cruxe.ingest.file_vectors import lacking_tasks
from cruxe.ingest.sync_options import SlowVectors, VectorsState
from cruxe.store.open import open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from cruxe.ingest.sync_options import SyncOptions
    from cruxe.model.source import FileTask
    from cruxe.store.api import StoreWriter
    from cruxe.workspace.context import RepositoryContext, Target

    MakeVectors = Callable[[list[FileTask], StoreWriter], int]  # returns the files that got vectors

# A minute or two of a transformer on one core; loading it again for the next slice takes seconds.
_SLICE_FILES: Final = 32
# A command-line search waits for the vectors of at most this many files.
_WORTH_WAITING_FILES: Final = 12


def embed_in_slices(
    context: "RepositoryContext",
    target: "Target",
    model: EmbeddingModel,
    options: "SyncOptions",
    make: "MakeVectors",
) -> VectorsState:
    """Make the missing vectors of a published ref; return the state they are left in.

    A file that fails is not retried. A slice in which every file fails ends the work: the model or
    provider is not available.
    """
    tried: set[str] = set()
    is_for_question = options.slow_vectors is SlowVectors.FEW
    total = 0
    while True:
        with (
            open_store(context.location).writer_lock(options.wait_ms),
            _opened(context) as writer,
        ):
            lacking = _lacking(context, target, model, writer)
            left = [task for task in lacking if task.path not in tried]
            if not left:
                return VectorsState.FAILED if lacking else VectorsState.READY
            if is_for_question and len(lacking) > _WORTH_WAITING_FILES:
                return VectorsState.MORE
            if not _embed_slice(writer, left[:_SLICE_FILES], target, make):
                return VectorsState.FAILED
        total = total or len(left)
        tried.update(task.path for task in left[:_SLICE_FILES])
        if options.progress is not None:
            options.progress(min(total, len(tried)), total)
        if options.slow_vectors is SlowVectors.SLICE and len(left) > _SLICE_FILES:
            return VectorsState.MORE


def _opened(context: "RepositoryContext") -> "closing[StoreWriter]":
    return closing(open_store(context.location).open_writer())


def _lacking(
    context: "RepositoryContext", target: "Target", model: EmbeddingModel, writer: "StoreWriter"
) -> "list[FileTask]":
    """Return the files without vectors, sorted by path."""
    writer.use_model(model.version, model.dimensions)
    files = writer.read_map(target.ref.name, context.settings_digest)
    return sorted(lacking_tasks(writer, files), key=lambda task: task.path)


def _embed_slice(
    writer: "StoreWriter", tasks: "list[FileTask]", target: "Target", make: "MakeVectors"
) -> int:
    made = make(tasks, writer)
    writer.publish_vectors(target.ref.name)
    return made
