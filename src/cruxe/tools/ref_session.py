"""One request's view of one ref: the target, one generation of the store, its freshness."""

import os
from typing import TYPE_CHECKING, NamedTuple

from cruxe.freshness.check import require_fresh
from cruxe.model.errors import IndexNotReadyError, RefNotIndexedError, Remedy
from cruxe.model.levels import NOTHING_LACKING
from cruxe.respond.metadata import Metadata
from cruxe.workspace.read import bytes_path, stamps_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cruxe.config import Settings
    from cruxe.freshness.check import FreshnessCheck, Verdict
    from cruxe.model.levels import FreshnessPolicy
    from cruxe.model.stored import RefFile, RefRow
    from cruxe.query.retrieve.opened_ref import OpenedRef
    from cruxe.store.api import Snapshot
    from cruxe.tools.texts import TextReader
    from cruxe.workspace.context import RepositoryContext, Target


def _no_sync(_: "FreshnessCheck") -> None:
    """Do not sync a stale ref: the default without a host."""


class RefSession(NamedTuple):
    """What every tool works with. A host creates one per request."""

    context: "RepositoryContext"
    target: "Target"
    opened: "OpenedRef"
    freshness: "FreshnessCheck"
    # Called after each check with its result. A host then syncs a stale ref.
    request_sync: "Callable[[FreshnessCheck], None]" = _no_sync

    @property
    def settings(self) -> "Settings":
        """The effective settings."""
        return self.context.settings

    @property
    def snapshot(self) -> "Snapshot":
        """The generation that the request reads."""
        return self.opened.snapshot

    def settled(self, verdict: "Verdict") -> "RefSession":
        """Return the session with the verdict that the call's arrival has reached."""
        from cruxe.freshness.server_check import SettledCheck

        return self._replace(freshness=SettledCheck(self.freshness, verdict))

    def is_fresh(self, policy: "FreshnessPolicy | None" = None) -> bool:
        """Return whether the index holds the ref as it is now.

        Under the policy `strict` a stale index raises `IndexStaleError`.
        """
        try:
            return require_fresh(self.freshness, self.snapshot, policy)
        finally:
            self.request_sync(self.freshness)

    def are_as_indexed(self, paths: "Iterable[str]") -> bool:
        """Return whether the stamps of all files prove that they are as indexed.

        Stamps that could not be trusted when they were taken compare unequal to all others.
        """
        if not self.target.is_worktree:
            return True
        asked = dict.fromkeys(paths)
        rows = self.snapshot.read_rows(self.opened.ref_id, asked)
        return all(path in rows and self._has_stamps(path, rows[path]) for path in asked)

    def _has_stamps(self, path: str, row: "RefFile") -> bool:
        try:
            found = os.lstat(bytes_path(self.context.workspace.root, path))
        except OSError:
            return False
        return stamps_of(found) == row.stat

    def metadata(self, *, is_fresh: bool) -> Metadata:
        """Build the metadata of an answer from this ref."""
        verdict = self.freshness.verdict
        metadata = Metadata.ready(self.target.shown, is_fresh=is_fresh, basis=verdict.basis)
        return metadata._replace(lacking=NOTHING_LACKING if is_fresh else verdict.lacking)

    def texts(self) -> "TextReader":
        """Return a reader for the files behind results; use it as a context manager."""
        from cruxe.tools.texts import TextReader

        return TextReader(self.context, self.target, self.opened)


def published_ref(snapshot: "Snapshot", target: "Target", context: "RepositoryContext") -> "RefRow":
    """Return the row of a ref; if it is not indexed, raise the error that says how to index it.

    What was indexed under other redaction rules may hold what must not be shown now.
    """
    row = snapshot.find_ref(target.ref.name)
    if row is not None and not context.is_redacted_alike(row.settings):
        row = None
    if row is None and target.is_worktree:
        raise IndexNotReadyError(
            "this working tree is not indexed", data={"schema_status": "not_indexed"}
        )
    if row is None:
        raise RefNotIndexedError(
            f"{target.shown} is not indexed",
            remedy=Remedy(
                f"call sync_repo with ref {target.shown}",
                f"run `cruxe index --ref {target.shown}`",
            ),
            data={"ref": target.shown},
        )
    return row
