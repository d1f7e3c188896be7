"""The note on a store's damage, which tells every process of it.

What is found once, by a question, `doctor` or a scrub, is written beside the store's files. So
status, questions and syncs say the same until the part is repaired or found sound again.
"""

import os
from collections.abc import Iterable
from contextlib import suppress

from cruxe.model.errors import IndexIncompatibleError
from cruxe.model.stored import REPAIRABLE, Damage, StorePart, damage_of
from cruxe.store.local.database import corrupt
from cruxe.store.local.layout import StoreLayout


class KnownDamage:
    """What is known to be damaged in a store; a disk that takes no note is no error."""

    def __init__(self, store: StoreLayout) -> None:
        """Read the note."""
        self._store = store
        self._noted = {each.part: each for each in _read(store.damage_path)}

    @property
    def repairable(self) -> frozenset[StorePart]:
        """The parts that can be made anew."""
        return REPAIRABLE.intersection(self._noted)

    def refuse(self, part: StorePart) -> None:
        """Raise if a part is known to be damaged."""
        if part in self._noted:
            raise corrupt(self._noted[part].reason, part)

    def add(self, error: IndexIncompatibleError) -> None:
        """Note the damage that an error names, if it names any and its part has no note."""
        found = damage_of(error)
        if found is not None:
            self._note({found.part: found} | self._noted)

    def replace(self, found: Iterable[Damage]) -> None:
        """Note what an examination of all parts found, and nothing else."""
        self._note({each.part: each for each in found})

    def remove(self, *parts: StorePart) -> None:
        """Forget parts that are sound again."""
        self._note({part: each for part, each in self._noted.items() if part not in parts})

    def _note(self, found: dict[StorePart, Damage]) -> None:
        if found != self._noted:
            self._noted = found
            self._write()

    def _write(self) -> None:
        path = self._store.damage_path
        draft = f"{path}.{os.getpid()}"
        lines = [f"{part}\t{' '.join(reason.split())}\n" for part, reason in self._noted.values()]
        with suppress(OSError):
            if not lines:
                os.remove(path)
                return
            with open(draft, "w", encoding="utf-8") as file:
                file.writelines(lines)
            os.replace(draft, path)


def _read(path: str) -> list[Damage]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line.rstrip("\n").partition("\t") for line in file]
    except OSError:
        return []
    known = {part.value for part in StorePart}
    return [Damage(StorePart(part), reason) for part, _, reason in lines if part in known]
