"""Cruxe: code search and navigation for coding agents and the people who run them.

import cruxe
repo = cruxe.open("path/to/repository")
repo.sync()
repo.get_file_outline("src/app.py")
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cruxe.engine.repository import Repository

__version__ = "0.1.0"
__all__ = ["open"]


def open(directory: str = ".", config_path: str | None = None) -> "Repository":  # noqa: A001
    """Open the repository around a directory; nothing is read from its index yet."""
    from cruxe.engine.repository import open_repository

    return open_repository(directory, config_path)
