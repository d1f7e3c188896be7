"""Finds the command that starts the server: the installed `cruxe` or this interpreter."""

import os
import sys
from typing import Final

from cruxe.model.errors import InvalidInputError
from cruxe.setup.clients import Launch

_COMMAND: Final = "cruxe"
# Agents read the text form, which costs them a third of JSON.
_SERVE: Final = ("serve-mcp", "--format", "text")
# Cache folders of runners such as `uvx`, which may be deleted at any time.
_CACHES: Final = frozenset({".cache", "cache", "caches", "archive-v0"})


def find_launch(chosen: str | None, server_args: tuple[str, ...]) -> Launch:
    """Return the launch to register: the chosen command, else the installed one, else Python."""
    command = chosen or _installed_command()
    args = (*_SERVE, *server_args)
    if command is not None:
        return Launch(_legible(command), args)
    return Launch(_legible(os.path.abspath(sys.executable)), ("-m", _COMMAND, *args))


def is_fleeting(command: str) -> bool:
    """Return whether a command is in a cache and may be gone when a client starts it."""
    return not _CACHES.isdisjoint(command.lower().replace("\\", "/").split("/"))


def _installed_command() -> str | None:
    """Return the absolute path of `cruxe`; links are not resolved, since they survive upgrades."""
    started = os.path.abspath(sys.argv[0])
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), _COMMAND)
    for path in (started, beside, f"{beside}.exe"):
        name = os.path.basename(path).lower().removesuffix(".exe")
        if name == _COMMAND and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _legible(command: str) -> str:
    try:
        command.encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            "the path of the cruxe command is not UTF-8, which no client's configuration can hold",
            remedy="name another with --command",
            data={"field": "command"},
        ) from error
    return command
