"""All commands by name. Importing this imports none of them."""

from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import InvalidInputError

if TYPE_CHECKING:
    from cruxe.serve.cli.command import AnyCommand


class CatalogueEntry(NamedTuple):
    """Where a command is and what it does."""

    module: str
    summary: str


CATALOGUE: Final = {
    "search": CatalogueEntry("search", "find the code that answers a question"),
    "locate": CatalogueEntry("locate", "find where a symbol is defined"),
    "text": CatalogueEntry("text", "find every line that holds a text or matches a pattern"),
    "show": CatalogueEntry("show", "show the source of a symbol, or of lines of a file"),
    "explain": CatalogueEntry("explain", "tell where a line ranks for a query, and what beat it"),
    "outline": CatalogueEntry("outline", "show the symbols of a file, nested"),
    "index": CatalogueEntry("index", "read the working tree, or another ref, into the index"),
    "sync": CatalogueEntry("sync", "bring the index up to date with what has changed"),
    "status": CatalogueEntry("status", "tell what is indexed and how fresh it is"),
    "why": CatalogueEntry("why", "tell why a file is in the index or not"),
    "doctor": CatalogueEntry("doctor", "check the installation, the index and the settings"),
    "gc": CatalogueEntry("gc", "drop what no branch, tag or working tree holds any more"),
    "config": CatalogueEntry("config", "show every setting and where its value came from"),
    "serve-mcp": CatalogueEntry("serve_mcp", "answer an agent over standard input and output"),
    "setup": CatalogueEntry("setup", "register Cruxe with a coding client, or take that back"),
    "serve": CatalogueEntry("serve", "answer agents over HTTP"),
    "init": CatalogueEntry("init", "check that a folder can be indexed and make room for it"),
}
_ALIASES: Final = {"prune-overlays": "gc"}


def canonical_name(name: str) -> str:
    """The name of a command as the catalogue has it; raises for one that does not exist."""
    known = _ALIASES.get(name, name)
    if known not in CATALOGUE:
        raise _unknown(name)
    return known


def load_command(name: str) -> "AnyCommand":
    """Import a command by its name in the catalogue."""
    module = import_module(f"cruxe.serve.cli.commands.{CATALOGUE[name].module}")
    command: AnyCommand = module.COMMAND
    return command


def _unknown(name: str) -> InvalidInputError:
    from difflib import get_close_matches

    nearest = get_close_matches(name, [*CATALOGUE, *_ALIASES], 1)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
    return InvalidInputError(
        f"there is no command {name!r}{hint}",
        remedy="cruxe --help",
        data={"field": "command", "choices": tuple(CATALOGUE)},
    )
