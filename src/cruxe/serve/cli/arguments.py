"""Parses a command line into a command and its arguments.

Only the parser of the named command is built, and none for a line in plain form, which is parsed
without argparse. The global options may also come before the command's name: the name is removed
and the remaining words are parsed together.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cruxe.model.errors import InvalidInputError
from cruxe.model.levels import AnswerFormat
from cruxe.serve.cli.command import (
    CATALOGUE,
    EXIT_CODES,
    canonical_name,
    declare_common,
    load_command,
)
from cruxe.serve.cli.session import GlobalArgs, asked_format

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from cruxe.serve.cli.command import AnyCommand

_WITH_VALUE: Final = ("-C", "--config")
_FLAGS: Final = frozenset({"--json", "-v", "--verbose", "--version", "-h", "--help"})
_SERVING: Final = frozenset({"serve", "serve-mcp"})
_FORMAT: Final = "--format"
_HELP: Final = frozenset({"-h", "--help"})


class Invocation(NamedTuple):
    """A command and its parsed arguments."""

    command: "AnyCommand"
    args: GlobalArgs


def read_command_line(words: list[str]) -> Invocation | str:
    """Parse a command line; return the text to print if it asks for help or the version."""
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


def asked_form(words: list[str]) -> AnswerFormat | None:
    """Return the form that the line asks for; works before parsing, which may fail."""
    options = _before_separator(words)
    named = [after for before, after in pairwise(options) if before == _FORMAT]
    named += [word.partition("=")[2] for word in options if word.startswith(f"{_FORMAT}=")]
    # Standard output of a server is the protocol's, whose format the option means.
    is_server = bool(_SERVING & set(options))
    known = [] if is_server else [each for each in named if each in list(AnswerFormat)]
    return asked_format(known[-1] if known else None, json="--json" in options)


def global_args_in(words: list[str]) -> GlobalArgs:
    """Return the folder and settings that a line names; works before parsing, which may fail."""
    args, own = GlobalArgs(), _before_separator(words)
    for word, following in zip(own, [*own[1:], ""], strict=True):
        if word == "-C" and following:
            args.directory = following
        elif word == "--config" and following:
            args.config = following
        elif word.startswith("-C") and word != "-C":
            args.directory = word.removeprefix("-C")
        elif word.startswith("--config="):
            args.config = word.removeprefix("--config=")
    return args


def _before_separator(words: list[str]) -> list[str]:
    return words[: words.index("--")] if "--" in words else words


def _find_command(words: list[str]) -> int | None:
    """Return the index of the command's name, which may follow global options."""
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


_NEEDS_NO_JUDGEMENT: Final = frozenset(
    {"dest", "metavar", "help", "default", "action", "nargs", "type"}
)
_FLAG: Final = "store_true"
_SEVERAL: Final = "*"


class _Option(NamedTuple):
    field: str
    is_flag: bool
    is_plain: bool
    default: object
    read: Callable[[str], object]  # raises `ValueError` for an invalid value


def read_plain(command: "AnyCommand", words: list[str]) -> GlobalArgs | None:
    """Parse a line in plain form; return None if argparse must parse it."""
    declared = _Declared()
    for declare in (command.declare, declare_common):
        declare(cast("ArgumentParser", declared))
    return declared.read(words, command.args())


class _Declared:
    """Collects `add_argument` calls in place of argparse's parser."""

    def __init__(self) -> None:
        self._options: dict[str, _Option] = {}
        self._places: list[_Option] = []
        self._takes_several = False

    def add_argument(self, *names: str, **details: object) -> None:
        is_flag = details.get("action") == _FLAG
        nargs = details.get("nargs")
        is_plain = details.keys() <= _NEEDS_NO_JUDGEMENT and (is_flag or "action" not in details)
        longest = max(names, key=len)
        field = str(details.get("dest", longest.lstrip("-").replace("-", "_")))
        default = details.get("default", False if is_flag else None)
        if longest.startswith("-"):
            read = cast("Callable[[str], object]", details.get("type", str))
            option = _Option(
                field=field,
                is_flag=is_flag,
                is_plain=is_plain and nargs is None,
                default=default,
                read=read,
            )
            self._options.update(dict.fromkeys(names, option))
        else:
            self._takes_several = self._takes_several or nargs == _SEVERAL
            is_plain = is_plain and "type" not in details and nargs in (None, _SEVERAL)
            self._places.append(
                _Option(field=field, is_flag=is_flag, is_plain=is_plain, default=default, read=str)
            )

    def read(self, words: list[str], args: GlobalArgs) -> GlobalArgs | None:
        """Parse the words into `args`; return None if the line is not in plain form."""
        values: dict[str, object] = {}
        free: list[str] = []
        waiting = iter(words)
        is_after_free = False
        for word in waiting:
            if not word.startswith("-"):
                if free and not is_after_free:
                    return None  # argparse decides which of the free words belong together
                free.append(word)
            elif not self._take_option(word, waiting, values):
                return None
            is_after_free = not word.startswith("-")
        return self._filled(args, values) if self._place(free, values) else None

    def _take_option(self, word: str, waiting: Iterator[str], values: dict[str, object]) -> bool:
        name, has_value, value = word.partition("=")
        option = self._options.get(name)
        if option is None or not option.is_plain or (option.is_flag and has_value):
            return False
        if option.is_flag:
            values[option.field] = True
            return True
        if not has_value:
            value = next(waiting, "-")
            if value.startswith("-"):
                return False
        try:
            values[option.field] = option.read(value)
        except ValueError:
            return False
        return True

    def _place(self, free: list[str], values: dict[str, object]) -> bool:
        """Assign the free words to the positional arguments; return whether they fit."""
        if not all(place.is_plain for place in self._places):
            return False
        if self._takes_several:
            values[self._places[0].field] = free
            return bool(free) and len(self._places) == 1
        values.update(zip([place.field for place in self._places], free, strict=False))
        return len(free) == len(self._places)

    def _filled(self, args: GlobalArgs, values: dict[str, object]) -> GlobalArgs:
        for option in self._options.values():
            if option.field not in values and not hasattr(args, option.field):
                values[option.field] = option.default
        for field, value in values.items():
            setattr(args, field, value)
        return args
