"""The tool `switch_ref`: check that a ref is indexed, so that later calls can default to it."""

from typing import TYPE_CHECKING, NamedTuple

from cruxe.freshness.check import FullCheck
from cruxe.respond.metadata import Metadata
from cruxe.store.open import open_store
from cruxe.tools.ref_session import published_ref
from cruxe.workspace.context import RepositoryContext, resolve_target

if TYPE_CHECKING:
    from cruxe.contract.results import SwitchRefResult


class Switched(NamedTuple):
    """The answer, and whether the ref is the caller's working tree."""

    answer: "SwitchRefResult"
    is_working_tree: bool


def switch_ref(context: RepositoryContext, ref: str, previous: str | None) -> Switched:
    """Check that a ref is indexed; raise if it is not."""
    target = resolve_target(context.workspace, ref)
    before = resolve_target(context.workspace, previous)
    check = FullCheck(context, target)
    with open_store(context.location).snapshot() as snapshot:
        row = published_ref(snapshot, target, context)
        is_fresh = check.is_fresh(snapshot)
    answer: SwitchRefResult = {
        "ref": ref,
        "previous_ref": before.shown,
        "status": "ready" if is_fresh else "stale",
        "last_indexed_commit": row.commit_id,
        "metadata": Metadata.ready(target.shown, is_fresh=is_fresh).to_mapping(),
    }
    return Switched(answer, target.is_worktree)
