"""Whether an index holds its ref as it is now.

The usual answer is yes, and it is given from stamps alone: every file that can matter is looked at,
none is read, and a witness tells that git would list the same files. Where there is none, or it no
longer holds, git lists meanwhile. Where stamps differ, only what they are of is compared.
"""

import os
import stat
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.freshness.listing_fingerprint import (
    Witness,
    begin_to_check,
    holds,
    read_witness,
    write_witness,
)
from cruxe.model.errors import ErrorValue, IndexStaleError
from cruxe.model.levels import FreshnessBasis, FreshnessPolicy
from cruxe.model.refs import RefFile, RefRow
from cruxe.model.source import (
    CRUXE_FOLDER,
    CRUXE_IGNORE,
    NO_SIZE,
    SYMLINK_SIZE,
    FileStat,
    SkipReason,
    Workspace,
)
from cruxe.store.packed import PackedStamps
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.stamps import begin_look, is_racy
from cruxe.workspace.targets import Target

if TYPE_CHECKING:
    from cruxe.freshness.change_journal import TreeTrail
    from cruxe.freshness.changes import ChangeSet
    from cruxe.ingest.processing import FileTask
    from cruxe.native import StampLook
    from cruxe.store.api import Snapshot
    from cruxe.workspace.git import GitTask

_RECENT_SECONDS: Final = 2.0


ReadRows = Callable[[Iterable[str]], dict[str, RefFile]]  # of a map's paths


class StampComparison(NamedTuple):
    """What the stamps alone have told of a working tree."""

    generation: int  # that was compared with
    differing: frozenset[str]
    listed_anew: frozenset[str]
    unlisted: frozenset[str]
    has_ignore_files: bool


class _Look(NamedTuple):
    """A look at a working tree that has begun."""

    generation: int  # that is compared with
    known: PackedStamps
    files: "StampLook"
    witness: Witness | None
    folders: "StampLook | None"  # as the witness knows them

    @property
    def is_witnessed(self) -> bool:
        """Whether git need not be asked: it would list what it listed before."""
        if self.witness is None or self.folders is None:
            return False
        return holds(self.witness, self.folders, self.known.listing)


class FreshnessCheck:
    """One look at a ref; what it has found serves the sync that may follow."""

    basis: FreshnessBasis | None = None  # told by those that know several

    def __init__(
        self, context: RepositoryContext, target: Target, trail: "TreeTrail | None" = None
    ) -> None:
        """Take the ref, and what is known from looks before; nothing is looked at yet."""
        self._context = context
        self._target = target
        self._trail = trail
        self._listing: GitTask | None = None
        self._started = time.monotonic()
        self._stamps: StampComparison | None = None
        self._look: _Look | None = None

    def begin(self, snapshot: "Snapshot") -> None:
        """Begin to look at the files; the caller loads and reads meanwhile what it needs."""
        row = comparable_ref(self._context, self._target, snapshot)
        workspace = self._context.workspace
        if row is not None and self._target.is_worktree and workspace.git_dir is not None:
            self._look = _begin(snapshot, row.ref_id, workspace.root)

    def obey(self, policy: FreshnessPolicy) -> None:
        """Take the caller's policy; by itself a check does nothing about a stale index."""

    def is_settled(self, snapshot: "Snapshot") -> bool:
        """Whether a sync would have nothing to write; in doubt, no."""
        row = comparable_ref(self._context, self._target, snapshot)
        if row is None or not self._target.is_worktree:
            return row is not None
        workspace = self._context.workspace
        if workspace.git_dir is None:
            return False
        look, self._look = self._look, None  # what comes after this look needs another
        if look is None or look.generation != snapshot.generation:
            look = _begin(snapshot, row.ref_id, workspace.root, self._trail)
        known = look.known
        if _has_hidden_rules(workspace.root, known):
            return False
        is_witnessed = look.is_witnessed
        if not is_witnessed:
            self._listing = _start_listing(workspace)
        differing = look.files.places()
        if not is_witnessed:
            differing = sorted(differing + _other_kinds(known, workspace.root))
        listed = known.listing if self._listing is None else self._listing.finish()
        self._stamps = comparison_of(snapshot.generation, known, differing, listed)
        is_same_listing = not self._stamps.listed_anew and not self._stamps.unlisted
        if self._listing is not None and is_same_listing and not _are_of_names(known, differing):
            witness_path = snapshot.witness_path(row.ref_id)
            _renew_witness(witness_path, workspace, known.listing, self._listing.started_ns)
        return not differing and is_same_listing

    def is_fresh(self, snapshot: "Snapshot") -> bool:
        """Whether the published content is the present one.

        A file whose stamps could not be trusted when it was read is read again and compared.
        """
        if self.is_settled(snapshot):
            return True
        row = comparable_ref(self._context, self._target, snapshot)
        return row is not None and self._is_same_content(snapshot, row.ref_id)

    def _is_same_content(self, snapshot: "Snapshot", ref_id: int) -> bool:
        """Whether what other stamps were seen of is what was published all the same."""
        generation = snapshot.generation
        changes = self.find_touched(lambda paths: snapshot.read_rows(ref_id, paths), generation)
        if changes is None:
            changes = self.find_changes(snapshot.read_map(ref_id), generation)
        return not changes.has_removals and all(
            _has_same_content(self._context, task, changes.before.get(task.path))
            for task in changes.tasks
        )

    @property
    def has_looked(self) -> bool:
        """Whether it has looked at a working tree."""
        return self._stamps is not None

    def commits(self, snapshot: "Snapshot") -> dict[str, ErrorValue]:
        """The commit that was indexed and the one that is there now, as far as there are any."""
        row = snapshot.find_ref(self._target.ref.name)
        known = {
            "last_indexed_commit": None if row is None else row.commit_id,
            "current_head": self._target.ref.commit_id,
        }
        return {name: commit for name, commit in known.items() if commit is not None}

    def serves(self, target: Target) -> bool:
        """Whether it looked at a ref a moment ago and saw changes, so that nobody need look again.

        What has changed since then is found by whoever looks after the sync.
        """
        stamps = self._stamps
        if stamps is None or target != self._target or not self._is_recent():
            return False
        return bool(stamps.differing or stamps.listed_anew or stamps.unlisted)

    def find_touched(self, read_rows: ReadRows, generation: int) -> "ChangeSet | None":
        """What differs, of touched paths alone; nothing where the whole tree must be listed."""
        from cruxe.freshness.changes import touched_changes

        context, stamps = self._context, self._stamps
        if stamps is None or stamps.generation != generation or not self._is_recent():
            return None
        return touched_changes(context.workspace.root, context.rules, read_rows, stamps)

    def find_changes(
        self, before: dict[str, RefFile], generation: int, *, retry_failed: bool = False
    ) -> "ChangeSet":
        """What differs between a working tree and its map in a generation."""
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
        # Whoever waited for another writer meanwhile must look again.
        return time.monotonic() - self._started < _RECENT_SECONDS


def comparable_ref(
    context: RepositoryContext, target: Target, snapshot: "Snapshot"
) -> RefRow | None:
    """The ref as published, if it is of the same commit and settings."""
    row = snapshot.find_ref(target.ref.name)
    if row is None or row.settings != context.settings_digest:
        return None
    is_same_head = (row.branch, row.commit_id) == (target.ref.branch, target.ref.commit_id)
    return row if is_same_head else None


def require_fresh(check: FreshnessCheck, snapshot: "Snapshot", policy: FreshnessPolicy) -> bool:
    """Whether an index is fresh; under `strict` a stale one is refused.

    Looked at under any policy: an answer that nobody compared with the files is not called fresh.
    """
    check.obey(policy)
    is_fresh = check.is_fresh(snapshot)
    if not is_fresh and policy is FreshnessPolicy.STRICT:
        commits = check.commits(snapshot)
        raise IndexStaleError("the index is behind the working tree", data=commits)
    return is_fresh


def _begin(snapshot: "Snapshot", ref_id: int, root: str, trail: "TreeTrail | None" = None) -> _Look:
    known = snapshot.stamps(ref_id)
    if trail is not None:
        witness = read_witness(snapshot.witness_path(ref_id))
        if witness is not None:
            looks = trail.begin(known.listing, known.numbers, witness)
            return _Look(snapshot.generation, known, looks[0], witness, looks[1])
    files = begin_look(root, known.listing, known.numbers)
    witness = read_witness(snapshot.witness_path(ref_id))
    folders = None if witness is None else begin_to_check(witness, root)
    return _Look(snapshot.generation, known, files, witness, folders)


def _start_listing(workspace: Workspace) -> "GitTask":
    from cruxe.workspace.git import start_listing

    return start_listing(workspace)


def _renew_witness(path: str, workspace: Workspace, listing: bytes, asked_ns: int) -> None:
    """Keep what a listing rests on, so that the next check need not ask git."""
    from cruxe.freshness.take_fingerprint import take_witness

    witness = take_witness(workspace, listing, asked_ns, read_witness(path))
    if witness is not None:
        write_witness(path, witness)


def _has_hidden_rules(root: str, known: PackedStamps) -> bool:
    """Whether there is an ignore file that git does not list, so that no stamp of it is known."""
    return os.path.lexists(f"{root}/{CRUXE_IGNORE}") and (
        CRUXE_IGNORE.encode() not in known.split_paths()
    )


def _other_kinds(stamps: PackedStamps, root: str) -> list[int]:
    """The places of paths that have no stamps and are gone, or another kind of file than before.

    What its name rules out is no other file while its folder is witnessed to be the same.
    """
    paths = stamps.split_paths()
    named = [place for place, size in enumerate(stamps.sizes()) if size < NO_SIZE]
    return [place for place in named if _is_other_kind(root, paths[place], stamps.at(place))]


def _are_of_names(stamps: PackedStamps, places: list[int]) -> bool:
    """Whether any of these is not looked at while a witness holds."""
    return any(stamps.at(place).size < NO_SIZE for place in places)


def _is_other_kind(root: str, path: bytes, known: FileStat) -> bool:
    """Whether a path that has no stamps is gone, or no longer what it was: a link, or a file."""
    try:
        mode = os.lstat(os.fsencode(root) + b"/" + path).st_mode
    except OSError:
        return True
    return not (stat.S_ISLNK(mode) if known.size == SYMLINK_SIZE else stat.S_ISREG(mode))


def comparison_of(
    generation: int, known: PackedStamps, differing: list[int], listing: bytes
) -> StampComparison:
    """Put what was found in names; only what differs is taken apart."""
    has_ignore_files = f"{CRUXE_IGNORE}\0".encode() in known.listing
    listed_anew = unlisted = frozenset[str]()
    if listing != known.listing:
        before, now = _paths(known.listing), _paths(listing)
        listed_anew, unlisted = now - before, before - now
    # No further than to the last of them.
    paths = known.listing.split(b"\0", differing[-1] + 1) if differing else []
    names = frozenset(paths[place].decode() for place in differing)
    return StampComparison(generation, names, listed_anew, unlisted, has_ignore_files)


def _paths(listing: bytes) -> frozenset[str]:
    """The paths of a listing, without our own folder.

    One that is no UTF-8 comes out changed, so that it differs from all that are known.
    """
    own = f"{CRUXE_FOLDER}/"
    listed = listing.decode("utf-8", "replace").split("\0")
    return frozenset(path for path in listed if path and not path.startswith(own))


def _has_same_content(context: RepositoryContext, task: "FileTask", known: RefFile | None) -> bool:
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
