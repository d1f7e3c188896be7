"""Whether the index holds its ref as it is now: the Protocol, and the check of all files.

`FullCheck` compares the stamps of every known file and reads none. A listing fingerprint says
whether git would list the same files. If there is none, or it no longer holds, git lists them while
the stamps are compared. Only files whose stamps differ are compared further.
"""

import os
import stat
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from cruxe.freshness.listing_fingerprint import (
    ListingFingerprint,
    begin_folder_look,
    has_same_listing,
    read_fingerprint,
    write_fingerprint,
)
from cruxe.model.errors import ErrorValue, IndexStaleError
from cruxe.model.levels import (
    NOTHING_LACKING,
    FreshnessBasis,
    FreshnessPolicy,
    Lacking,
    lacking_paths,
)
from cruxe.model.source import (
    CRUXE_IGNORE,
    NO_SIZE,
    SYMLINK_SIZE,
    FileTask,
    SkipReason,
    Workspace,
)
from cruxe.model.stored import PackedStamps, RefFile, RefRow
from cruxe.workspace.context import RepositoryContext, Target
from cruxe.workspace.read import TreeDifferences, begin_look, is_racy, name_differences

if TYPE_CHECKING:
    from cruxe.freshness.change_journal import ChangeJournal
    from cruxe.freshness.changes import ChangeSet, ReadRows
    from cruxe.native import StampLook
    from cruxe.store.api import Snapshot
    from cruxe.workspace.git import GitTask
    from cruxe.workspace.walk import FolderListing

# A look older than this is not handed on: a sync that waited for another writer looks again.
_LOOK_VALID_SECONDS: Final = 2.0


class Verdict(NamedTuple):
    """What a check has found."""

    is_fresh: bool = False
    basis: FreshnessBasis | None = None  # what it rests on; None if the check knows only one way
    lacking: Lacking = NOTHING_LACKING
    is_underway: bool = False  # what it lacks is being indexed, by this process or another

    @property
    def is_change_known(self) -> bool:
        """Whether it is stale because something changed, not because files were not compared."""
        return not self.is_fresh and not self.lacking.unchecked


class FreshnessCheck(Protocol):
    """Says for one call whether the index holds its ref as it is now."""

    @property
    def target(self) -> Target:
        """The ref that is checked."""
        ...

    @property
    def verdict(self) -> Verdict:
        """The last verdict; before the first one the ref counts as stale."""
        ...

    def is_fresh(self, snapshot: "Snapshot", policy: FreshnessPolicy | None = None) -> bool:
        """Return whether the published content is the present one.

        `policy` is that of the call, by default that of the settings. It decides how much is
        looked at. What happens if the index is stale is decided by the caller.
        """
        ...

    def find_changes(self, before: dict[str, RefFile], generation: int) -> "ChangeSet":
        """Return what differs between the working tree and its map in a generation."""
        ...


def require_fresh(
    check: FreshnessCheck, snapshot: "Snapshot", policy: FreshnessPolicy | None = None
) -> bool:
    """Return whether the index is fresh; under `strict` a stale one raises `IndexStaleError`.

    Files are compared under every policy, so that no answer is called fresh unchecked.
    """
    is_fresh = check.is_fresh(snapshot, policy)
    if not is_fresh and policy is FreshnessPolicy.STRICT:
        data = _known_commits(check.target, snapshot)
        raise IndexStaleError("the index is behind the working tree", data=data)
    return is_fresh


def _known_commits(target: Target, snapshot: "Snapshot") -> dict[str, ErrorValue]:
    """The indexed commit and the current one, without those that do not exist."""
    row = snapshot.find_ref(target.ref.name)
    known = {
        "last_indexed_commit": None if row is None else row.commit_id,
        "current_head": target.ref.commit_id,
    }
    return {name: commit for name, commit in known.items() if commit is not None}


def comparable_ref(
    context: RepositoryContext, target: Target, snapshot: "Snapshot"
) -> RefRow | None:
    """Return the ref as published, if it is of the same commit and settings."""
    row = _listed_ref(context, target, snapshot)
    return row if row is not None and is_same_head(row, target) else None


def is_same_head(row: RefRow, target: Target) -> bool:
    """Return whether a published ref is of the commit and branch that it has now."""
    return (row.branch, row.commit_id) == (target.ref.branch, target.ref.commit_id)


def _listed_ref(context: RepositoryContext, target: Target, snapshot: "Snapshot") -> RefRow | None:
    """The ref as published, if it was listed under the same settings."""
    row = snapshot.find_ref(target.ref.name)
    return row if row is not None and row.settings == context.settings_digest else None


class FullCheck:
    """Compares every known file with its stamps; a sync that follows can use what it found."""

    def __init__(
        self, context: RepositoryContext, target: Target, journal: "ChangeJournal | None" = None
    ) -> None:
        """Prepare a check of a ref; no file is looked at yet.

        With the journal of an earlier sync of this process only touched files may be looked at.
        """
        self.target = target
        self.verdict = Verdict()
        self._context = context
        self._journal = journal
        self._look_began = 0.0
        self._look: _Look | None = None
        self._listing: GitTask | FolderListing | None = None  # if it had to be made
        self._comparison: _Comparison | None = None
        self.same_paths = frozenset[str]()  # that only have other stamps than the map

    def begin(self, snapshot: "Snapshot") -> None:
        """Start looking at the files in another thread, while the caller goes on."""
        row = comparable_ref(self._context, self.target, snapshot)
        workspace = self._context.workspace
        if row is not None and self.target.is_worktree:
            self._look_began = time.monotonic()
            self._look = _begin_look(snapshot, row.ref_id, workspace.root)

    def is_fresh(self, snapshot: "Snapshot", policy: FreshnessPolicy | None = None) -> bool:
        """Return whether the published content is the present one, whatever the policy.

        A file whose stamps could not be trusted when it was indexed is read and compared.
        """
        del policy
        return self._judge(is_fresh=self.is_settled(snapshot) or self._has_same_content(snapshot))

    def is_fresh_at(self, snapshot: "Snapshot", touched: frozenset[str]) -> bool:
        """Return the same for a tree in which only touched paths may differ, looking at no other.

        Where these may decide about other paths, all are compared after all.
        """
        from cruxe.freshness.touched_paths import touched_differences

        row = comparable_ref(self._context, self.target, snapshot)
        if row is None:
            return self.is_fresh(snapshot)
        rows = snapshot.read_rows(row.ref_id, touched)
        self._look_began = time.monotonic()
        known = snapshot.stamps(row.ref_id)
        differences = touched_differences(self._context.workspace, known, rows, touched)
        if differences is None:
            return self.is_fresh(snapshot)
        self._comparison = _Comparison(snapshot.generation, differences)
        return self._judge(is_fresh=not differences.paths or self._has_same_content(snapshot))

    def _judge(self, *, is_fresh: bool) -> bool:
        """Keep the verdict, with the changed paths that the last look found."""
        found = self._comparison
        lacking = NOTHING_LACKING
        if not is_fresh and found is not None:
            lacking = lacking_paths(found.differences.paths - self.same_paths)
        self.verdict = Verdict(is_fresh=is_fresh, lacking=lacking)
        return is_fresh

    def is_settled(self, snapshot: "Snapshot") -> bool:
        """Return whether a sync would have nothing to write; in doubt False.

        Files are compared after a checkout too: most are the same.
        """
        row = _listed_ref(self._context, self.target, snapshot)
        has_same_head = row is not None and is_same_head(row, self.target)
        if row is None or not self.target.is_worktree:
            return has_same_head
        workspace = self._context.workspace
        look, self._look = self._look, None  # a later question needs a new look
        if look is None or look.generation != snapshot.generation:
            self._look_began = time.monotonic()
            look = _begin_look(snapshot, row.ref_id, workspace.root, self._journal)
        if _has_unlisted_ignore_file(workspace.root, look.known):
            return False
        differences = self._compare(look, snapshot.fingerprint_path(row.ref_id))
        self._comparison = _Comparison(look.generation, differences, has_moved=not has_same_head)
        return has_same_head and not differences.paths

    def _compare(self, look: "_Look", fingerprint_path: str) -> TreeDifferences:
        """Compare a tree with its known listing and stamps."""
        workspace, known = self._context.workspace, look.known
        asked = None if look.has_same_listing else _start_listing(self._context)
        self._listing = asked
        restamped, listed = look.files.places(), known.listing
        if asked is not None:
            restamped = sorted(restamped + _changed_kinds(known, workspace))
            listed = asked.finish()
        differences = name_differences(known.listing, restamped, listed)
        is_same_listing = not differences.added and not differences.removed
        if asked is not None and is_same_listing and not _have_no_stamps(known, restamped):
            _renew_fingerprint(fingerprint_path, workspace, known.listing, asked)
        return differences

    def _has_same_content(self, snapshot: "Snapshot") -> bool:
        row = _listed_ref(self._context, self.target, snapshot)
        if row is None or not self.target.is_worktree:
            return False
        ref_id, generation = row.ref_id, snapshot.generation
        changes = self.find_touched(lambda paths: snapshot.read_rows(ref_id, paths), generation)
        if changes is None:
            changes = self.find_changes(snapshot.read_map(ref_id), generation)
        self.same_paths = same_paths(self._context, changes)
        return is_same_content(changes, self.same_paths) and is_same_head(row, self.target)

    def has_looked_at(self, generation: int) -> bool:
        """Return whether it has compared a working tree with a generation."""
        return self._comparison is not None and self._comparison.generation == generation

    def serves(self, target: Target) -> bool:
        """Return whether a sync of a ref can use what this check has just found.

        It must have found changes. What changed since then is found by the next check.
        """
        found = self._comparison
        if found is None or target != self.target or not self._is_recent():
            return False
        return bool(found.differences.paths) or found.has_moved

    def find_touched(self, read_rows: "ReadRows", generation: int) -> "ChangeSet | None":
        """Return the changes of touched paths; None if the whole tree must be listed."""
        from cruxe.freshness.changes import touched_changes

        context, found = self._context, self._comparison
        if found is None or found.generation != generation or not self._is_recent():
            return None
        has_other_paths = found.differences.added or found.differences.removed
        if context.workspace.git_dir is None and has_other_paths:
            return None  # the walk alone knows the rules for new paths
        return touched_changes(context.workspace.root, context.rules, read_rows, found.differences)

    def find_changes(
        self, before: dict[str, RefFile], generation: int, *, retry_failed: bool = False
    ) -> "ChangeSet":
        """Return what differs between the working tree and its map in a generation."""
        from cruxe.freshness.changes import worktree_changes
        from cruxe.workspace.listing import list_working_tree

        def read_rows(paths: Iterable[str]) -> dict[str, RefFile]:
            return {path: before[path] for path in paths if path in before}

        touched = None if retry_failed else self.find_touched(read_rows, generation)
        if touched is not None:
            return touched.within(before)
        context = self._context
        listing = self._listing if self._is_recent() else None
        listed = list_working_tree(context.workspace, context.rules, before, listing)
        return worktree_changes(listed, before, retry_failed=retry_failed)

    def _is_recent(self) -> bool:
        return time.monotonic() - self._look_began < _LOOK_VALID_SECONDS


class _Comparison(NamedTuple):
    """What a look has found, compared with a generation of the store."""

    generation: int
    differences: TreeDifferences
    has_moved: bool = False  # another commit or branch is checked out


class _Look(NamedTuple):
    """A look at a working tree that is under way."""

    generation: int  # of the store it is compared with
    known: PackedStamps
    files: "StampLook"
    fingerprint: ListingFingerprint | None
    folders: "StampLook | None"  # with the stamps of the fingerprint

    @property
    def has_same_listing(self) -> bool:
        """Whether git is known to list the same files as before, without asking it."""
        if self.fingerprint is None or self.folders is None:
            return False
        return has_same_listing(self.fingerprint, self.folders, self.known.listing)


def _begin_look(
    snapshot: "Snapshot", ref_id: int, root: str, journal: "ChangeJournal | None" = None
) -> _Look:
    known, generation = snapshot.stamps(ref_id), snapshot.generation
    fingerprint_path = snapshot.fingerprint_path(ref_id)
    if journal is not None:
        fingerprint = read_fingerprint(fingerprint_path)
        if fingerprint is not None:
            files, folders = journal.begin(known.listing, known.numbers, fingerprint)
            return _Look(
                generation=generation,
                known=known,
                files=files,
                fingerprint=fingerprint,
                folders=folders,
            )
    # The thread looks at the files while the fingerprint is read.
    begun = begin_look(root, known.listing, known.numbers)
    fingerprint = read_fingerprint(fingerprint_path)
    return _Look(
        generation=generation,
        known=known,
        files=begun,
        fingerprint=fingerprint,
        folders=None if fingerprint is None else begin_folder_look(fingerprint, root),
    )


def _start_listing(context: RepositoryContext) -> "GitTask | FolderListing":
    if context.workspace.git_dir is None:
        from cruxe.workspace.walk import FolderListing

        return FolderListing(context.workspace.root, context.rules)
    from cruxe.workspace.git import start_listing

    return start_listing(context.workspace)


def _renew_fingerprint(
    path: str, workspace: Workspace, listing: bytes, asked: "GitTask | FolderListing"
) -> None:
    """Keep a fingerprint of a listing, so that the next check need not list again."""
    from cruxe.freshness.take_fingerprint import take_fingerprint, take_fingerprint_of_walk
    from cruxe.workspace.walk import FolderListing

    if isinstance(asked, FolderListing):
        fingerprint = take_fingerprint_of_walk(workspace.root, asked)
    else:
        earlier = read_fingerprint(path)
        fingerprint = take_fingerprint(workspace, listing, asked.started_ns, earlier)
    if fingerprint is not None:
        write_fingerprint(path, fingerprint)


def _has_unlisted_ignore_file(root: str, known: PackedStamps) -> bool:
    """Whether there is an ignore file that git does not list, so that its stamps are not known."""
    return os.path.lexists(f"{root}/{CRUXE_IGNORE}") and (
        CRUXE_IGNORE.encode() not in known.split_paths()
    )


def _changed_kinds(known: PackedStamps, workspace: Workspace) -> list[int]:
    """The indexes of paths without stamps that are gone or are another kind of file now.

    Only needed if the fingerprint does not hold: while it does, their folders are the same.
    """
    paths, root = known.split_paths(), os.fsencode(workspace.root)
    has_folders = workspace.git_dir is None  # a walk lists an ignored folder as one path
    return [
        index
        for index, size in enumerate(known.sizes())
        if size < NO_SIZE
        and _is_other_kind(root + b"/" + paths[index], size, may_be_folder=has_folders)
    ]


def _have_no_stamps(known: PackedStamps, indexes: list[int]) -> bool:
    """Whether any of these paths has no stamps: no later check would look at it."""
    return any(known.at(index).size < NO_SIZE for index in indexes)


def _is_other_kind(path: bytes, size: int, *, may_be_folder: bool) -> bool:
    """Whether a path without stamps is gone, or no longer the link or the file that it was."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return True
    if size == SYMLINK_SIZE:
        return not stat.S_ISLNK(mode)
    return not (stat.S_ISREG(mode) or (may_be_folder and stat.S_ISDIR(mode)))


def same_paths(context: RepositoryContext, changes: "ChangeSet") -> frozenset[str]:
    """Return the changed files whose content is as indexed, though their stamps are not."""
    return frozenset(
        task.path
        for task in changes.tasks
        if _has_same_content(context, task, changes.before.get(task.path))
    )


def is_same_content(changes: "ChangeSet", same: frozenset[str]) -> bool:
    """Return whether nothing was removed and each changed file is among the same ones."""
    return not changes.has_removals and len(same) == len(changes.tasks)


def _has_same_content(context: RepositoryContext, task: FileTask, known: RefFile | None) -> bool:
    from cruxe.model.identity import version_key_of
    from cruxe.workspace.objects import blob_id_of
    from cruxe.workspace.read import read_file

    if known is None or known.stat is None or not is_racy(known.stat):
        return False
    found = read_file(context.workspace.root, task.path, context.rules.max_file_bytes)
    if isinstance(found, SkipReason):
        return False
    blob_id = blob_id_of(found.data, context.workspace.object_format)
    key = version_key_of(task.path, blob_id, context.extraction_digest)
    return key == known.version_key
