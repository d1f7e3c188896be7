"""The repository of one command: opened on first use and synced if it is stale."""

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from cruxe.model.errors import (
    EngineError,
    FileNotFoundInRefError,
    IndexDamagedError,
    IndexInProgressError,
    IndexNotReadyError,
    IndexStaleError,
    RefNotIndexedError,
    ResultNotFoundError,
    StorageError,
    SymbolNotFoundError,
)
from cruxe.model.levels import AnswerFormat, FreshnessStatus, IndexingStatus
from cruxe.respond.metadata import Metadata, lacks_vectors
from cruxe.serve.dispatch import config_warnings, known_metadata
from cruxe.store.open import open_store

if TYPE_CHECKING:
    from cruxe.contract.results import PublishedSync, QuestionResult
    from cruxe.ingest.sync_options import Progress
    from cruxe.repository import Repository


def asked_format(named: str | None, *, json: bool) -> AnswerFormat | None:
    """Return the form of the answer: that of `--format`, else JSON with `--json`, else None."""
    if named is not None:
        return AnswerFormat(named)
    return AnswerFormat.JSON if json else None


class GlobalArgs:
    """The arguments of every command, given before or after its name."""

    directory: str = "."
    config: str | None = None
    json: bool = False
    verbose: bool = False
    ref: str | None = None  # only some commands have the option

    @property
    def answer_format(self) -> AnswerFormat | None:
        """JSON if it was asked for, or None for the form for people."""
        return asked_format(None, json=self.json)


class QueryArgs(GlobalArgs):
    """The arguments of every query about the code."""

    no_sync: bool = False
    format: str | None = None

    @property
    def answer_format(self) -> AnswerFormat | None:
        """The form for agents that was asked for, or None for the form for people."""
        return asked_format(self.format, json=self.json)


_Result = TypeVar("_Result", bound="QuestionResult")
_WARNINGS_TOLD: Final = 3
# Long enough for a small sync of another process to end.
_QUIET_WAIT_MS: Final = 500
_CURED_BY_SYNC: Final = (
    IndexNotReadyError,
    IndexStaleError,
    RefNotIndexedError,
    FileNotFoundInRefError,
    IndexDamagedError,
    ResultNotFoundError,
    SymbolNotFoundError,
)


class Session:
    """Opens the repository that the arguments name, queries it and syncs it."""

    def __init__(self, args: GlobalArgs) -> None:
        """Store the arguments; open nothing yet."""
        self._args = args
        self._repository: Repository | None = None
        self._hindrance: EngineError | None = None  # why the index could not be synced

    @property
    def repository(self) -> "Repository":
        """The repository that contains the given directory."""
        if self._repository is None:
            from cruxe.repository import open_repository

            self._repository = open_repository(self._args.directory, self._args.config)
            context = self._repository.context
            self._tell(
                "workspace %s, store %s",
                context.workspace.root,
                open_store(context.location).location,
            )
        return self._repository

    @property
    def root(self) -> str:
        """The workspace's root; empty if no repository was opened."""
        return "" if self._repository is None else self._repository.root

    @property
    def warnings(self) -> list[str]:
        """Notices on rejected configuration values, such as one that would weaken security."""
        warnings = [] if self._repository is None else config_warnings(self._repository)
        if self._hindrance is not None:
            warnings.append(f"the index is not up to date: {self._hindrance.message}")
        return warnings

    def warning_remarks(self) -> list[str]:
        """Return the first warnings as remarks, and the number of the others."""
        notices = [] if self._repository is None else config_warnings(self._repository)
        told = [f"config: {notice}" for notice in notices[:_WARNINGS_TOLD]]
        if len(notices) > len(told):
            told.append(f"config: {len(notices) - len(told)} more; see `cruxe config show`")
        return told + self.warnings[len(notices) :]

    def ask(self, args: QueryArgs, question: Callable[["Repository"], _Result]) -> _Result:
        """Run a query; if the index turns out to be stale, sync it and run the query again.

        Syncing first would compare the files with the index twice, which is usually up to date.
        Where the sync is not possible, the answer is from what is published, and says so.
        """
        # The cycle collector costs 5 % of a query on 7,000 files and frees nothing.
        gc.disable()
        if args.no_sync:
            return question(self.repository)
        with suppress(*_CURED_BY_SYNC):
            answer = question(self.repository)
            is_fresh = answer["metadata"]["freshness_status"] == FreshnessStatus.FRESH
            if is_fresh and not lacks_vectors(answer):
                return answer
        self._require_auto()
        ref = self.repository.ref_asked_for(args.ref)

        def catch_up(progress: "Progress | None", wait_ms: int | None) -> "PublishedSync":
            return self.repository.catch_up(ref=ref, progress=progress, wait_ms=wait_ms)

        if not self.repository.is_published(ref):
            self._sync(catch_up)
            return question(self.repository)
        try:
            self._with_progress(lambda progress: catch_up(progress, _QUIET_WAIT_MS))
        except (IndexInProgressError, StorageError) as error:
            self._hindrance = error
        return self._marked(question(self.repository))

    def _marked(self, answer: _Result) -> _Result:
        """Say in a stale answer that another process is writing the index."""
        block = answer["metadata"]
        is_stale = block["freshness_status"] == FreshnessStatus.STALE
        if is_stale and isinstance(self._hindrance, IndexInProgressError):
            block["freshness_status"] = FreshnessStatus.SYNCING
            block["indexing_status"] = IndexingStatus.INDEXING
        return answer

    def _require_auto(self) -> None:
        """Raise if nothing was indexed yet and the settings leave that to the user."""
        context = self.repository.context
        if not context.settings.index.auto and not open_store(context.location).has_index:
            from cruxe.hosting.provisional import not_indexed_error

            raise not_indexed_error(context)

    def sync(self, *, force: bool = False, retry_failed: bool = False) -> "PublishedSync":
        """Sync the ref of the arguments."""

        def sync(progress: "Progress | None", wait_ms: int | None) -> "PublishedSync":
            synced = self.repository.sync_repo(
                ref=self._args.ref,
                force=force,
                retry_failed=retry_failed,
                progress=progress,
                wait_ms=wait_ms,
            )
            assert synced["status"] == "published"  # only a server returns before the sync ends
            return synced

        return self._sync(sync)

    def _sync(
        self, sync: "Callable[[Progress | None, int | None], PublishedSync]"
    ) -> "PublishedSync":
        """Sync, with a progress bar on a terminal; wait for another writer."""
        return self._with_progress(
            lambda progress: self._sync_with_patience(lambda wait_ms: sync(progress, wait_ms))
        )

    def _with_progress(self, sync: "Callable[[Progress | None], PublishedSync]") -> "PublishedSync":
        from cruxe.serve.cli.progress import progress_on_stderr

        # A sync allocates millions of record objects, and none is part of a cycle.
        gc.disable()
        progress = progress_on_stderr()
        try:
            synced = sync(progress)
        finally:
            if progress is not None:
                progress.clear()
        self._tell("%s files read in %s ms", synced["changed_files"], synced["duration_ms"])
        return synced

    def _sync_with_patience(self, sync: "Callable[[int | None], PublishedSync]") -> "PublishedSync":
        """Wait for another writer; print a remark if that takes long."""
        try:
            return sync(_QUIET_WAIT_MS)
        except IndexInProgressError:
            if sys.stderr.isatty():
                sys.stderr.write("waiting for another cruxe that is writing this index\n")
            return sync(None)

    def known_metadata(self) -> Metadata:
        """Return the metadata of an error: what is known of the index."""
        with suppress(EngineError):
            return known_metadata(self.repository, self._args.ref)
        return Metadata.not_indexed(self._args.ref or "")

    def _tell(self, message: str, *values: object) -> None:
        if self._args.verbose:
            import logging

            logging.getLogger(__name__).info(message, *values)
