"""Fingerprints in tests: taken as if nothing had changed for a while, without waiting for it."""

import os
import tempfile
import time
from typing import Final, NamedTuple

from cruxe.freshness.listing_fingerprint import (
    ListingFingerprint,
    begin_folder_look,
    has_same_listing,
    write_fingerprint,
)
from cruxe.freshness.take_fingerprint import take_fingerprint
from cruxe.model.stored import STAMP_NUMBERS
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext, find_workspace
from cruxe.workspace.git import start_listing
from tests.support.indexing import context_of, index
from tests.support.repositories import Repo
from tests.support.stores import layout_of

_A_WHILE_NS: Final = 10_000_000_000
_DEADLINE_SECONDS: Final = 30


class Watched(NamedTuple):
    """A working tree with the listing that git gave of it, and what that rests on."""

    repo: Repo
    listing: bytes
    fingerprint: ListingFingerprint

    def is_vouched_for(self) -> bool:
        """Whether the fingerprint says that git would give the same listing."""
        inside = begin_folder_look(self.fingerprint, find_workspace(self.repo.root).root)
        return has_same_listing(self.fingerprint, inside, self.listing)

    def listing_now(self) -> bytes:
        """What git does list."""
        return start_listing(find_workspace(self.repo.root)).finish()


def watch(repo: Repo) -> Watched:
    """Ask git and take a fingerprint; whatever changes from now on gets a later stamp."""
    workspace = find_workspace(repo.root)
    listing = start_listing(workspace).finish()
    return Watched(repo, listing, settled_fingerprint(repo))


def settled_fingerprint(
    repo: Repo, earlier: ListingFingerprint | None = None
) -> ListingFingerprint:
    """Take a fingerprint as if git had been asked a while later."""
    workspace = find_workspace(repo.root)
    listing = start_listing(workspace).finish()
    fingerprint = take_fingerprint(workspace, listing, time.time_ns() + _A_WHILE_NS, earlier)
    assert fingerprint is not None
    _wait_for_later_stamps(max(fingerprint.stamps[2::STAMP_NUMBERS]))
    return fingerprint


def index_and_fingerprint(repo: Repo) -> RepositoryContext:
    """Index a tree, fingerprinted as if it had been left alone for a while."""
    context = context_of(repo)
    index(context)
    keep_fingerprint(repo, context)
    return context


def keep_fingerprint(repo: Repo, context: RepositoryContext) -> None:
    """Let the index of a working tree know what git's listing rests on."""
    with open_snapshot(layout_of(context)) as snapshot:
        (row,) = snapshot.list_refs()
        write_fingerprint(snapshot.fingerprint_path(row.ref_id), settled_fingerprint(repo))


def _wait_for_later_stamps(stamp_ns: int) -> None:
    """Wait for the clock of the file system, which moves a few times in a hundredth of a second."""
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while time.monotonic() < deadline:
        with tempfile.NamedTemporaryFile() as file:
            if os.fstat(file.fileno()).st_ctime_ns > stamp_ns:
                return
    raise TimeoutError("the clock of the file system stands still")
