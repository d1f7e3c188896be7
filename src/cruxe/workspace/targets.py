"""Which set of files a request is about: the caller's working tree, or a commit."""

from typing import Final, NamedTuple

from cruxe.model.errors import InvalidInputError
from cruxe.model.refs import SHORT_COMMIT, RefState
from cruxe.model.source import Workspace
from cruxe.workspace.find import read_head

LIVE: Final = "live"
_WORKTREE: Final = "worktree:"


class Target(NamedTuple):
    """A ref to index or to answer from."""

    ref: RefState
    shown: str  # what `metadata.ref` says
    is_worktree: bool


def resolve_target(workspace: Workspace, name: str | None) -> Target:
    """No name, or that of the branch checked out here, is the working tree; others are commits."""
    if workspace.git_dir is None:
        if name not in (None, LIVE):
            raise InvalidInputError(
                f"{workspace.root} is not a git repository, so it has no ref {name!r}",
                remedy=f"leave the ref out, or use {LIVE!r}",
                data={"ref": name},
            )
        return _worktree(workspace, branch=None, commit=None)
    head = read_head(workspace)
    if name is None or name == head.branch:
        return _worktree(workspace, head.branch, head.commit)
    return commit_target(workspace, name)


def commit_target(workspace: Workspace, name: str) -> Target:
    """A ref or commit as committed, even if it is the branch checked out."""
    from cruxe.workspace.ref_names import resolve_ref

    resolved = resolve_ref(workspace, name)
    # Only a ref means the same commit to every worktree; `HEAD` and the like are kept as commits.
    is_ref = resolved.full_name.startswith("refs/")
    name_kept = resolved.full_name if is_ref else resolved.commit
    ref = RefState(name_kept, None, None, resolved.commit)
    return Target(ref, resolved.short_name, is_worktree=False)


def worktree_ref_name(root: str) -> str:
    """The name under which a working tree's map is kept."""
    return f"{_WORKTREE}{root}"


def _worktree(workspace: Workspace, branch: str | None, commit: str | None) -> Target:
    shown = LIVE
    if workspace.git_dir is not None:
        shown = branch or (commit or "")[:SHORT_COMMIT] or "HEAD"
    ref = RefState(worktree_ref_name(workspace.root), workspace.root, branch, commit)
    return Target(ref, shown, is_worktree=True)
