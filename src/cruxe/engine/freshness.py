"""Whether an index holds its ref as it is now.

The usual answer is yes, and it is given from stamps alone: every file is looked at, none is read,
and a witness tells that git would list the same files. Where there is none, or it no longer
holds, git lists meanwhile. Only where a stamp differs is the tree compared in full.
"""

import os
import stat
import time
from contextlib import suppress
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING, Final

from cruxe.discover.read import stamps_of
from cruxe.discover.stamps import is_racy, stamps_of_paths
from cruxe.discover.witness import holds, read_witness, write_witness
from cruxe.engine.context import RepositoryContext
from cruxe.engine.targets import Target
from cruxe.index.packed import SYMLINK_SIZE, PackedStamps
from cruxe.index.ref_rows import RefFile, RefRow
from cruxe.index.snapshot import Snapshot
from cruxe.model.errors import IndexStaleError
from cruxe.model.levels import FreshnessBasis, FreshnessPolicy
from cruxe.model.named import NamedTuple
from cruxe.model.source import CRUXE_FOLDER, CRUXE_IGNORE, FileStat, SkipReason, Workspace

if TYPE_CHECKING:
    from cruxe.discover.git import GitTask
    from cruxe.engine.changes import ChangeSet
    from cruxe.engine.processing import FileTask

_INODE_BITS: Final = (1 << 64) - 1
_RECENT_SECONDS: Final = 2.0


class StampComparison(NamedTuple):
    """What the stamps alone have told of a working tree."""

    generation: int  # that was compared with
    differing: list[str]
    listed: list[str]  # by git, in order


class FreshnessCheck:
    """One look at a ref; what it has found serves the sync that may follow."""

    basis: FreshnessBasis | None = None  # told by those that know several

    def __init__(self, context: RepositoryContext, target: Target) -> None:
        """Take the ref; nothing is looked at yet."""
        self._context = context
        self._target = target
        self._listing: GitTask | None = None
        self._started = time.monotonic()
        self._stamps: StampComparison | None = None

    def obey(self, policy: FreshnessPolicy) -> None:
        """Take the caller's policy; by itself a check does nothing about a stale index."""

    def is_settled(self, snapshot: Snapshot) -> bool:
        """Whether a sync would have nothing to write; in doubt, no."""
        row = comparable_ref(self._context, self._target, snapshot)
        if row is None or not self._target.is_worktree:
            return row is not None
        workspace, known = self._context.workspace, snapshot.stamps(row.ref_id)
        if workspace.git_dir is None or _has_hidden_rules(workspace.root, known.paths):
            return False
        witness_path = snapshot.witness_path(row.ref_id)
        if not _is_witnessed(witness_path, workspace.root, known.listing):
            self._listing = _start_listing(workspace)
        differing = differing_paths(known, workspace.root)
        listed = known.paths
        if self._listing is not None:
            listed = listed_paths(self._listing.finish(), known)
            if listed == known.paths:
                _renew_witness(witness_path, workspace, known.listing, self._listing.started_ns)
        self._stamps = StampComparison(snapshot.generation, differing, listed)
        return not differing and listed == known.paths

    def is_fresh(self, snapshot: Snapshot) -> bool:
        """Whether the published content is the present one.

        A file whose stamps could not be trusted when it was read is read again and compared.
        """
        if self.is_settled(snapshot):
            return True
        row = comparable_ref(self._context, self._target, snapshot)
        if row is None:
            return False
        before = snapshot.read_map(row.ref_id)
        changes = self.find_changes(before, snapshot.generation)
        return not changes.has_removals and all(
            _has_same_content(self._context, task, before.get(task.path)) for task in changes.tasks
        )

    def find_changes(
        self, before: dict[str, RefFile], generation: int, *, retry_failed: bool = False
    ) -> "ChangeSet":
        """What differs between a working tree and its map in a generation."""
        from cruxe.discover.listing import list_working_tree
        from cruxe.engine.changes import touched_changes, worktree_changes

        context, stamps = self._context, self._stamps
        # Whoever waited for another writer meanwhile must look again.
        is_recent = time.monotonic() - self._started < _RECENT_SECONDS
        if is_recent and stamps and stamps.generation == generation and not retry_failed:
            touched = touched_changes(context.workspace.root, context.rules, before, stamps)
            if touched is not None:
                return touched
        listing = self._listing if is_recent else None
        listed = list_working_tree(context.workspace, context.rules, before, listing)
        return worktree_changes(listed, before, retry_failed=retry_failed)


def comparable_ref(context: RepositoryContext, target: Target, snapshot: Snapshot) -> RefRow | None:
    """The ref as published, if it is of the same commit and settings."""
    row = snapshot.find_ref(target.ref.name)
    if row is None or row.settings != context.settings_digest:
        return None
    is_same_head = (row.branch, row.commit_id) == (target.ref.branch, target.ref.commit_id)
    return row if is_same_head else None


def require_fresh(check: FreshnessCheck, snapshot: Snapshot, policy: FreshnessPolicy) -> bool:
    """Whether an index is fresh; under `strict` a stale one is refused.

    Looked at under any policy: an answer that nobody compared with the files is not called fresh.
    """
    check.obey(policy)
    is_fresh = check.is_fresh(snapshot)
    if not is_fresh and policy is FreshnessPolicy.STRICT:
        raise IndexStaleError("the index is behind the working tree")
    return is_fresh


def _is_witnessed(path: str, root: str, listing: bytes) -> bool:
    """Whether git need not be asked: it would list what it listed before."""
    witness = read_witness(path)
    return witness is not None and holds(witness, root, listing)


def _start_listing(workspace: Workspace) -> "GitTask":
    from cruxe.discover.git import start_listing

    return start_listing(workspace)


def _renew_witness(path: str, workspace: Workspace, listing: bytes, asked_ns: int) -> None:
    """Keep what a listing rests on, so that the next check need not ask git."""
    from cruxe.discover.witnessing import take_witness

    witness = take_witness(workspace, listing, asked_ns, read_witness(path))
    if witness is not None:
        write_witness(path, witness)


def _has_hidden_rules(root: str, known_paths: list[str]) -> bool:
    """Whether there is an ignore file that git does not list, so that no stamp of it is known."""
    return os.path.lexists(f"{root}/{CRUXE_IGNORE}") and CRUXE_IGNORE not in known_paths


def differing_paths(stamps: PackedStamps, root: str) -> list[str]:
    """The published paths whose files are gone or have other stamps now."""
    known = stamps[2:]
    paths = [*map((os.fsencode(root) + b"/").__add__, stamps.listing.split(b"\0")[:-1])]
    places = [*range(len(paths))]
    with suppress(OSError):  # where one is gone, each is looked at by itself
        places = [*compress(places, map(ne, stamps_of_paths(paths), zip(*known, strict=True)))]
    return [
        stamps.paths[place]
        for place in places
        if _differs(paths[place], FileStat(*(column[place] for column in known)))
    ]


def _differs(path: bytes, known: FileStat) -> bool:
    try:
        found = os.lstat(path)
    except OSError:
        return True
    if known.size == SYMLINK_SIZE and stat.S_ISLNK(found.st_mode):
        return False
    now = stamps_of(found)
    return now[:3] != known[:3] or (now.inode ^ known.inode) & _INODE_BITS != 0


def listed_paths(output: bytes, known: PackedStamps) -> list[str]:
    """The paths of git's listing, in order, without our own folder.

    One that is no UTF-8 comes out changed, so that it differs from all that are known.
    """
    if output == known.listing:
        return known.paths  # the usual case, without taking the listing apart
    listed = output.decode("utf-8", "replace").split("\0")
    own = f"{CRUXE_FOLDER}/"
    return [path for path in sorted(set(listed)) if path and not path.startswith(own)]


def _has_same_content(context: RepositoryContext, task: "FileTask", known: RefFile | None) -> bool:
    from cruxe.discover.objects import blob_id_of
    from cruxe.discover.read import read_file
    from cruxe.model.identity import version_key_of

    if known is None or known.stat is None or not is_racy(known.stat):
        return False
    found = read_file(context.workspace.root, task.path, context.rules.max_file_bytes)
    if isinstance(found, SkipReason):
        return False
    blob_id = blob_id_of(found.data, context.workspace.object_format)
    key = version_key_of(task.path, blob_id, context.extraction_digest)
    return key == known.version_key
