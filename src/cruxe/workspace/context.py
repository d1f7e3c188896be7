"""The context of every operation: workspace, settings, location of the index, target ref."""

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import InvalidInputError
from cruxe.model.identity import DatabaseOptions, StoreLocation, digest_of
from cruxe.model.source import DiscoveryRules, Workspace
from cruxe.model.stored import SHORT_COMMIT, RefState
from cruxe.workspace.find import find_workspace, read_head

if TYPE_CHECKING:
    from cruxe.config import LoadedSettings, Settings


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
        return _digest(self.extraction_digest, self.settings.index.max_file_size, secrets)

    @property
    def extraction_digest(self) -> str:
        """Return a digest of the settings that change what is extracted from the same bytes."""
        index = self.settings.index
        return _digest(index.max_nodes, index.include_generated, sorted(index.languages))


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
