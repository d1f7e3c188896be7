"""Explain why one path is indexed or not, for `cruxe why PATH`.

Applies the same checks as the listing to one path and reports the rule that decided.
"""

import os
from collections.abc import Iterator
from typing import Final

from cruxe.model.source import (
    CRUXE_FOLDER,
    CRUXE_IGNORE,
    DiscoveryRules,
    PathExplanation,
    PathStatus,
    SkipReason,
    Workspace,
)
from cruxe.workspace.classify import PathInspector, classify_content
from cruxe.workspace.context import workspace_at
from cruxe.workspace.git import try_git
from cruxe.workspace.ignore import (
    GIT_IGNORE,
    MAX_IGNORE_FILE_BYTES,
    IgnoreRule,
    IgnoreTree,
    parse_ignore_file,
)
from cruxe.workspace.read import read_file
from cruxe.workspace.walk import is_built_in

_DETAILS: Final = {
    SkipReason.BINARY: "it is binary",
    SkipReason.TOO_LARGE: "it is larger than index.max_file_size allows",
    SkipReason.MINIFIED: "it is minified: its lines are far longer than anyone writes",
    SkipReason.GENERATED: "it is generated, by its name or by the comment at its head",
    SkipReason.SECRET: "its name is that of a file with secrets",
    SkipReason.VANISHED: "it vanished while it was read",
    SkipReason.UNREADABLE: "it cannot be read",
    SkipReason.SYMLINK: "it is a symlink, or lies behind one; files count where they really are",
    SkipReason.NOT_REGULAR: "it is a pipe, a socket or a device",
    SkipReason.LFS_POINTER: "it is a pointer to a file in Git LFS that was not fetched",
    SkipReason.PATH_NOT_UTF8: "its path is not valid UTF-8, so it cannot be named in an answer",
    SkipReason.SUBMODULE_UNAVAILABLE: "it is a submodule that is not checked out",
    SkipReason.NESTED_REPOSITORY: "it belongs to another repository inside this one",
}


def explain(workspace: Workspace, path: str, rules: DiscoveryRules) -> PathExplanation:
    """Return why a path, absolute or relative to the workspace, is indexed or not."""
    relative = _relative_path(workspace.root, path)
    if relative is None:
        detail = f"it is not in the workspace {workspace.root}"
        return PathExplanation(
            path=path, status=PathStatus.MISSING, reason="outside", detail=detail
        )
    if not _is_utf8(relative):
        return _skipped(ascii(relative)[1:-1], SkipReason.PATH_NOT_UTF8)
    return (
        _explain_folder(workspace, relative)
        or _explain_listing(workspace, relative)
        or _explain_ignore_file(workspace, relative)
        or _explain_content(workspace, relative, rules)
        or _indexed(workspace, relative)
    )


def _relative_path(root: str, path: str) -> str | None:
    full = os.path.normpath(os.path.join(root, path))
    # The last component is not resolved: the symlink is explained, not its target.
    full = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
    if full == root:
        return "."
    if not full.startswith(root.rstrip(os.sep) + os.sep):
        return None
    return os.path.relpath(full, root).replace(os.sep, "/")


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _skipped(path: str, reason: SkipReason, rule: IgnoreRule | None = None) -> PathExplanation:
    source = None if rule is None else str(rule)
    detail = _DETAILS.get(reason) or f"{source} leaves it out"
    return PathExplanation(
        path=path, status=PathStatus.SKIPPED, reason=reason, detail=detail, rule_source=source
    )


def _explain_folder(workspace: Workspace, path: str) -> PathExplanation | None:
    full = os.path.join(workspace.root, *path.split("/"))
    if not os.path.lexists(full):
        detail = "there is no such file in the working tree"
        return PathExplanation(
            path=path, status=PathStatus.MISSING, reason="missing", detail=detail
        )
    if path.partition("/")[0] in {".git", CRUXE_FOLDER}:
        return _built_in(path)
    if not os.path.isdir(full) or os.path.islink(full):
        return None
    if _is_gitlink(workspace, path) and not os.path.lexists(os.path.join(full, ".git")):
        return _skipped(path, SkipReason.SUBMODULE_UNAVAILABLE)
    detail = "it is a folder; ask for a file in it"
    return PathExplanation(path=path, status=PathStatus.SKIPPED, reason="folder", detail=detail)


def _built_in(path: str) -> PathExplanation:
    detail = "folders of this name hold what tools made, and are left out"
    return PathExplanation(path=path, status=PathStatus.SKIPPED, reason="built_in", detail=detail)


def _explain_listing(workspace: Workspace, path: str) -> PathExplanation | None:
    if workspace.git_dir is None:
        return _explain_walk(workspace.root, path)
    owner, inner = _owning_repository(workspace, path)
    if owner is None:
        return _skipped(path, SkipReason.NESTED_REPOSITORY)
    if _is_listed(owner, inner, "--cached", "--others", "--exclude-standard"):
        return None
    rule = _git_rule(owner, inner, prefix=path.removesuffix(inner))
    detail = f"git ignores it by {rule}" if rule else "git does not list it"
    return PathExplanation(
        path=path,
        status=PathStatus.SKIPPED,
        reason="git_ignored",
        detail=detail,
        rule_source=rule or None,
    )


def _git_rule(owner: Workspace, path: str, prefix: str) -> str:
    output = try_git(owner, "check-ignore", "--verbose", "--", f"./{path}").stdout
    rule = output.decode("utf-8", "replace").partition("\t")[0]
    # The user's excludes file has an absolute path; a rule of the tree has a relative one.
    return rule if not rule or os.path.isabs(rule) else prefix + rule


def _explain_walk(root: str, path: str) -> PathExplanation | None:
    by_git = _load_ignore_files(root, path, GIT_IGNORE).deciding_rule(path)
    if by_git is not None and not by_git.is_negated:
        detail = f"{by_git} leaves it out"
        return PathExplanation(
            path=path,
            status=PathStatus.SKIPPED,
            reason="git_ignored",
            detail=detail,
            rule_source=str(by_git),
        )
    by_cruxe = _load_ignore_files(root, path, CRUXE_IGNORE)
    for folder in _folders_above(path):
        rule = by_cruxe.deciding_rule(folder, is_folder=True) if folder else None
        if is_built_in(folder, is_taken_back=rule is not None and rule.is_negated):
            return _built_in(path)
    return None


def _explain_ignore_file(workspace: Workspace, path: str) -> PathExplanation | None:
    rule = _load_ignore_files(workspace.root, path, CRUXE_IGNORE).deciding_rule(path)
    if rule is None or rule.is_negated:
        return None
    return _skipped(path, SkipReason.IGNORED, rule)


def _explain_content(
    workspace: Workspace, path: str, rules: DiscoveryRules
) -> PathExplanation | None:
    listed = PathInspector(workspace.root, rules).inspect(path)
    if listed is not None and listed.skip is not None:
        return _skipped(path, listed.skip)
    content = read_file(workspace.root, path, rules.max_file_bytes)
    if isinstance(content, SkipReason):
        return _skipped(path, content)
    include_generated = rules.include_generated
    reason = classify_content(path, content.data, include_generated=include_generated)
    return None if reason is None else _skipped(path, reason)


def _indexed(workspace: Workspace, path: str) -> PathExplanation:
    if workspace.git_dir is None:
        detail = "it is a text file that no rule leaves out"
        return PathExplanation(
            path=path, status=PathStatus.INDEXED, reason="untracked", detail=detail
        )
    owner, inner = _owning_repository(workspace, path)
    if owner is not None and _is_listed(owner, inner, "--cached"):
        return PathExplanation(
            path=path, status=PathStatus.INDEXED, reason="tracked", detail="git tracks it"
        )
    detail = "git does not track it, and does not ignore it either"
    return PathExplanation(path=path, status=PathStatus.INDEXED, reason="untracked", detail=detail)


def _owning_repository(workspace: Workspace, path: str) -> tuple[Workspace | None, str]:
    """Return the repository or submodule that lists a path, or None if it is a nested clone."""
    owner, start = workspace, ""
    for folder in reversed(list(_folders_above(path))):
        found = workspace_at(os.path.join(workspace.root, *folder.split("/"))) if folder else None
        if found is None:
            continue
        if not _is_gitlink(owner, folder.removeprefix(start)):
            return None, path
        owner, start = found, f"{folder}/"
    return owner, path.removeprefix(start)


def _is_gitlink(workspace: Workspace, path: str) -> bool:
    if workspace.git_dir is None:
        return False
    return _list_one(workspace, path, "--stage").startswith(b"160000 ")


def _is_listed(workspace: Workspace, path: str, *kinds: str) -> bool:
    return path.encode() in _list_one(workspace, path, *kinds).split(b"\0")


def _list_one(workspace: Workspace, path: str, *options: str) -> bytes:
    command = ("--literal-pathspecs", "ls-files", "-z", *options, "--", path)
    return try_git(workspace, *command).stdout


def _load_ignore_files(root: str, path: str, name: str) -> IgnoreTree:
    tree = IgnoreTree()
    for folder in _folders_above(path):
        place = f"{folder}/{name}" if folder else name
        content = read_file(root, place, MAX_IGNORE_FILE_BYTES)
        if not isinstance(content, SkipReason):
            tree.add(folder, parse_ignore_file(content.data, place))
    return tree


def _folders_above(path: str) -> Iterator[str]:
    """Yield the folders around a path, the nearest first and the root (`""`) last."""
    while path:
        path = path.rpartition("/")[0]
        yield path
