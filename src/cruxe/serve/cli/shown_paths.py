"""Paths as the user names them: from where they stand, while the index names them from its root."""

import os
from typing import NamedTuple


class Places(NamedTuple):
    """The current folder and the workspace's root, both real paths."""

    here: str
    root: str

    def from_here(self, path: str) -> str:
        """A path of the workspace as it is named from here: one that a click or a copy opens."""
        if self.here == self.root:
            return path
        full = os.path.join(self.root, *path.split("/"))
        is_around_here = _is_in(self.here, self.root) or _is_in(self.root, self.here)
        return os.path.relpath(full, self.here) if is_around_here else full

    def to_workspace(self, path: str) -> str:
        """A path that the user gave: from here if that is in the workspace, else from its root.

        One that exists only from the root is taken so too, since answers in JSON name it so.
        """
        full = os.path.normpath(os.path.join(self.here, path))
        if full != self.root and not _is_in(os.path.realpath(os.path.dirname(full)), self.root):
            return path
        from_root = os.path.join(self.root, path)
        return path if os.path.lexists(from_root) and not os.path.lexists(full) else full


def places_around(root: str) -> Places:
    """The places, seen from the current folder."""
    try:
        return Places(os.getcwd(), root)
    except OSError:  # the current folder was removed
        return Places(os.path.sep, root)


def _is_in(path: str, folder: str) -> bool:
    return os.path.join(path, "").startswith(os.path.join(folder, ""))
