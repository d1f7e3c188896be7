"""Sync refs that were indexed before, each from its current worktree or commit."""

import os

from cruxe.ingest.sync_options import SyncOptions, SyncOutcome
from cruxe.ingest.sync_ref import sync
from cruxe.model.errors import EngineError, InvalidInputError
from cruxe.model.stored import RefRow
from cruxe.store.open import open_store
from cruxe.workspace.context import (
    RepositoryContext,
    Target,
    commit_target,
    context_at,
    find_workspace,
    resolve_target,
)


def settle_ref(context: RepositoryContext, ref: RefRow, options: SyncOptions) -> bool:
    """Sync a ref; return whether it still exists."""
    if ref.root is None:
        try:
            target = commit_target(context.workspace, ref.name)
        except InvalidInputError:
            return False
        sync(context, target, options)
        return True
    if not os.path.isdir(ref.root):
        return False
    workspace = find_workspace(ref.root)
    if workspace.root != ref.root or workspace.repository_id != context.workspace.repository_id:
        return False
    here = context_at(workspace, context)
    sync(here, resolve_target(workspace, None), options)
    return True


def rebuild(context: RepositoryContext, target: Target, options: SyncOptions) -> SyncOutcome:
    """Build a new store for a ref, then index the other refs of the old store in it."""
    try:
        with open_store(context.location).snapshot() as snapshot:
            others = [ref for ref in snapshot.list_refs() if ref.name != target.ref.name]
    except EngineError:  # no store, or an unreadable one: a reason to rebuild
        others = []
    outcome = sync(context, target, options._replace(force=True))
    for ref in others:
        settle_ref(context, ref, SyncOptions(wait_ms=options.wait_ms))
    return outcome
