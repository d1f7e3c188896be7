"""Options and outcome of a sync."""

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cruxe.freshness.change_journal import ChangeJournal

Progress = Callable[[int, int], None]  # files done, files in all


class SlowVectors(StrEnum):
    """How much of a slow model's work a sync does."""

    ALL = "all"
    SLICE = "slice"  # one slice, then other writers get the lock
    FEW = "few"  # only if few are missing


class VectorsState(StrEnum):
    """The state of a ref's vectors after a sync."""

    READY = "ready"  # complete, or not wanted
    MORE = "more"  # another sync continues
    FAILED = "failed"  # the model or provider does not work


class SyncOptions(NamedTuple):
    """Options of a sync."""

    force: bool = False  # build a new store, whatever the old one holds
    retry_failed: bool = False  # read files again that timed out or could not be read
    wait_ms: int | None = None  # for another writer; None: the default of the store's lock
    progress: Progress | None = None
    slow_vectors: SlowVectors = SlowVectors.ALL
    # Files to process, without other processes; with more nothing is published.
    most_files: int | None = None
    # What was compared; if something else is published once the lock is held, nothing is done.
    generation: int | None = None
    # Called with the generation once it is readable; the writer is closed after that.
    on_published: Callable[[int], None] | None = None
    journal: "ChangeJournal | None" = None  # of earlier syncs of the same tree by this process


class SyncOutcome(NamedTuple):
    """What a sync did."""

    generation: int
    changed_files: int  # read because they are new or changed
    indexed_files: int  # of those, parsed because their content is new
    removed_files: int
    symbols_extracted: int
    duration_ms: int
    was_rebuilt: bool
    vectors: VectorsState = VectorsState.READY
    left_paths: tuple[str, ...] | None = None  # changed, if more than were to be processed
    is_overtaken: bool = False  # another generation was published than the one compared
