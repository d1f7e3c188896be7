"""Rewrites parts of a store from the sources: for a collection, and where a part is damaged."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from cruxe.ingest.processing import FileOutcome
from cruxe.ingest.processing_runs import process_in_pool, processing_plan
from cruxe.model.source import FileStat, FileTask
from cruxe.model.stored import LiveVersion, StorePart, pack_keys
from cruxe.workspace.context import RepositoryContext, context_at, find_workspace

if TYPE_CHECKING:
    from cruxe.store.api import StoreCollection, StoreWriter

_NO_STAMPS: Final = FileStat(size=0, mtime_ns=0, ctime_ns=0, inode=0)


def repair(context: RepositoryContext, writer: "StoreWriter") -> None:
    """Make anew what is damaged beside the database; the vectors' rows come with the next sync."""
    if StorePart.LEXICAL in writer.damaged:
        carry_out(context, writer.collect(()))
    if StorePart.VECTORS in writer.damaged:
        writer.drop_damaged_vectors()


def carry_out(context: RepositoryContext, collection: "StoreCollection") -> int:
    """Rewrite the lexical index of the live versions and publish; return the generation.

    A file may have changed since its ref was synced. Then its version is dropped, as if the file
    had not been indexed, and the next sync adds the new one.
    """
    collection.begin()
    for outcome in _read_again(context, collection.live):
        if outcome.record is not None:
            collection.add(outcome.record)
    return collection.publish()


def _read_again(context: RepositoryContext, live: Sequence[LiveVersion]) -> Iterator[FileOutcome]:
    """Process live versions again, each from a worktree or blob that still holds its bytes."""
    by_root = groupby(sorted(live, key=lambda each: each.root or ""), lambda each: each.root)
    for root, versions in by_root:
        here = context if root is None else context_at(find_workspace(root), context)
        # A task with any stamps is read from the working tree first, else from the blob.
        stamps = None if root is None else _NO_STAMPS
        tasks = [FileTask(each.path, each.blob_id, stamps) for each in versions]
        yield from process_in_pool(here, processing_plan(here, pack_keys(())), tasks)
