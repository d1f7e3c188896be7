"""Sync a ref: find the changes, process the changed files, publish.

Without changes it takes no lock and writes nothing.
"""

import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.embed.models import EmbeddingModel, embedding_model
from cruxe.freshness.changes import ChangeSet, commit_changes
from cruxe.freshness.check import FullCheck, is_same_head
from cruxe.ingest.file_vectors import lacking_tasks
from cruxe.ingest.processing import FileOutcome, FileProcessor
from cruxe.ingest.processing_runs import process_in_pool, processing_plan
from cruxe.ingest.rewriting import repair
from cruxe.ingest.sync_options import SlowVectors, SyncOptions, SyncOutcome, VectorsState
from cruxe.model.deadlines import CallCancelledError
from cruxe.model.errors import IndexDamagedError, IndexNotReadyError
from cruxe.model.jobs import JobMode
from cruxe.model.source import FileTask, Head
from cruxe.model.stored import MapEdit, RefFile, RefRow, pack_keys
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext, Target
from cruxe.workspace.objects import list_commit

if TYPE_CHECKING:
    from cruxe.store.api import Snapshot, StoreWriter

# So few files are parsed faster in this process than by workers that must start first.
_INLINE_FILES: Final = 12
_INLINE_BYTES: Final = 100_000  # of the largest file
_UNKNOWN_BYTES: Final = _INLINE_BYTES + 1
_BOUNDED_BYTES: Final = 500_000  # of all files of a sync with a bound: about half a second
# With more rows to replace, writing the whole map is as cheap.
_FEW_ROWS: Final = 200


def sync(
    context: RepositoryContext,
    target: Target,
    options: SyncOptions,
    looked: FullCheck | None = None,
) -> SyncOutcome:
    """Sync a ref and publish it; do nothing if it is up to date.

    `looked` is a check that the caller has just made; its changes are used as found.
    """
    started = time.monotonic()
    seen = looked if looked is not None and looked.serves(target) else None
    check = seen or FullCheck(context, target, options.journal)
    may_skip = not options.force and not options.retry_failed and seen is None
    model = embedding_model(context.settings.semantic)
    is_left = options.slow_vectors is SlowVectors.FEW and model is not None and not model.is_quick
    awaited = None if is_left else model
    # If the journal has a change, check only under the lock: opening the store twice costs 1 ms.
    is_told = target.is_worktree and options.journal is not None and options.journal.has_change()
    may_skip = may_skip and not is_told
    generation = _settled_generation(context, target, check, awaited) if may_skip else None
    if generation is not None:
        outcome = _nothing_done(generation)
    else:
        with open_store(context.location).writer_lock(options.wait_ms):
            outcome = _sync_locked(context, target, options, check)
        if model is not None and not model.is_quick:
            left = _embed_slowly(context, target, model, options)
            outcome = outcome._replace(vectors=left)
    duration_ms = round((time.monotonic() - started) * 1000)
    return outcome._replace(duration_ms=duration_ms)


def _nothing_done(generation: int) -> SyncOutcome:
    return SyncOutcome(
        generation=generation,
        changed_files=0,
        indexed_files=0,
        removed_files=0,
        symbols_extracted=0,
        duration_ms=0,
        was_rebuilt=False,
    )


def _settled_generation(
    context: RepositoryContext,
    target: Target,
    check: FullCheck,
    model: EmbeddingModel | None,
) -> int | None:
    """Return the published generation if the ref is up to date, else None."""
    try:
        with open_store(context.location).snapshot() as snapshot:
            if not check.is_settled(snapshot) or not _has_vectors(target, snapshot, model):
                return None
            # Damaged files are not up to date; this reads manifests of a few KB.
            snapshot.check_files()
            return snapshot.generation
    except (IndexNotReadyError, IndexDamagedError):
        return None


def _has_vectors(target: Target, snapshot: "Snapshot", model: EmbeddingModel | None) -> bool:
    row = snapshot.find_ref(target.ref.name)
    return model is None or row is None or snapshot.has_vectors(row.ref_id, model.version)


def _sync_locked(
    context: RepositoryContext, target: Target, options: SyncOptions, check: FullCheck
) -> SyncOutcome:
    with _open_writer(context, options) as (writer, is_new):
        if options.generation not in (None, writer.generation):
            return _nothing_done(writer.generation)._replace(is_overtaken=True)
        if writer.damaged:
            repair(context, writer)
        work = _Work(
            context=context,
            target=target,
            options=options,
            writer=writer,
            model=_quick_model(context, writer),
        )
        row = complete = None if options.retry_failed else _complete_ref(writer, target, work.model)
        most = options.most_files
        changes = row and _touched_changes(check, writer, row, is_bounded=most is not None)
        if changes is None:
            row = None
            changes = _all_changes(context, target, options, check, writer)
        if row and changes.is_empty and is_same_head(row, target):
            return _nothing_done(writer.generation)
        changed = [task for task in changes.tasks if task.path not in check.same_paths]
        if most is not None and (complete is None or not _is_bounded(changed, most)):
            left = tuple(task.path for task in changed)
            return _nothing_done(writer.generation)._replace(left_paths=left)
        return _publish(work, changes, row)._replace(was_rebuilt=is_new)


class _Work(NamedTuple):
    """A sync that holds the writer lock."""

    context: RepositoryContext
    target: Target
    options: SyncOptions
    writer: "StoreWriter"
    model: EmbeddingModel | None  # that makes the vectors before the files are published


def _quick_model(context: RepositoryContext, writer: "StoreWriter") -> EmbeddingModel | None:
    """Return the model, unless its vectors are made after the files are published."""
    model = embedding_model(context.settings.semantic)
    if model is not None:
        writer.use_model(model.version, model.dimensions)
    return model if model is not None and model.is_quick else None


def _publish(work: _Work, changes: ChangeSet, row: RefRow | None) -> SyncOutcome:
    """Process what has changed and publish it: as an edit of a row's map, or as a new map."""
    context, target, options, writer, model = work
    mode = JobMode.INCREMENTAL if row or changes.before else JobMode.FULL
    writer.start_job(target.shown, mode, len(changes.tasks))
    files = dict(changes.kept)
    for done, outcome in enumerate(_process(work, changes.tasks), start=1):
        if outcome.record is not None:
            writer.add(outcome.record)
        files[outcome.path] = outcome.file
        writer.tell_progress()
        if options.progress is not None:
            options.progress(done, len(changes.tasks))
    if model is not None:
        _embed_lacking(context, writer, files, model)
    if row is None:
        ref = target.ref._replace(settings=context.settings_digest)
        generation = writer.publish(ref, files)
    else:
        head = Head(target.ref.branch, target.ref.commit_id)
        generation = writer.publish_edit(row.ref_id, MapEdit(changes.before, files, head))
    if options.on_published is not None and not options.force:
        options.on_published(generation)
    return SyncOutcome(
        generation=generation,
        changed_files=len(changes.tasks),
        indexed_files=writer.files_indexed,
        removed_files=len(changes.before.keys() - files.keys()),
        symbols_extracted=writer.symbols_extracted,
        duration_ms=0,
        was_rebuilt=False,
    )


def _complete_ref(
    writer: "StoreWriter", target: Target, model: EmbeddingModel | None
) -> RefRow | None:
    """Return the published ref, or None if unchanged files still lack vectors."""
    row = writer.find_ref(target.ref.name) if target.is_worktree else None
    is_complete = model is None or row is None or writer.vectors.are_complete(row.ref_id)
    return row if is_complete else None


def _touched_changes(
    check: FullCheck, writer: "StoreWriter", row: RefRow, *, is_bounded: bool
) -> ChangeSet | None:
    """Return the changes since the ref was published, or None if too many paths changed."""
    ref_id = row.ref_id
    if not check.has_looked_at(writer.generation):
        with writer.reading() as snapshot:
            # A bound counts what differs in content.
            (check.is_fresh if is_bounded else check.is_settled)(snapshot)
    changes = check.find_touched(lambda paths: writer.read_rows(ref_id, paths), writer.generation)
    is_small = changes is not None and len(changes.tasks) + len(changes.before) <= _FEW_ROWS
    return changes if is_small else None


def _all_changes(
    context: RepositoryContext,
    target: Target,
    options: SyncOptions,
    check: FullCheck,
    writer: "StoreWriter",
) -> ChangeSet:
    before = writer.read_map(target.ref.name, context.settings_digest)
    if target.is_worktree:
        return check.find_changes(before, writer.generation, retry_failed=options.retry_failed)
    assert target.ref.commit_id is not None
    listed = list_commit(context.workspace, target.ref.commit_id, context.rules)
    return commit_changes(listed, before, writer.verdicts(), context.extraction_digest)


def _process(work: _Work, tasks: list[FileTask]) -> Iterator[FileOutcome]:
    context, writer = work.context, work.writer
    plan = processing_plan(context, b"", work.model)
    if work.options.most_files is not None or _are_inline(tasks):
        with closing(FileProcessor(plan, writer.versions)) as processor:
            yield from map(processor.process, tasks)
        return
    plan = plan._replace(known_keys=writer.known_keys())
    yield from process_in_pool(context, plan, tasks)


def _embed_lacking(
    context: RepositoryContext,
    writer: "StoreWriter",
    files: Mapping[str, RefFile],
    model: EmbeddingModel,
) -> None:
    """Make the vectors of versions that were indexed without any, or under another model."""
    tasks = list(lacking_tasks(writer, files))
    if tasks:
        plan = processing_plan(context, pack_keys(()), model)
        _add_vectors(writer, process_in_pool(context, plan, tasks))


def _embed_slowly(
    context: RepositoryContext, target: Target, model: EmbeddingModel, options: SyncOptions
) -> VectorsState:
    from cruxe.ingest.slow_vectors import embed_in_slices

    plan = processing_plan(context, pack_keys(()), model)

    def make(tasks: list[FileTask], writer: "StoreWriter") -> int:
        outcomes = process_in_pool(context, plan, tasks)
        return _add_vectors(writer, _in_batches(model, outcomes) if model.address else outcomes)

    return embed_in_slices(context, target, model, options, make)


def _in_batches(model: EmbeddingModel, outcomes: Iterator[FileOutcome]) -> Iterator[FileOutcome]:
    """Add the vectors of an external model, which it makes for many files at once."""
    from cruxe.ingest.file_vectors import vectors_in_batches

    waiting = [each for each in outcomes if each.record is not None and each.texts is not None]
    waiting.sort(key=lambda each: each.path)
    texts = [each.texts for each in waiting if each.texts is not None]
    for outcome, vectors in zip(waiting, vectors_in_batches(model, texts), strict=True):
        assert outcome.record is not None
        yield outcome._replace(record=outcome.record._replace(vectors=vectors))


def _add_vectors(writer: "StoreWriter", outcomes: Iterator[FileOutcome]) -> int:
    """Add the vectors of outcomes that have some; return how many have."""
    count = 0
    for outcome in outcomes:
        if outcome.record is not None and outcome.record.vectors is not None:
            writer.vectors.add(outcome.record.version_key, outcome.record.vectors)
            count += 1
    return count


def _are_inline(tasks: list[FileTask]) -> bool:
    # A stuck parser here would block the caller.
    sizes = _sizes_of(tasks)
    return len(tasks) <= _INLINE_FILES and max(sizes, default=0) <= _INLINE_BYTES


def _is_bounded(tasks: list[FileTask], most_files: int) -> bool:
    return len(tasks) <= most_files and sum(_sizes_of(tasks)) <= _BOUNDED_BYTES


def _sizes_of(tasks: list[FileTask]) -> list[int]:
    """Return the sizes of files; that of a blob is unknown until it is read."""
    return [_UNKNOWN_BYTES if task.stat is None else task.stat.size for task in tasks]


@contextmanager
def _open_writer(
    context: RepositoryContext, options: SyncOptions
) -> "Generator[tuple[StoreWriter, bool]]":
    """Open the store, or a new one that replaces it once the block has published."""
    writer, is_new = _choose_writer(context, options)
    is_whole = False
    try:
        yield writer, is_new
        if is_new:
            writer.make_current()
        is_whole = True
    except CallCancelledError:
        writer.interrupt_job()
        raise
    except BaseException as error:
        writer.fail_job(f"{type(error).__name__}: {error}")
        raise
    finally:
        try:
            writer.close()
        finally:
            if is_new and not is_whole:
                writer.discard()


def _choose_writer(context: RepositoryContext, options: SyncOptions) -> "tuple[StoreWriter, bool]":
    store = open_store(context.location)
    return (store.create_writer(), True) if options.force else (store.open_writer(), False)
