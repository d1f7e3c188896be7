"""The parts of a local store that tests look at from outside."""

from cruxe.store.local.layout import RepositoryLayout, repository_layout
from cruxe.workspace.context import RepositoryContext


def layout_of(context: RepositoryContext) -> RepositoryLayout:
    """The folder of a repository's index."""
    return repository_layout(*context.location)
