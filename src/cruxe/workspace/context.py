"""What every operation on a repository needs: workspace, settings, location of the index."""

import os
from typing import TYPE_CHECKING, NamedTuple

from cruxe.model.identity import DatabaseOptions, StoreLocation, digest_of
from cruxe.model.source import DiscoveryRules, Workspace
from cruxe.workspace.find import find_workspace

if TYPE_CHECKING:
    from cruxe.config import LoadedSettings, Settings


class RepositoryContext(NamedTuple):
    """One workspace with its settings and the location of its index."""

    workspace: Workspace
    loaded: "LoadedSettings"
    location: StoreLocation  # of its index
    config_path: str | None = None  # as given by the caller

    @property
    def settings(self) -> "Settings":
        """The effective settings."""
        return self.loaded.settings

    @property
    def rules(self) -> DiscoveryRules:
        """What discovery needs of the settings."""
        return DiscoveryRules(
            max_file_bytes=self.settings.index.max_file_size,
            allowed_secrets=self.settings.security.allow_secret_files,
            include_generated=self.settings.index.include_generated,
        )

    @property
    def settings_digest(self) -> str:
        """A digest of the settings that decide what a ref's map holds."""
        secrets = sorted(self.settings.security.allow_secret_files)
        return _digest(self.extraction_digest, self.settings.index.max_file_size, secrets)

    @property
    def extraction_digest(self) -> str:
        """A digest of the settings that decide what the same bytes give."""
        index = self.settings.index
        return _digest(index.max_nodes, index.include_generated, sorted(index.languages))


def _digest(*values: object) -> str:
    return digest_of(repr(values).encode(), 8).hex()


def open_context(directory: str, config_path: str | None = None) -> RepositoryContext:
    """Find the workspace around a directory and load its settings."""
    return _context(find_workspace(directory), config_path)


def context_at(workspace: Workspace, known: RepositoryContext) -> RepositoryContext:
    """The context of another worktree, whose own settings may differ."""
    if workspace == known.workspace:
        return known
    return _context(workspace, known.config_path)


def _context(workspace: Workspace, config_path: str | None) -> RepositoryContext:
    from cruxe.config import load_settings

    loaded = load_settings(workspace.root, config_path, os.environ, os.path.expanduser("~"))
    storage = loaded.settings.storage
    database = DatabaseOptions(storage.busy_timeout_ms, storage.cache_size)
    location = StoreLocation(storage.data_dir, workspace.repository_id, database)
    return RepositoryContext(workspace, loaded, location, config_path)
