"""Whether an index holds its ref as it is now.

The usual answer is yes, and it is given from stamps alone: every file is looked at, none is read,
and git lists the working tree meanwhile. Only where a stamp differs is the tree compared in full.
"""

import os
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.discover.git import GitTask, start_listing
from cruxe.engine.context import RepositoryContext
from cruxe.engine.targets import Target
from cruxe.index.ref_rows import RefFile, RefRow
from cruxe.index.snapshot import Snapshot, StampRow
from cruxe.model.source import SkipReason

if TYPE_CHECKING:
    from cruxe.engine.changes import ChangeSet
    from cruxe.engine.processing import FileTask

# What a listing leaves out without looking at stamps; such a path only has to be there still.
_WITHOUT_STAMPS: Final = frozenset({SkipReason.SYMLINK})


class FreshnessCheck:
    """A check under way: git is listing while the caller asks its question."""

    def __init__(
        self, context: RepositoryContext, target: Target, listing: "GitTask | None" = None
    ) -> None:
        """Start git for a working tree, unless it is listing already; a commit needs none."""
        self._context = context
        self._target = target
        self._listing = listing
        needs_listing = target.is_worktree and context.workspace.git_dir is not None
        if listing is None and needs_listing:
            self._listing = start_listing(context.workspace)

    def is_settled(self, snapshot: Snapshot) -> bool:
        """Whether a sync would have nothing to write; in doubt, no."""
        row = self._comparable(snapshot)
        if row is None:
            return False
        if not self._target.is_worktree:
            return True
        return self._listing is not None and _stamps_match(
            snapshot.stamp_rows(row.ref_id), self._context.workspace.root, self._listing
        )

    def is_fresh(self, snapshot: Snapshot) -> bool:
        """Whether the published content is the present one.

        A file whose stamps could not be trusted when it was read is read again and compared.
        """
        return self.is_settled(snapshot) or self._has_present_content(snapshot)

    def _comparable(self, snapshot: Snapshot) -> RefRow | None:
        """The ref as published, if it is of the same commit and settings."""
        row = snapshot.find_ref(self._target.ref.name)
        if row is None or row.settings != self._context.settings_digest:
            return None
        ref = self._target.ref
        is_same_head = (row.branch, row.commit_id) == (ref.branch, ref.commit_id)
        return row if is_same_head else None

    def _has_present_content(self, snapshot: Snapshot) -> bool:
        row = self._comparable(snapshot)
        if row is None:
            return False
        comparison = compare_worktree(self._context, snapshot.read_map(row.ref_id))
        return not comparison.changes.has_removals and all(
            _has_same_content(self._context, task, comparison.before.get(task.path))
            for task in comparison.changes.tasks
        )


class Comparison(NamedTuple):
    """A working tree beside its last publication."""

    before: dict[str, RefFile]
    changes: "ChangeSet"


def compare_worktree(
    context: RepositoryContext, before: dict[str, RefFile], *, retry_failed: bool = False
) -> Comparison:
    """List a working tree and find what differs from a published map."""
    from cruxe.discover.listing import list_working_tree
    from cruxe.engine.changes import worktree_changes

    listed = list_working_tree(context.workspace, context.rules, before)
    return Comparison(before, worktree_changes(listed, before, retry_failed=retry_failed))


def _stamps_match(rows: list[StampRow], root: str, listing: GitTask) -> bool:
    """Compare every published path with the file now, then the paths with git's."""
    lstat, prefix = os.lstat, f"{root}/"
    try:
        for path, skip_reason, size, mtime_ns, ctime_ns, inode in rows:
            found = lstat(prefix + path)
            if mtime_ns is None:
                if skip_reason not in _WITHOUT_STAMPS or not stat.S_ISLNK(found.st_mode):
                    return False
            elif (
                found.st_mtime_ns != mtime_ns
                or found.st_ctime_ns != ctime_ns
                or found.st_size != size
                or found.st_ino != inode
            ):
                return False
    except OSError:
        return False
    listed = set(listing.finish().split(b"\0"))
    listed.discard(b"")
    return listed == {path.encode() for path, *_ in rows}


def _has_same_content(context: RepositoryContext, task: "FileTask", known: RefFile | None) -> bool:
    from cruxe.discover.objects import blob_id_of
    from cruxe.discover.read import read_file
    from cruxe.engine.processing import is_racy
    from cruxe.model.identity import version_key_of

    if known is None or known.stat is None or not is_racy(known.stat):
        return False
    found = read_file(context.workspace.root, task.path, context.rules.max_file_bytes)
    if isinstance(found, SkipReason):
        return False
    blob_id = blob_id_of(found.data, context.workspace.object_format)
    key = version_key_of(task.path, blob_id, context.extraction_digest)
    return key == known.version_key
