"""How a sync is done, and what it did."""

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cruxe.freshness.change_journal import ChangeJournal

Progress = Callable[[int, int], None]  # files done, files in all


class SlowVectors(StrEnum):
    """How much of a slow model's work a sync does."""

    ALL = "all"
    SLICE = "slice"  # then whoever waits for the store has a turn
    FEW = "few"  # none where there are many


class VectorsState(StrEnum):
    """What a sync left of a ref's vectors."""

    READY = "ready"  # or none are wanted
    MORE = "more"  # another sync goes on
    FAILED = "failed"  # whoever makes them does not


class SyncOptions(NamedTuple):
    """How a sync is done."""

    force: bool = False  # build a new store, whatever the old one holds
    retry_failed: bool = False  # read again what timed out or could not be read
    wait_ms: int | None = None  # for another writer; None: as long as the store's lock does
    progress: Progress | None = None
    slow_vectors: SlowVectors = SlowVectors.ALL
    journal: "ChangeJournal | None" = None  # of earlier syncs of the same tree by this process


class SyncOutcome(NamedTuple):
    """What a sync did."""

    generation: int
    changed_files: int  # read because they were new or had changed
    indexed_files: int  # of those, parsed because their content was new
    removed_files: int
    symbols_extracted: int
    duration_ms: int
    was_rebuilt: bool
    vectors: VectorsState = VectorsState.READY
