"""The answer of `sync_repo` and `index_repo`: what bringing a ref up to date did."""

from typing import TYPE_CHECKING

from cruxe.respond.metadata import Metadata
from cruxe.workspace.context import Target

if TYPE_CHECKING:
    from cruxe.contract.results import PublishedSync
    from cruxe.ingest.sync_options import SyncOutcome


def synced_answer(target: Target, outcome: "SyncOutcome") -> "PublishedSync":
    """Say what a sync did."""
    answer: PublishedSync = {
        "status": "published",
        "mode": "full" if outcome.was_rebuilt else "incremental",
        "generation": outcome.generation,
        "changed_files": outcome.changed_files,
        "indexed_files": outcome.indexed_files,
        "removed_files": outcome.removed_files,
        "symbols_extracted": outcome.symbols_extracted,
        "duration_ms": outcome.duration_ms,
        "vectors": outcome.vectors,
        "metadata": Metadata.ready(target.shown, is_fresh=True).to_mapping(),
    }
    if outcome.vectors == "ready":
        del answer["vectors"]
    return answer
