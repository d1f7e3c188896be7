"""Witnesses in tests: taken as if nothing had changed for a while, without waiting for it."""

import os
import tempfile
import time
from typing import Final, NamedTuple

from cruxe.freshness.listing_fingerprint import (
    STAMP_NUMBERS,
    Witness,
    begin_to_check,
    holds,
    write_witness,
)
from cruxe.freshness.take_fingerprint import take_witness
from cruxe.store.local.snapshot import open_snapshot
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.find import find_workspace
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
    witness: Witness

    def is_vouched_for(self) -> bool:
        """Whether the witness says that git would give the same listing."""
        inside = begin_to_check(self.witness, find_workspace(self.repo.root).root)
        return holds(self.witness, inside, self.listing)

    def listing_now(self) -> bytes:
        """What git does list."""
        return start_listing(find_workspace(self.repo.root)).finish()


def watch(repo: Repo) -> Watched:
    """Ask git and take a witness; whatever changes from now on gets a later stamp."""
    workspace = find_workspace(repo.root)
    listing = start_listing(workspace).finish()
    return Watched(repo, listing, settled_witness(repo))


def settled_witness(repo: Repo, earlier: Witness | None = None) -> Witness:
    """Take a witness as if git had been asked a while later."""
    workspace = find_workspace(repo.root)
    listing = start_listing(workspace).finish()
    witness = take_witness(workspace, listing, time.time_ns() + _A_WHILE_NS, earlier)
    assert witness is not None
    _wait_for_later_stamps(max(witness.stamps[2::STAMP_NUMBERS]))
    return witness


def index_and_witness(repo: Repo) -> RepositoryContext:
    """Index a tree, witnessed as if it had been left alone for a while."""
    context = context_of(repo)
    index(context)
    keep_witness(repo, context)
    return context


def keep_witness(repo: Repo, context: RepositoryContext) -> None:
    """Let the index of a working tree know what git's listing rests on."""
    with open_snapshot(layout_of(context)) as snapshot:
        (row,) = snapshot.list_refs()
        write_witness(snapshot.witness_path(row.ref_id), settled_witness(repo))


def _wait_for_later_stamps(stamp_ns: int) -> None:
    """Wait for the clock of the file system, which moves a few times in a hundredth of a second."""
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while time.monotonic() < deadline:
        with tempfile.NamedTemporaryFile() as file:
            if os.fstat(file.fileno()).st_ctime_ns > stamp_ns:
                return
    raise TimeoutError("the clock of the file system stands still")
