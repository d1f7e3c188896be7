"""Applies planned changes: all files are planned first, then written one by one.

Each file is written atomically. If another program changed it in between, it is planned again.
Running set-up again completes a run that a crash or a full disk interrupted.
"""

import os
from collections.abc import Sequence
from typing import Final

from cruxe.model.errors import StorageError
from cruxe.setup.client_files import (
    ChangedMeanwhileError,
    delete_target,
    remove_folders,
    replace_target,
)
from cruxe.setup.file_changes import Change, Item, Kind, Status, Wish, plan_change
from cruxe.setup.receipts import ReceiptStore

_ATTEMPTS: Final = 5


def plan_all(items: Sequence[Item], wish: Wish, store: ReceiptStore) -> list[Change]:
    """Plan the changes of all files; raise for the first file that cannot be edited."""
    return [plan_change(item, wish, store) for item in items]


def carry_out(items: Sequence[Item], wish: Wish, store: ReceiptStore) -> list[Change]:
    """Plan and apply all changes; write nothing if any file cannot be edited."""
    planned = plan_all(items, wish, store)
    if not wish.uninstall:
        return [_carry_out_one(change, wish, store) for change in planned]
    # In reverse order: the receipt of the file created first lists the folders it came with.
    return [_carry_out_one(change, wish, store) for change in reversed(planned)][::-1]


def _carry_out_one(change: Change, wish: Wish, store: ReceiptStore) -> Change:
    for _ in range(_ATTEMPTS):
        try:
            _write(change, store)
        except ChangedMeanwhileError:
            change = plan_change(change.item, wish, store)
        else:
            return change
    raise StorageError(
        f"{change.item.path} is being changed by another program",
        remedy="close the client and run it again",
        data={"path": change.item.path},
    )


def _write(change: Change, store: ReceiptStore) -> None:
    path = change.target.real_path
    known = store.load(path)
    if change.receipt is not None and change.receipt != known:
        store.save(path, change.receipt)
    if change.writes:
        _write_file(change)
    if change.after is None:
        # Also if the file is gone already: an earlier uninstall may have been interrupted here.
        remove_folders([*known.folders] if known else _own_folders(change))
    if change.receipt is None:
        store.drop(path)


def _write_file(change: Change) -> None:
    if change.after is None:
        delete_target(change.target)
    else:
        replace_target(change.target, change.after.encode(), is_private=change.item.is_private)


def _own_folders(change: Change) -> list[str]:
    """Return the folders to remove if there is no receipt: that of a deleted skill."""
    is_skill = change.item.kind is Kind.SKILL and change.status is Status.DELETED
    return [os.path.dirname(change.target.real_path)] if is_skill else []
