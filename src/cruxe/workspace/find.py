"""Find the workspace of a directory and its HEAD by reading git's files directly.

Starting git costs more than all of this together, so git is run only if its files have an unusual
form. `core.worktree` is not followed: the root is the folder that holds `.git`.
"""

import os
from typing import Final, NamedTuple

from cruxe.model.errors import InvalidInputError, WorkspaceNotAllowedError
from cruxe.model.identity import digest_of
from cruxe.model.source import Head, ObjectFormat, Workspace

_HEX_DIGITS: Final = frozenset("0123456789abcdef")
_COMMIT_ID_LENGTHS: Final = (40, 64)  # of SHA-1 and SHA-256
_BRANCH_PREFIX: Final = "refs/heads/"
_ENDS_OF_VALUE: Final = '"#;'


class _GitDirs(NamedTuple):
    git_dir: str
    common_dir: str


def find_workspace(directory: str) -> Workspace:
    """Return the git working tree around a directory, or the directory itself as a workspace."""
    start = os.path.realpath(directory)
    if not os.path.isdir(start):
        what = "is not a directory" if os.path.exists(start) else "does not exist"
        raise InvalidInputError(
            f"{directory} {what}",
            remedy="give a directory that exists",
            data={"workspace": directory},
        )
    home = os.path.realpath(os.path.expanduser("~"))
    _refuse_too_wide(start, home)
    folder = start
    # A repository at the home directory or a drive root does not claim the folders in it.
    while not _is_too_wide(folder, home):
        found = workspace_at(folder)
        if found is not None:
            return found
        folder = os.path.dirname(folder)
    return Workspace(root=start, repository_id=_repository_id(start))


def workspace_at(folder: str) -> Workspace | None:
    """Return the workspace of a folder that holds `.git`, or None for an ordinary folder."""
    marker = os.path.join(folder, ".git")
    if os.path.lexists(marker):
        dirs = _git_dirs(marker)
        if dirs is not None:
            return _git_workspace(folder, dirs)
        # A dangling `.git` file is left in the worktrees and submodules of a removed clone. The
        # repository further up does not track these files.
        if os.path.isfile(marker):
            return Workspace(root=folder, repository_id=_repository_id(folder))
    elif _is_git_dir(folder, folder):
        _refuse_bare(folder)
    return None


def read_head(workspace: Workspace) -> Head:
    """Return the branch and commit that are checked out."""
    if workspace.git_dir is None or workspace.git_common_dir is None:
        return Head(branch=None, commit=None)
    head_path = os.path.join(workspace.git_dir, "HEAD")
    text = "" if os.path.islink(head_path) else _read_text(head_path).strip()
    if _is_commit_id(text):
        return Head(branch=None, commit=text)
    name = text.removeprefix("ref: ")
    is_usual = text.startswith("ref: " + _BRANCH_PREFIX) and "/." not in name
    if not is_usual or os.path.isdir(os.path.join(workspace.git_common_dir, "reftable")):
        return _ask_git_for_head(workspace)
    commit = _read_ref(workspace.git_common_dir, name)
    if commit and not _is_commit_id(commit):
        return _ask_git_for_head(workspace)
    return Head(branch=name.removeprefix(_BRANCH_PREFIX), commit=commit or None)


def _is_commit_id(text: str) -> bool:
    return len(text) in _COMMIT_ID_LENGTHS and _HEX_DIGITS.issuperset(text)


def _refuse_too_wide(folder: str, home: str) -> None:
    if not _is_too_wide(folder, home):
        return
    what = "your home directory" if folder == home else "a whole file system"
    raise WorkspaceNotAllowedError(
        f"{folder} is {what}, which is too much to index",
        remedy="go to a project folder below it, or name one with -C",
        data={"workspace": folder},
    )


def _is_too_wide(folder: str, home: str) -> bool:
    return folder == home or os.path.dirname(folder) == folder


def _git_workspace(folder: str, dirs: _GitDirs) -> Workspace:
    settings = _read_settings(os.path.join(dirs.common_dir, "config"))
    if settings.get("core.bare", "").lower() == "true" and dirs.git_dir == dirs.common_dir:
        _refuse_bare(folder)
    is_sha256 = settings.get("extensions.objectformat", "").lower() == "sha256"
    return Workspace(
        root=folder,
        repository_id=_repository_id(dirs.common_dir),
        git_dir=dirs.git_dir,
        git_common_dir=dirs.common_dir,
        object_format=ObjectFormat.SHA256 if is_sha256 else ObjectFormat.SHA1,
    )


def _refuse_bare(folder: str) -> None:
    raise WorkspaceNotAllowedError(
        f"{folder} is a git directory without a working tree",
        remedy="go to a working tree; `git worktree add` makes one",
        data={"workspace": folder},
    )


def _git_dirs(marker: str) -> _GitDirs | None:
    git_dir = os.path.realpath(marker)
    if os.path.isfile(marker):
        text = _read_text(marker)
        if not text.startswith("gitdir:"):
            return None
        target = text.removeprefix("gitdir:").strip()
        git_dir = os.path.realpath(os.path.join(os.path.dirname(marker), target))
    common = _read_text(os.path.join(git_dir, "commondir")).strip()
    common_dir = os.path.realpath(os.path.join(git_dir, common)) if common else git_dir
    return _GitDirs(git_dir, common_dir) if _is_git_dir(git_dir, common_dir) else None


def _is_git_dir(git_dir: str, common_dir: str) -> bool:
    return (
        os.path.lexists(os.path.join(git_dir, "HEAD"))
        and os.path.isdir(os.path.join(common_dir, "objects"))
        and os.path.isdir(os.path.join(common_dir, "refs"))
    )


def _read_settings(config_path: str) -> dict[str, str]:
    settings: dict[str, str] = {}
    section = ""
    for line in _read_text(config_path).splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            section = stripped.strip("[]").strip().lower()
        else:
            name, _, value = stripped.partition("=")
            settings[f"{section}.{name.strip().lower()}"] = _plain_value(value)
    return settings


def _plain_value(written: str) -> str:
    """Return a value without quotes and trailing comment; the keys we read need no escapes."""
    value = written.strip().removeprefix('"')
    for end in _ENDS_OF_VALUE:
        value = value.partition(end)[0]
    return value.strip()


def _repository_id(real_path: str) -> str:
    return digest_of(os.fsencode(real_path), 16).hex()


def _read_ref(common_dir: str, name: str) -> str:
    loose = _read_text(os.path.join(common_dir, *name.split("/"))).strip()
    if loose:
        return loose
    packed = "\n" + _read_text(os.path.join(common_dir, "packed-refs"))
    end = packed.find(f" {name}\n")
    return packed[packed.rfind("\n", 0, end) + 1 : end] if end >= 0 else ""


def _ask_git_for_head(workspace: Workspace) -> Head:
    from cruxe.workspace.git import try_git

    name = try_git(workspace, "symbolic-ref", "--quiet", "HEAD").stdout.decode().strip()
    commit = try_git(workspace, "rev-parse", "--verify", "--quiet", "HEAD").stdout.decode().strip()
    is_branch = name.startswith(_BRANCH_PREFIX)
    return Head(
        branch=name.removeprefix(_BRANCH_PREFIX) if is_branch else None, commit=commit or None
    )


def _read_text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except OSError:
        return ""
