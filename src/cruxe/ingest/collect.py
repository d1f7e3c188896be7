"""Collection: drop refs that no longer exist and versions that no ref holds.

The statistics of the lexical index count deleted documents too. So it is rebuilt from the sources
of the live versions: after a collection a store answers exactly as a fresh index would.
"""

import time
from contextlib import closing
from typing import Final, NamedTuple

from cruxe.ingest.refresh_refs import settle_ref
from cruxe.ingest.rewriting import carry_out
from cruxe.ingest.sync_options import SyncOptions
from cruxe.store.open import open_store
from cruxe.workspace.context import RepositoryContext

_DAY_NS: Final = 86_400 * 1_000_000_000
# Commits indexed longer ago are dropped, and indexed again on demand.
DEFAULT_MAX_AGE_DAYS: Final = 30


class CollectOutcome(NamedTuple):
    """What a collection did."""

    generation: int
    dropped_refs: tuple[str, ...]
    dropped_versions: int
    rewrote_lexical: bool
    freed_bytes: int
    duration_ms: int


def collect(
    context: RepositoryContext,
    *,
    max_age_days: int = DEFAULT_MAX_AGE_DAYS,
    wait_ms: int | None = None,
) -> CollectOutcome:
    """Sync the live refs, drop the rest, and publish."""
    started = time.monotonic()
    store = open_store(context.location)
    size_before = store.size_bytes()
    dead = _settle_refs(context, max_age_days, SyncOptions(wait_ms=wait_ms))
    with store.writer_lock(wait_ms):
        outcome = _collect_locked(context, dead)
    return outcome._replace(
        freed_bytes=max(0, size_before - store.size_in_use_bytes()),
        duration_ms=round((time.monotonic() - started) * 1000),
    )


def _settle_refs(context: RepositoryContext, max_age_days: int, options: SyncOptions) -> set[str]:
    """Sync every ref that still exists; return the names of the dead ones."""
    with open_store(context.location).snapshot() as snapshot:
        refs = snapshot.list_refs()
    oldest_ns = time.time_ns() - max_age_days * _DAY_NS
    dead: set[str] = set()
    for ref in refs:
        is_forgotten = ref.root is None and ref.indexed_at_ns < oldest_ns
        if is_forgotten or not settle_ref(context, ref, options):
            dead.add(ref.name)
    return dead


def _collect_locked(context: RepositoryContext, dead: set[str]) -> CollectOutcome:
    with closing(open_store(context.location).open_writer()) as writer:
        collection = writer.collect(dead)
        has_work = collection.must_rewrite or bool(collection.dead_refs)
        return CollectOutcome(
            generation=carry_out(context, collection) if has_work else writer.generation,
            dropped_refs=collection.dead_refs,
            dropped_versions=len(collection.dead_versions),
            rewrote_lexical=collection.must_rewrite,
            freed_bytes=0,
            duration_ms=0,
        )
