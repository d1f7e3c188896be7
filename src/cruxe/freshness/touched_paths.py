"""How some paths differ from a ref's map, for a caller who knows that no other path does.

A server's watcher names the paths that were touched since a comparison, so a call after an edit
need not look at the whole tree. Where a path may decide about others, the whole tree must be
compared after all.
"""

import os
import stat
from typing import Final

from cruxe.model.source import CRUXE_IGNORE, NAMED_SIZE, SkipReason, Workspace
from cruxe.model.stored import PackedStamps, RefFile
from cruxe.workspace.folders import find_ignored
from cruxe.workspace.read import TreeDifferences, bytes_path, stamps_of

_GIT_MODULES: Final = ".gitmodules"


def touched_differences(
    workspace: Workspace, known: PackedStamps, rows: dict[str, RefFile], touched: frozenset[str]
) -> TreeDifferences | None:
    """Return how touched paths differ from their rows; None if the whole tree must be compared."""
    root = workspace.root
    if not all(map(_is_utf8, touched)) or _lists(known, _GIT_MODULES):
        return None
    has_ignore_files = _lists(known, CRUXE_IGNORE)
    if not has_ignore_files and os.path.lexists(f"{root}/{CRUXE_IGNORE}"):
        return None
    new = frozenset(path for path in touched - rows.keys() if _exists(root, path))
    if new and workspace.git_dir is None:
        return None  # the walk alone knows the rules for it
    restamped = (path for path, row in rows.items() if _differs(root, path, row))
    return TreeDifferences(
        restamped=frozenset(restamped),
        added=new - find_ignored(workspace, new) if new else new,
        removed=frozenset(),  # a known path that is gone counts as restamped
        has_ignore_files=has_ignore_files,
    )


def _lists(known: PackedStamps, name: str) -> bool:
    """Return whether a file of this name is listed anywhere."""
    ending = f"{name}\0".encode()
    return known.listing.startswith(ending) or any(
        sign + ending in known.listing for sign in (b"\0", b"/")
    )


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _exists(root: str, path: str) -> bool:
    return os.path.lexists(bytes_path(root, path))


def _differs(root: str, path: str, row: RefFile) -> bool:
    """Return whether a path is gone, another kind of file, or has other stamps."""
    try:
        found = os.lstat(bytes_path(root, path))
    except OSError:
        return True
    if row.stat is None:
        is_link = row.skip_reason is SkipReason.SYMLINK and stat.S_ISLNK(found.st_mode)
        return not is_link
    if row.stat.size == NAMED_SIZE:
        return not stat.S_ISREG(found.st_mode)
    return stamps_of(found) != row.stat
