"""Plans the change of one file from its content and its receipt.

Nothing is written here. A piece that someone else wrote or changed is kept and reported.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.model.errors import InvalidInputError
from cruxe.setup.client_files import Target, missing_folders, read_target, refuse_read_only
from cruxe.setup.pieces import Edit, Found, Piece, UnusableTextError
from cruxe.setup.receipts import Receipt, ReceiptStore, digest_text

_FOREIGN: Final = "is not as `cruxe setup` wrote it, so it was left alone"


class Kind(StrEnum):
    """The purpose of a file."""

    SERVER = "server"
    SKILL = "skill"
    INSTRUCTIONS = "instructions"


class Status(StrEnum):
    """What happens, or would happen, to a file."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REMOVED = "removed"  # our piece was removed, the file stays
    DELETED = "deleted"  # the file, which was created for our piece
    ABSENT = "absent"  # no piece of ours was found
    SHARED = "shared"  # another client still needs it
    KEPT = "kept"  # someone else's, left unchanged


class Item(NamedTuple):
    """One file of a client and the piece for it."""

    kind: Kind
    path: str
    piece: Piece
    within: str | None  # the project folder, which symbolic links must not leave
    is_private: bool  # mode of a new file: owner only


class Wish(NamedTuple):
    """The requested operation."""

    client: str
    uninstall: bool
    force: bool  # also replace or remove what someone else wrote or changed


class Change(NamedTuple):
    """The planned change of a file; `after` is None if the file is to be deleted or absent."""

    item: Item
    target: Target
    status: Status
    after: str | None
    receipt: Receipt | None
    reason: str = ""
    remedy: str = ""

    @property
    def before(self) -> str | None:
        """The current text, or None if there is no file."""
        return None if self.target.data is None else self.target.data.decode()

    @property
    def writes(self) -> bool:
        """Whether the change writes or deletes the file."""
        return self.after != self.before


def plan_change(item: Item, wish: Wish, store: ReceiptStore) -> Change:
    """Plan the change of one file."""
    target = read_target(item.path, item.within)
    receipt = store.load(target.real_path)
    try:
        text = "" if target.data is None else target.data.decode()
        planned = _Situation(item=item, wish=wish, target=target, text=text, receipt=receipt).plan()
    except UnicodeDecodeError as error:
        raise _unusable(item, "is not UTF-8 text") from error
    except UnusableTextError as error:
        raise _unusable(item, str(error)) from error
    if planned.writes:
        refuse_read_only(target)
    return planned


class _Situation(NamedTuple):
    """The inputs of a plan."""

    item: Item
    wish: Wish
    target: Target
    text: str
    receipt: Receipt | None

    def plan(self) -> Change:
        found = self.item.piece.find(self.text)
        if self.wish.uninstall:
            return self._uninstall(found)
        return self._install(found)

    def _install(self, found: Found | None) -> Change:
        piece = self.item.piece
        if found is None:
            return self._written(piece.insert(self.text))
        if found.value == piece.value:
            return self._shared_too()
        if self._is_ours(found):
            return self._renewed(found)
        if self.wish.force:
            return self._written(piece.replace(self.text, found))
        return self._kept("--force replaces it; what is there now comes back with --uninstall")

    def _written(self, edit: Edit) -> Change:
        """Plan a first install; the current text is the one to restore later."""
        after = edit.apply(self.text)
        existed = self.target.data is not None
        receipt = Receipt(
            path=self.target.real_path,
            clients=(self.wish.client,),
            values=(self.item.piece.value,),
            existed=existed,
            made=self.item.piece.made_in(self.text),
            folders=self._new_folders(),
            edit=edit,
            after=digest_text(after),
        )
        status = Status.UPDATED if existed else Status.CREATED
        return Change(
            item=self.item, target=self.target, status=status, after=after, receipt=receipt
        )

    def _new_folders(self) -> tuple[str, ...]:
        """Return the folders created with the file, now or in an earlier interrupted install."""
        missing = missing_folders(self.target)
        if self.receipt is None or self.target.data is not None:
            return tuple(missing)
        return tuple(sorted({*missing, *self.receipt.folders}, key=len))

    def _renewed(self, found: Found) -> Change:
        """Plan to replace an older piece of ours; the receipt keeps the original text."""
        edit = self.item.piece.replace(self.text, found)
        after = edit.apply(self.text)
        known = self.receipt
        receipt = Receipt(
            path=self.target.real_path,
            clients=_with(self._clients(), self.wish.client),
            # Both, since the receipt is written first and a crash may leave the older piece.
            values=(self.item.piece.value, found.value),
            # Without a receipt, False is safe: the file is deleted only if the rest is empty.
            existed=known is not None and known.existed,
            made=0 if known is None else known.made,
            folders=() if known is None else known.folders,
            edit=self._rebased(edit, after),
            after=digest_text(after),
        )
        return Change(
            item=self.item, target=self.target, status=Status.UPDATED, after=after, receipt=receipt
        )

    def _rebased(self, renewal: Edit, after: str) -> Edit | None:
        """Return the first edit, adjusted to the new piece, or None if it is not found."""
        first = None if self.receipt is None else self.receipt.edit
        place = None if self.receipt is None else self.receipt.place_in(self.text)
        if first is None or place is None:
            return None
        growth = len(renewal.inserted) - len(renewal.removed)
        return Edit(place, first.removed, after[place : place + len(first.inserted) + growth])

    def _shared_too(self) -> Change:
        receipt = self.receipt
        if receipt is not None:
            clients = _with(receipt.clients, self.wish.client)
            receipt = _with_clients(receipt, clients)
        return self._as_it_is(Status.UNCHANGED, receipt)

    def _uninstall(self, found: Found | None) -> Change:
        if found is None:
            return self._as_it_is(Status.ABSENT, None)
        if not self._is_ours(found) and not self.wish.force:
            return self._kept("--uninstall --force takes it out all the same")
        others = tuple(name for name in self._clients() if name != self.wish.client)
        if others and self.receipt is not None:
            shared = self._as_it_is(Status.SHARED, _with_clients(self.receipt, others))
            return shared._replace(reason=f"still used by {' and '.join(others)}")
        after = self._without(found)
        if self._came_with_us(found) and self.item.piece.is_empty(after):
            return Change(
                item=self.item, target=self.target, status=Status.DELETED, after=None, receipt=None
            )
        return Change(
            item=self.item, target=self.target, status=Status.REMOVED, after=after, receipt=None
        )

    def _without(self, found: Found) -> str:
        """Return the original text if the edit can be undone, else the text without the piece."""
        piece, receipt = self.item.piece, self.receipt
        if receipt is not None and self._is_ours(found):
            before = receipt.undo(self.text)
            if before is not None and self._is_undone(before, receipt):
                return before
        return piece.remove(self.text, found, 0 if receipt is None else receipt.made)

    def _is_undone(self, before: str, receipt: Receipt) -> bool:
        """Return whether a text is valid and contains no piece of ours."""
        try:
            found = self.item.piece.find(before)
        except UnusableTextError:
            return False
        return found is None or found.value not in receipt.values

    def _came_with_us(self, found: Found) -> bool:
        """Return whether set-up created the file; without a receipt, the mark decides."""
        return found.is_marked if self.receipt is None else not self.receipt.existed

    def _is_ours(self, found: Found) -> bool:
        is_remembered = self.receipt is not None and found.value in self.receipt.values
        return found.is_marked or is_remembered

    def _clients(self) -> tuple[str, ...]:
        return () if self.receipt is None else self.receipt.clients

    def _kept(self, remedy: str) -> Change:
        return self._as_it_is(Status.KEPT, self.receipt)._replace(reason=_FOREIGN, remedy=remedy)

    def _as_it_is(self, status: Status, receipt: Receipt | None) -> Change:
        text = None if self.target.data is None else self.text
        return Change(
            item=self.item, target=self.target, status=status, after=text, receipt=receipt
        )


def _with(clients: tuple[str, ...], client: str) -> tuple[str, ...]:
    return tuple(sorted({*clients, client}))


def _with_clients(receipt: Receipt, clients: tuple[str, ...]) -> Receipt:
    from msgspec.structs import replace

    return replace(receipt, clients=clients)


def _unusable(item: Item, why: str) -> InvalidInputError:
    return InvalidInputError(
        f"{item.path} {why}",
        remedy="correct the file and run it again; it was left as it is",
        data={"path": item.path, "kind": item.kind.value},
    )
