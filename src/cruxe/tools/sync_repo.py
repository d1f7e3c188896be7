"""The answer of `sync_repo` and `index_repo`: what bringing a ref up to date did."""

from typing import TYPE_CHECKING

from cruxe.respond.metadata import Metadata
from cruxe.workspace.targets import Target

if TYPE_CHECKING:
    from cruxe.ingest.sync_ref import SyncOutcome

Answer = dict[str, object]


def synced_answer(target: Target, outcome: "SyncOutcome") -> Answer:
    """Say what a sync did."""
    answer: Answer = {
        "status": "published",
        "mode": "full" if outcome.was_rebuilt else "incremental",
        **outcome._asdict(),
    }
    del answer["was_rebuilt"]
    if outcome.vectors == "ready":
        del answer["vectors"]
    answer["metadata"] = Metadata.ready(target.shown, is_fresh=True).to_mapping()
    return answer
