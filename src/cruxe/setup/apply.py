"""Carries out what was decided: all files are judged first, then written one by one.

A file is written whole or not at all. Where another program changed it in between, it is judged
again; running set-up again finishes what a crash or a full disk cut short.
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
    """Decide about all files; raises for the first that cannot be used."""
    return [plan_change(item, wish, store) for item in items]


def carry_out(items: Sequence[Item], wish: Wish, store: ReceiptStore) -> list[Change]:
    """Do what is asked for; nothing is written where any file cannot be used."""
    planned = plan_all(items, wish, store)
    if not wish.uninstall:
        return [_carry_out_one(change, wish, store) for change in planned]
    # Backwards: the file that came first knows best which folders came with it.
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
        # Also where the file is gone already: an uninstall may have been cut short there.
        remove_folders([*known.folders] if known else _own_folders(change))
    if change.receipt is None:
        store.drop(path)


def _write_file(change: Change) -> None:
    if change.after is None:
        delete_target(change.target)
    else:
        replace_target(change.target, change.after.encode(), is_private=change.item.is_private)


def _own_folders(change: Change) -> list[str]:
    """Without a receipt: the folder that bears the skill's name, once the skill is out of it."""
    is_skill = change.item.kind is Kind.SKILL and change.status is Status.DELETED
    return [os.path.dirname(change.target.real_path)] if is_skill else []
