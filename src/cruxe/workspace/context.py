"""The context of every operation: workspace, settings, location of the index, target ref.

The workspace of a directory and its HEAD are found by reading git's files directly. Starting git
costs more than all of this together, so git is run only if its files have an unusual form.
`core.worktree` is not followed: the root is the folder that holds `.git`.
"""

import os
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import InvalidInputError, Remedy, WorkspaceNotAllowedError
from cruxe.model.identity import DatabaseOptions, StoreLocation, digest_of
from cruxe.model.source import DiscoveryRules, Head, ObjectFormat, Workspace
from cruxe.model.stored import SHORT_COMMIT, RefState
from cruxe.safety.redaction import redaction_key
from cruxe.text.paths import storable

if TYPE_CHECKING:
    from cruxe.config import LoadedSettings, Settings
    from cruxe.config.provenance import Notice

# Of a file of git's: packed refs of some hundred thousand branches.
_MOST_BYTES: Final = 64_000_000

# Parts the digest of the redaction rules from that of the other settings.
_PART: Final = "-"


class RepositoryContext(NamedTuple):
    """One workspace with its settings and the location of its index."""

    workspace: Workspace
    loaded: "LoadedSettings"
    location: StoreLocation  # of its index
    config_path: str | None = None  # as given by the caller

    @property
    def name(self) -> str:
        """Return the repository's name: that of its root folder."""
        return os.path.basename(self.workspace.root)

    @property
    def settings(self) -> "Settings":
        """Return the effective settings."""
        return self.loaded.settings

    def target_of(self, ref: str | None) -> "Target":
        """Return what a ref means; without one `search.default_ref`, else the working tree."""
        return resolve_target(self.workspace, ref) if ref is not None else self._default_target

    @property
    def default_ref(self) -> str | None:
        """Return the ref of questions that name none; None for the working tree."""
        wanted = self.settings.search.default_ref
        return wanted if wanted and _target_if_any(self.workspace, wanted) else None

    @property
    def _default_target(self) -> "Target":
        wanted = self.settings.search.default_ref
        found = _target_if_any(self.workspace, wanted) if wanted else None
        return found or resolve_target(self.workspace, None)

    @property
    def notices(self) -> "tuple[Notice, ...]":
        """Return what is wrong with the settings, of the repository as it is now."""
        wanted = self.settings.search.default_ref
        if not wanted or self.default_ref is not None:
            return self.loaded.notices
        why, used = "there is no such ref", "the working tree"
        notice = self.loaded.notice("search.default_ref", wanted, why=why, used=used)
        return (*self.loaded.notices, notice)

    @property
    def rules(self) -> DiscoveryRules:
        """Return the settings that discovery needs."""
        return DiscoveryRules(
            max_file_bytes=self.settings.index.max_file_size,
            allowed_secrets=self.settings.security.allow_secret_files,
            include_generated=self.settings.index.include_generated,
        )

    @property
    def settings_digest(self) -> str:
        """Return a digest of the settings that decide what a ref's map holds."""
        secrets = sorted(self.settings.security.allow_secret_files)
        held = _digest(self.extraction_digest, self.settings.index.max_file_size, secrets)
        return f"{held}{_PART}{self._redaction_digest}"

    def is_redacted_alike(self, settings_digest: str) -> bool:
        """Return whether a map was made under the redaction rules that hold now."""
        return settings_digest.rpartition(_PART)[2] == self._redaction_digest

    @property
    def _redaction_digest(self) -> str:
        return _digest(redaction_key(self.settings.security))

    @property
    def extraction_digest(self) -> str:
        """Return a digest of the settings that change what is extracted from the same bytes."""
        index, redacted = self.settings.index, redaction_key(self.settings.security)
        return _digest(index.max_nodes, index.include_generated, sorted(index.languages), redacted)


def _digest(*values: object) -> str:
    return digest_of(repr(values).encode(), 8).hex()


def open_context(directory: str, config_path: str | None = None) -> RepositoryContext:
    """Find the workspace around a directory and load its settings."""
    return _context(find_workspace(directory), config_path)


def context_at(workspace: Workspace, known: RepositoryContext) -> RepositoryContext:
    """Return the context of another worktree, whose own settings may differ."""
    if workspace == known.workspace:
        return known
    return _context(workspace, known.config_path)


def _context(workspace: Workspace, config_path: str | None) -> RepositoryContext:
    from cruxe.config import load_settings

    loaded = load_settings(workspace.root, config_path, os.environ, os.path.expanduser("~"))
    storage = loaded.settings.storage
    database = DatabaseOptions(storage.busy_timeout_ms, storage.cache_size)
    location = StoreLocation(storage.data_dir, workspace.repository_id, database)
    return RepositoryContext(
        workspace=workspace, loaded=loaded, location=location, config_path=config_path
    )


LIVE: Final = "live"
_WORKTREE: Final = "worktree:"


class Target(NamedTuple):
    """A ref to index or to answer from."""

    ref: RefState
    shown: str  # the value of `metadata.ref`
    is_worktree: bool


def resolve_target(workspace: Workspace, name: str | None) -> Target:
    """Return the working tree for None or the name of its branch, else the commit of the name."""
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


def stored_path(root: str, path: str) -> str:
    """Return a path as the index stores it: relative to the root, with forward slashes."""
    if os.path.isabs(path):
        real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        path = os.path.relpath(real, root)
    return storable(os.path.normpath(path).replace(os.sep, "/"))


def _target_if_any(workspace: Workspace, name: str) -> Target | None:
    try:
        return resolve_target(workspace, name)
    except InvalidInputError:
        return None


def commit_target(workspace: Workspace, name: str) -> Target:
    """Return a ref or commit as committed, even if it is the branch checked out."""
    from cruxe.workspace.ref_names import resolve_ref

    resolved = resolve_ref(workspace, name)
    # Only a full ref names the same commit in every worktree; `HEAD` is stored as its commit.
    is_ref = resolved.full_name.startswith("refs/")
    name_kept = resolved.full_name if is_ref else resolved.commit
    ref = RefState(name=name_kept, root=None, branch=None, commit_id=resolved.commit)
    return Target(ref, resolved.short_name, is_worktree=False)


def worktree_ref_name(root: str) -> str:
    """Return the name under which a working tree's map is stored."""
    return f"{_WORKTREE}{root}"


def _worktree(workspace: Workspace, branch: str | None, commit: str | None) -> Target:
    shown = LIVE
    if workspace.git_dir is not None:
        shown = branch or (commit or "")[:SHORT_COMMIT] or "HEAD"
    ref = RefState(
        name=worktree_ref_name(workspace.root), root=workspace.root, branch=branch, commit_id=commit
    )
    return Target(ref, shown, is_worktree=True)


_HEX_DIGITS: Final = frozenset("0123456789abcdef")
_COMMIT_ID_LENGTHS: Final = (40, 64)  # of SHA-1 and SHA-256
_BRANCH_PREFIX: Final = "refs/heads/"
_ENDS_OF_VALUE: Final = '"#;'


class _GitDirs(NamedTuple):
    git_dir: str
    common_dir: str


def _nearest_folder(path: str) -> str:
    """Return the end of a message that suggests a folder with a similar name."""
    from difflib import get_close_matches

    parent, name = os.path.split(path)
    try:
        names = [each.name for each in os.scandir(parent) if each.is_dir()]
    except OSError:
        return ""
    nearest = get_close_matches(name, sorted(names), 1)
    return f"; did you mean {os.path.join(parent, nearest[0])}?" if nearest else ""


def find_workspace(directory: str) -> Workspace:
    """Return the git working tree around a directory, or the directory itself as a workspace."""
    start = os.path.realpath(directory)
    if not os.path.isdir(start):
        what = "is not a directory" if os.path.exists(start) else "does not exist"
        raise InvalidInputError(
            f"{directory} {what}{_nearest_folder(start)}",
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
        remedy=Remedy(
            "give a project folder below it as workspace",
            "go to a project folder below it, or name one with -C",
        ),
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
    """Read a file of git's; raise for what may never end, which git would wait for too."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ""
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            from cruxe.workspace.git import endless_file

            raise endless_file(path)
        return file.read(_MOST_BYTES).decode("utf-8", "surrogateescape")
