"""From the words of a command line to a command and its arguments.

Only the parser of the command asked for is built. The options that every command takes may stand
before its name as well: the name is taken out and the rest is read as one.
"""

import os
import sys
from argparse import ArgumentParser, HelpFormatter
from typing import Final, NoReturn

from cruxe.model.errors import InvalidInputError
from cruxe.model.named import NamedTuple
from cruxe.serve.cli.catalogue import CATALOGUE, canonical_name, load_command
from cruxe.serve.cli.command import Command, GlobalArgs

_WITH_VALUE: Final = ("-C", "--config")
_FLAGS: Final = frozenset({"--json", "-v", "--verbose", "--version", "-h", "--help"})
_HELP: Final = frozenset({"-h", "--help"})
_USUAL_COLUMNS: Final = 80
_MAX_COLUMNS: Final = 100
_EXIT_CODES: Final = "Exit codes: 0 success, 1 failure or nothing found, 2 wrong usage."


class Invocation(NamedTuple):
    """A command with the arguments it was called with."""

    command: Command[GlobalArgs]
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
    parser = _parser_of(name, command)
    if _HELP & options:
        return parser.format_help()
    return Invocation(command, parser.read(rest, command.args()))


def asks_for_json(words: list[str]) -> bool:
    """Whether the answer is to be JSON; known before the line is read, as that may fail."""
    return "--json" in _before_separator(words)


def _before_separator(words: list[str]) -> list[str]:
    return words[: words.index("--")] if "--" in words else words


class _Parser(ArgumentParser):
    """A parser that raises what the engine would, and never guesses from the start of a word."""

    def __init__(self, prog: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=_Help,
            allow_abbrev=False,
            add_help=False,
        )

    def read(self, words: list[str], args: GlobalArgs) -> GlobalArgs:
        """Fill in the arguments; what no option or place takes is an error."""
        read, unknown = self.parse_known_args(words, args)
        if unknown:
            self.error(self._describe_unknown(unknown[0]))
        return read

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing."""
        raise InvalidInputError(message, remedy=f"{self.prog} --help", data={"field": "arguments"})

    def _describe_unknown(self, word: str) -> str:
        if not word.startswith("-"):
            return f"{word!r} is one argument too many"
        from difflib import get_close_matches

        option = word.partition("=")[0]
        known = [each for action in self._actions for each in action.option_strings]
        nearest = get_close_matches(option, known, 1)
        return f"there is no option {option}" + (f"; did you mean {nearest[0]}?" if nearest else "")


class _Help(HelpFormatter):
    """Help as wide as the terminal. The usual way to ask its width imports five modules."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=_help_columns())


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

{_EXIT_CODES}
"""


def _parser_of(name: str, command: Command[GlobalArgs]) -> _Parser:
    summary = CATALOGUE[name].summary
    epilog = f"{command.epilog} {_EXIT_CODES}".strip()
    parser = _Parser(f"cruxe {name}", f"{summary[0].upper()}{summary[1:]}.", epilog)
    command.declare(parser)
    parser.add_argument(
        "-C",
        dest="directory",
        metavar="DIR",
        help="the folder to work in, anywhere inside a repository",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--config", metavar="FILE", help="read settings from this file as well")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="tell on standard error what is going on"
    )
    parser.add_argument("-h", "--help", action="store_true", help="show this help")
    return parser


def _help_columns() -> int:
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        columns = _USUAL_COLUMNS
    return min(columns, _MAX_COLUMNS) - 2
