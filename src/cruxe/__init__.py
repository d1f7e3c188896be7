"""Cruxe: code search and navigation for coding agents and the people who run them.

import cruxe
repo = cruxe.open("path/to/repository")
repo.sync_repo()
repo.get_file_outline("src/app.py")

An expected failure is a `cruxe.EngineError` with `code`, `message` and `remedy`.
"""

from typing import TYPE_CHECKING

from cruxe.version import __version__

if TYPE_CHECKING:
    from cruxe.model.errors import EngineError
    from cruxe.repository import Repository

__all__ = ["EngineError", "__version__", "open"]


def __getattr__(name: str) -> object:
    """Give what is imported only where someone asks for it: commands start without it."""
    if name != "EngineError":
        raise AttributeError(f"module 'cruxe' has no attribute {name!r}")
    from cruxe.model.errors import EngineError

    return EngineError


def open(  # noqa: A001
    directory: str = ".", config_path: str | None = None, *, background: bool = False
) -> "Repository":
    """Open the repository around a directory; nothing is read from its index yet.

    An answer includes what was changed before the call, up to a number of files and a wait
    (`search.catch_up_files`, `search.catch_up_ms`); beyond that it is stale and says so. With
    `background` the tree is watched and brought up to date meanwhile, as in a server, until
    `close`; otherwise nothing runs beside the calls.
    """
    if background:
        from cruxe.hosting.hosted_workspace import HostedWorkspace
        from cruxe.workspace.context import open_context

        return HostedWorkspace(open_context(directory, config_path)).repository
    from cruxe.repository import open_repository

    return open_repository(directory, config_path, reads_writes=True)
