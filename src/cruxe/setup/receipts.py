"""Receipts of set-up: what is needed to restore each written file byte for byte.

A receipt is written before its file and removed after it. If they disagree, the file decides what
is there, and the receipt only decides which part is ours.
"""

import os
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from cruxe.model.identity import digest_of
from cruxe.setup.client_files import read_target, remove_folders, replace_target
from cruxe.setup.pieces import Edit

_NAME_BYTES: Final = 8
_DIGEST_BYTES: Final = 16


class Receipt(msgspec.Struct, frozen=True):
    """One file that set-up wrote to."""

    path: str
    clients: tuple[str, ...]  # that use the piece; uninstalling the last one removes it
    values: tuple[str, ...]  # of the piece, now and before the last renewal
    existed: bool
    made: int  # enclosing levels created with the piece
    folders: tuple[str, ...]  # created with the file, outermost first
    edit: Edit | None  # None if the piece can be removed but the edit not undone
    after: str  # digest of the file with the edit

    def place_in(self, text: str) -> int | None:
        """Return the edit's current offset; None if the file changed and its text is not unique."""
        if self.edit is None:
            return None
        if digest_text(text) == self.after:
            return self.edit.offset
        inserted = self.edit.inserted
        return text.index(inserted) if inserted and text.count(inserted) == 1 else None

    def undo(self, text: str) -> str | None:
        """Return the text without the edit, or None if the edit is not found intact."""
        place = self.place_in(text)
        if place is None or self.edit is None:
            return None
        return self.edit._replace(offset=place).undo(text)


class ReceiptStore(NamedTuple):
    """The folder of receipts, one file each."""

    folder: str

    def load(self, real_path: str) -> Receipt | None:
        """Return the receipt of a file, or None if there is none or it is unreadable."""
        try:
            with open(self._place(real_path), "rb") as file:
                return msgspec.json.decode(file.read(), type=Receipt)
        except (OSError, msgspec.DecodeError):
            return None

    def save(self, real_path: str, receipt: Receipt) -> None:
        """Write a receipt, replacing the previous one."""
        place = read_target(self._place(real_path), None)
        replace_target(place, msgspec.json.encode(receipt) + b"\n", is_private=True)

    def drop(self, real_path: str) -> None:
        """Delete a receipt, and the folders once they are empty."""
        with suppress(OSError):
            os.unlink(self._place(real_path))
        remove_folders([os.path.dirname(self.folder), self.folder])

    def _place(self, real_path: str) -> str:
        name = digest_of(os.fsencode(real_path), _NAME_BYTES).hex()
        return os.path.join(self.folder, f"{name}.json")


def store_in(home: str) -> ReceiptStore:
    """Return the receipt store of a user."""
    return ReceiptStore(os.path.join(home, ".cruxe", "setup"))


def digest_text(text: str) -> str:
    """Return a digest of a text as hex."""
    return digest_of(text.encode(), _DIGEST_BYTES).hex()
