"""Resolve ref names to commits; list the branches and worktrees of a repository."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cruxe.model.errors import InvalidInputError
from cruxe.model.source import Branch, Head, ResolvedRef, Workspace, Worktree
from cruxe.model.stored import SHORT_COMMIT
from cruxe.workspace.git import GitConversation, run_git

_HEAD: Final = "HEAD"
_BRANCHES: Final = "refs/heads/"
# A branch takes precedence over a tag of the same name, unlike in git: callers mean branches.
_NAMESPACES: Final = (_BRANCHES, "refs/tags/", "refs/remotes/")
_FULL_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SUGGESTIONS: Final = 3
_COMMIT_QUERY: Final = ("cat-file", "--batch-check=%(objectname) %(objecttype)")


def resolve_ref(workspace: Workspace, name: str) -> ResolvedRef:
    """Return the commit of a branch, tag, remote branch, `HEAD~2`, or commit id."""
    return (_resolve_id if _FULL_ID.fullmatch(name) else _resolve)(workspace, name)


@lru_cache(maxsize=1 << 10)
def _resolve_id(workspace: Workspace, object_id: str) -> ResolvedRef:
    """Ask git once a process: what an id names never changes."""
    return _resolve(workspace, object_id)


def _resolve(workspace: Workspace, name: str) -> ResolvedRef:
    namespaces = _NAMESPACES if name != _HEAD else ()
    full_names = [namespace + name for namespace in namespaces]
    *of_full_names, commit = _commits_of(workspace, [*full_names, name])
    for full_name, found in zip(full_names, of_full_names, strict=True):
        if found:
            return ResolvedRef(found, full_name, name)
    if not commit:
        raise _unknown_ref(workspace, name)
    return ResolvedRef(commit, name, _short_name(name, commit))


def list_branches(workspace: Workspace) -> list[Branch]:
    """Return the local branches by name."""
    if workspace.git_dir is None:
        return []
    output = run_git(workspace, "for-each-ref", "--format=%(objectname) %(refname)", _BRANCHES)
    lines = output.decode("utf-8", "replace").splitlines()
    pairs = (line.split(" ", 1) for line in lines)
    return sorted(Branch(name.removeprefix(_BRANCHES), commit) for commit, name in pairs)


def ref_tips(workspace: Workspace) -> dict[str, str]:
    """Return the commit of every ref by its full name, such as `refs/heads/main`."""
    if workspace.git_dir is None:
        return {}
    # An annotated tag is an object of its own; the commit is behind it.
    commit = "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)"
    output = run_git(workspace, "for-each-ref", f"--format={commit} %(refname)")
    lines = output.decode("utf-8", "replace").splitlines()
    return {name: commit for commit, name in (line.split(" ", 1) for line in lines)}


def list_worktrees(workspace: Workspace) -> list[Worktree]:
    """Return the working trees of the repository, the main one first, without bare ones."""
    if workspace.git_dir is None:
        return []
    output = run_git(workspace, "worktree", "list", "--porcelain", "-z")
    return list(_parse_worktrees(output.decode("utf-8", "surrogateescape")))


def _commits_of(workspace: Workspace, names: list[str]) -> list[str]:
    """Return the commit behind each name, or an empty text, by one process."""
    # No ref contains unprintable characters, and a line break would end a request.
    if workspace.git_dir is None or not all(map(str.isprintable, names)):
        return [""] * len(names)
    requests = "".join(f"{name}^{{commit}}\n" for name in names)
    git = GitConversation(workspace, _COMMIT_QUERY)
    try:
        stream = git.ask(requests.encode("utf-8", "surrogateescape"))
        answers = [stream.readline().split() for _ in names]  # empty ones once git gave up
    finally:
        git.close()
    return [words[0].decode() if words[1:] == [b"commit"] else "" for words in answers]


def _short_name(name: str, commit: str) -> str:
    if name == _HEAD:
        return name
    for namespace in _NAMESPACES:
        if name.startswith(namespace):
            return name.removeprefix(namespace)
    return commit[:SHORT_COMMIT]


def _unknown_ref(workspace: Workspace, name: str) -> InvalidInputError:
    from difflib import get_close_matches

    branches = [branch.name for branch in list_branches(workspace)]
    nearest = tuple(get_close_matches(name, branches, n=_SUGGESTIONS)) or tuple(
        branches[:_SUGGESTIONS]
    )
    what = f"ref {name!r} does not exist in {workspace.root}"
    remedy = f"use one of: {', '.join(nearest)}" if nearest else "leave the ref out"
    return InvalidInputError(what, remedy=remedy, data={"ref": name, "nearest": nearest})


def _parse_worktrees(output: str) -> Iterator[Worktree]:
    for record in output.split("\0\0"):
        fields = {
            key: value for key, _, value in (line.partition(" ") for line in record.split("\0"))
        }
        if "worktree" in fields and "bare" not in fields:
            branch = fields.get("branch", "").removeprefix(_BRANCHES)
            commit = fields.get("HEAD", "")
            has_commit = commit.strip("0") != ""
            yield Worktree(fields["worktree"], Head(branch or None, commit if has_commit else None))
