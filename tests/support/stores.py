"""The parts of a local store that tests look at from outside."""

from typing import Final

from cruxe.config.settings import StorageSettings
from cruxe.model.identity import DatabaseOptions
from cruxe.store.local.layout import RepositoryLayout, repository_layout
from cruxe.workspace.context import RepositoryContext

_STORAGE: Final = StorageSettings()
DATABASE: Final = DatabaseOptions(_STORAGE.busy_timeout_ms, _STORAGE.cache_size)


def layout_of(context: RepositoryContext) -> RepositoryLayout:
    """The folder of a repository's index."""
    return repository_layout(context.location)
