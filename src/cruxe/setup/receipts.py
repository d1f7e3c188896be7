"""What set-up remembers of each file it wrote to: enough to give it back byte for byte.

A receipt is written before its file and removed after it. Where the two do not fit, the file alone
says what is there, and the receipt only which of it is ours.
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
    clients: tuple[str, ...]  # for which it was written; the last to go takes it out
    values: tuple[str, ...]  # what the piece meant, now and before the last renewal
    existed: bool
    made: int  # levels that came with the piece
    folders: tuple[str, ...]  # that came with the file, the outermost first
    edit: Edit | None  # none where the piece can only be taken out, not undone
    after: str  # digest of the file with the edit

    def place_in(self, text: str) -> int | None:
        """Where the edit stands now: where it was made, or elsewhere if there is but one such."""
        if self.edit is None:
            return None
        if digest_text(text) == self.after:
            return self.edit.offset
        inserted = self.edit.inserted
        return text.index(inserted) if inserted and text.count(inserted) == 1 else None

    def undo(self, text: str) -> str | None:
        """The text without the edit, as far as that stands there whole."""
        place = self.place_in(text)
        if place is None or self.edit is None:
            return None
        return self.edit._replace(offset=place).undo(text)


class ReceiptStore(NamedTuple):
    """The folder that keeps receipts, one file each."""

    folder: str

    def load(self, real_path: str) -> Receipt | None:
        """The receipt of a file; one that cannot be read counts as none."""
        try:
            with open(self._place(real_path), "rb") as file:
                return msgspec.json.decode(file.read(), type=Receipt)
        except (OSError, msgspec.DecodeError):
            return None

    def save(self, real_path: str, receipt: Receipt) -> None:
        """Keep a receipt, in place of the one before."""
        place = read_target(self._place(real_path), None)
        replace_target(place, msgspec.json.encode(receipt) + b"\n", is_private=True)

    def drop(self, real_path: str) -> None:
        """Forget a file; the folders go with the last receipt, unless they hold more."""
        with suppress(OSError):
            os.unlink(self._place(real_path))
        remove_folders([os.path.dirname(self.folder), self.folder])

    def _place(self, real_path: str) -> str:
        name = digest_of(os.fsencode(real_path), _NAME_BYTES).hex()
        return os.path.join(self.folder, f"{name}.json")


def store_in(home: str) -> ReceiptStore:
    """The receipts of a user."""
    return ReceiptStore(os.path.join(home, ".cruxe", "setup"))


def digest_text(text: str) -> str:
    """A digest that tells texts apart."""
    return digest_of(text.encode(), _DIGEST_BYTES).hex()
