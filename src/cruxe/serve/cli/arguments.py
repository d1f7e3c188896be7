"""From the words of a command line to a command and its arguments.

Only the parser of the command asked for is built, and none for a line in plain form. The options
that every command takes may stand before its name as well: the name is taken out and the rest is
read as one.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import InvalidInputError
from cruxe.serve.cli.command import EXIT_CODES
from cruxe.serve.cli.command_table import CATALOGUE, canonical_name, load_command
from cruxe.serve.cli.plain import read_plain
from cruxe.serve.cli.session import GlobalArgs

if TYPE_CHECKING:
    from cruxe.serve.cli.command import AnyCommand

_WITH_VALUE: Final = ("-C", "--config")
_FLAGS: Final = frozenset({"--json", "-v", "--verbose", "--version", "-h", "--help"})
_HELP: Final = frozenset({"-h", "--help"})


class Invocation(NamedTuple):
    """A command with the arguments it was called with."""

    command: "AnyCommand"
    args: GlobalArgs


def read_command_line(words: list[str]) -> Invocation | str:
    """Read a command line; where it only asks for help or the version, that is given."""
    options = set(_before_separator(words))
    if "--version" in options:
        from cruxe import __version__

        return f"cruxe {__version__}\n"
    place = _find_command(words)
    if place is None:
        return _overview_for(words)
    name, rest = words[place], words[:place] + words[place + 1 :]
    if name == "help":
        return read_command_line([*rest, "--help"])
    name = canonical_name(name)
    command = load_command(name)
    is_help = bool(_HELP & options)
    plain = read_plain(command, rest) if command.has_plain_form and not is_help else None
    if plain is not None:
        return Invocation(command, plain)
    from cruxe.serve.cli.parser import parser_of

    parser = parser_of(name, CATALOGUE[name].summary, command)
    if is_help:
        return parser.format_help()
    return Invocation(command, parser.read(rest, command.args()))


def asks_for_json(words: list[str]) -> bool:
    """Whether the answer is to be JSON; known before the line is read, as that may fail."""
    return "--json" in _before_separator(words)


def _before_separator(words: list[str]) -> list[str]:
    return words[: words.index("--")] if "--" in words else words


def _find_command(words: list[str]) -> int | None:
    """Where the command's name stands among the options that go before it."""
    place = 0
    while place < len(words):
        word = words[place]
        if word in _WITH_VALUE:
            place += 2
        elif word in _FLAGS or word.startswith(("-C", "--config=")):
            place += 1
        elif word.startswith("-"):
            raise InvalidInputError(
                f"there is no option {word} before the command",
                remedy="put the options of a command after its name; cruxe --help",
                data={"field": "arguments"},
            )
        else:
            return place
    return None


def _overview_for(words: list[str]) -> str:
    if words and not _HELP & set(words):
        raise InvalidInputError(
            "no command was given", remedy="cruxe --help", data={"field": "command"}
        )
    return _overview()


def _overview() -> str:
    width = max(map(len, CATALOGUE))
    commands = "\n".join(f"  {name:{width}}  {entry.summary}" for name, entry in CATALOGUE.items())
    return f"""\
usage: cruxe COMMAND [options]

Code search and navigation on your own machine.

commands:
{commands}

options of every command:
  -C DIR         the folder to work in, anywhere inside a repository
  --json         print JSON
  --config FILE  read settings from this file as well
  -v, --verbose  tell on standard error what is going on
  -h, --help     after a command: show its own options
  --version      show the version

{EXIT_CODES}
"""
