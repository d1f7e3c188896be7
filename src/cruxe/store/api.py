"""The interface of a store: what indexing writes and queries read, for any backend.

A backend implements `Store`, as `tests/store` tests; its `Snapshot` shows one generation. Calls
take batches. No engine type appears. Import under `TYPE_CHECKING` only: a Protocol takes half a ms.
"""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol, Self

from cruxe.model.errors import EngineError
from cruxe.model.identity import BlobId, VersionKey
from cruxe.model.jobs import JobMode, JobRow
from cruxe.model.source import SkipReason
from cruxe.model.stored import (
    Damage,
    HitRow,
    LexicalHit,
    LiveVersion,
    MapEdit,
    NearFiles,
    NearWanted,
    RefFile,
    RefRow,
    RefState,
    StorePart,
    Vectors,
)
from cruxe.store.conditions import Condition
from cruxe.store.readers import RefReader, SymbolReader, TrigramReader
from cruxe.store.records import VersionRecord

IsLive = Callable[[VersionKey], bool]  # whether a ref holds a version
WeightedTerms = Iterable[tuple[str, float]]


class LexicalIndex(Protocol):
    """Documents of terms: one per chunk, one per file. Ties have a fixed order."""

    def search_chunks(
        self,
        terms: WeightedTerms,
        limit: int,
        is_live: IsLive,
        condition: Condition | None = None,
        *,
        per_file: int,
    ) -> dict[VersionKey, list[HitRow]]:
        """Return the best chunks by version, best first, at most `per_file` of each."""
        ...

    def search_files(
        self, field: str, terms: WeightedTerms, limit: int, is_live: IsLive
    ) -> dict[VersionKey, float]:
        """Return the best files by a field of their own documents, with their scores."""
        ...

    def rarity(self, field: str, terms: Iterable[str]) -> dict[str, float]:
        """Return BM25's inverse document frequency of each term; 0 for one in no document."""
        ...

    def search(
        self,
        field: str,
        terms: WeightedTerms,
        limit: int,
        is_live: IsLive,
        condition: Condition | None = None,
    ) -> list[LexicalHit]:
        """Return the best documents by a field, best first."""
        ...


class VectorIndex(Protocol):
    """The vectors of one ref by one model."""

    def nearest(
        self, query: Sequence[int], wanted: NearWanted, is_live: IsLive | None = None
    ) -> NearFiles | None:
        """Return the files nearest to a vector, or None if there is nothing to compare."""
        ...


class Snapshot(RefReader, SymbolReader, TrigramReader, Protocol):
    """One published generation, for as long as the reader holds it."""

    def __enter__(self) -> Self:
        """Use as a context manager."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close; a failure that comes from damage is raised as what it is."""
        ...

    @property
    def generation(self) -> int:
        """The number of the publication that this snapshot shows."""
        ...

    @property
    def state(self) -> tuple[str | int, ...]:
        """A value that is equal for two snapshots with the same content, including vectors."""
        ...

    def is_current(self) -> bool:
        """Return whether its store is still the current one."""
        ...

    def fingerprint_path(self, ref_id: int) -> str:
        """Return the local file that holds the fingerprint of a working tree's listing."""
        ...

    def lexical_opener(self) -> Callable[[], LexicalIndex]:
        """Return a function that opens the lexical index of this generation."""
        ...

    def vectors(self, ref_id: int, model: str) -> VectorIndex | None:
        """Open the vectors of a ref by a model; None if some versions lack theirs."""
        ...

    def has_vectors(self, ref_id: int, model: str) -> bool:
        """Return whether all versions of a ref have vectors by a model."""
        ...

    def recent_jobs(self, limit: int) -> list[JobRow]:
        """Return the latest jobs, newest first."""
        ...

    def check_files(self) -> None:
        """Raise if files beside the database are not as published, by size, or noted as damaged."""
        ...

    def check_versions(self, keys: Iterable[VersionKey]) -> None:
        """Raise if what is stored of some versions is not as it was written."""
        ...

    def examine(self) -> Iterator[Damage | None]:
        """Verify every byte that counts, in steps; yield damage, and None after a sound step.

        Between two steps the snapshot may rest and be renewed.
        """
        ...

    def tell_examined(self, found: Sequence[Damage]) -> None:
        """Note for every process what an examination found; drop notes on what it found sound."""
        ...

    def damage_behind(self, error: BaseException | None) -> EngineError | None:
        """Return the damage that an unexpected failure comes from, or None; note it for others."""
        ...

    def read_ahead(self, max_bytes: int) -> None:
        """Ask the system to load up to `max_bytes` of what queries will read."""
        ...

    def rest(self) -> None:
        """Release the generation; nothing may be read before `renew`."""
        ...

    def renew(self) -> None:
        """Open the generation that is published now."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...


class VectorWriter(Protocol):
    """The vectors of a store during writing, of one model at a time."""

    def add(self, version_key: VersionKey, vectors: Vectors) -> None:
        """Add a version's vectors."""
        ...

    def lacking(self, keys: Collection[int]) -> set[int]:
        """Return which of some versions have content but no vectors."""
        ...

    def are_complete(self, ref_id: int) -> bool:
        """Return whether all versions of a ref have vectors."""
        ...


class StoreWriter(Protocol):
    """The one writer of a store; its caller holds the writer lock."""

    files_indexed: int
    symbols_extracted: int

    @property
    def vectors(self) -> VectorWriter:
        """The vectors of the store."""
        ...

    @property
    def generation(self) -> int:
        """The number of the last publication."""
        ...

    @property
    def versions(self) -> Container[int]:
        """The versions that need no parsing, for membership tests."""
        ...

    def reading(self) -> AbstractContextManager[Snapshot]:
        """Read what is published, while no transaction is open."""
        ...

    def verdicts(self) -> dict[int, SkipReason | None]:
        """Return all versions that need no parsing, each with its verdict."""
        ...

    def known_keys(self) -> bytes:
        """Return the keys of those versions, packed."""
        ...

    def blob_ids(self, keys: Iterable[int]) -> dict[int, BlobId]:
        """Return the git blob ids of some versions."""
        ...

    def find_ref(self, name: str) -> RefRow | None:
        """Return a published ref by name, or None."""
        ...

    def read_rows(self, ref_id: int, paths: Iterable[str]) -> dict[str, RefFile]:
        """Return the rows of some paths in a ref's map as last published."""
        ...

    def read_map(self, name: str, settings: str) -> dict[str, RefFile]:
        """Return a ref's map; empty for a ref that is new or was listed under other settings."""
        ...

    def use_model(self, model: str, dimensions: int) -> None:
        """Use a model's vectors from now on; those of another model are dropped."""
        ...

    def start_job(self, ref: str, mode: JobMode, files_total: int) -> None:
        """Record a job that is about to start."""
        ...

    def tell_progress(self) -> None:
        """Make the progress of the job visible to readers."""
        ...

    def fail_job(self, message: str) -> None:
        """Record that the started job failed."""
        ...

    def interrupt_job(self) -> None:
        """Record that the started job was stopped; what it has added is kept."""
        ...

    def add(self, record: VersionRecord) -> None:
        """Add a file version; it is invisible until a publication refers to it."""
        ...

    def publish_vectors(self, ref: str) -> None:
        """Make the vectors added so far durable and visible for a ref."""
        ...

    def publish(self, ref: RefState, files: Mapping[str, RefFile]) -> int:
        """Move a ref's map to its new versions; return the new generation."""
        ...

    def publish_edit(self, ref_id: int, edit: MapEdit) -> int:
        """Replace some rows of a working tree's map; return the new generation."""
        ...

    @property
    def damaged(self) -> Collection[StorePart]:
        """The parts that are damaged and can be made anew."""
        ...

    def drop_damaged_vectors(self) -> None:
        """Forget the vectors that are not what was written; syncs make them anew."""
        ...

    def collect(self, dead: Container[str]) -> "StoreCollection":
        """Begin to drop some refs, by name, and the versions that only they hold."""
        ...

    def make_current(self) -> None:
        """Make this the current store and retire the previous one."""
        ...

    def discard(self) -> None:
        """Remove a closed store that was not made current."""
        ...

    def close(self) -> None:
        """Close the store; what was neither published nor checkpointed is lost."""
        ...


class StoreCollection(Protocol):
    """One collection, from finding what is dead to the publication without it."""

    @property
    def dead_refs(self) -> tuple[str, ...]:
        """The names of the refs to drop."""
        ...

    @property
    def dead_versions(self) -> Sequence[VersionKey]:
        """The versions that no other ref holds."""
        ...

    @property
    def live(self) -> Sequence[LiveVersion]:
        """The versions whose documents must be rewritten; empty if none must."""
        ...

    @property
    def must_rewrite(self) -> bool:
        """Whether the lexical index is rewritten."""
        ...

    def begin(self) -> None:
        """Record the collection as a job and start the new lexical index."""
        ...

    def add(self, record: VersionRecord) -> None:
        """Rewrite a live version's documents."""
        ...

    def publish(self) -> int:
        """Drop what is dead, switch to the rewritten index and return the new generation."""
        ...


class Store(Protocol):
    """The index of one repository, in any backend."""

    @property
    def location(self) -> str:
        """The location, for display."""
        ...

    @property
    def is_registered(self) -> bool:
        """Whether anything was ever written for this repository."""
        ...

    @property
    def has_index(self) -> bool:
        """Whether there is a store that can be opened."""
        ...

    def snapshot(self, *, even_damaged: bool = False) -> Snapshot:
        """Open the last published generation; raise `IndexNotReadyError` if there is none.

        One that is known to be damaged is refused, but for an examination.
        """
        ...

    def open_writer(self) -> StoreWriter:
        """Open the store for writing, or create the first one; recovers from crashes."""
        ...

    def create_writer(self) -> StoreWriter:
        """Create a new store that replaces the current one on `make_current`."""
        ...

    def writer_lock(self, wait_ms: int | None = None) -> AbstractContextManager[object]:
        """Hold the single writer's lock; raise `IndexInProgressError` after the wait.

        With None, wait for the backend's own time-out.
        """
        ...

    def is_being_written(self) -> bool:
        """Return whether the writer lock is currently held."""
        ...

    def watcher_lock(self, root: str) -> AbstractContextManager[object]:
        """Hold the lock of the single watcher of a working tree."""
        ...

    def size_bytes(self) -> int:
        """Return the size on disk, including replaced folders that await removal."""
        ...

    def size_in_use_bytes(self) -> int:
        """Return the size on disk of what readers use."""
        ...
