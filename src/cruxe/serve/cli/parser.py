"""The argparse parser of a command, for command lines not in plain form and for help."""

import os
import sys
from argparse import OPTIONAL, ArgumentParser, HelpFormatter
from copy import copy
from typing import TYPE_CHECKING, Final, NoReturn

from cruxe.model.errors import InvalidInputError
from cruxe.serve.cli.command import EXIT_CODES, declare_common
from cruxe.serve.cli.session import GlobalArgs

if TYPE_CHECKING:
    from cruxe.serve.cli.command import AnyCommand

_USUAL_COLUMNS: Final = 80
_MAX_COLUMNS: Final = 100


def parser_of(name: str, summary: str, command: "AnyCommand") -> "Parser":
    """Build the parser of a command."""
    epilog = f"{command.epilog} {EXIT_CODES}".strip()
    parser = Parser(f"cruxe {name}", f"{summary[0].upper()}{summary[1:]}.", epilog)
    command.declare(parser)
    declare_common(parser)
    return parser


class Parser(ArgumentParser):
    """A parser that raises `InvalidInputError` and accepts no abbreviated options."""

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
        """Parse the words into `args`; raise for an unknown option or an extra argument.

        A word after an option with an optional value is that value, unless nothing else can be the
        query: in `search --explain "session cookie"` the word is the query.
        """
        try:
            return self._read(words, args)
        except InvalidInputError as first:
            if self._has_query_beside(words, args):
                raise
            try:
                return self._read(self._with_usual_values(words), args)
            except InvalidInputError:
                raise first from None

    def _has_query_beside(self, words: list[str], args: GlobalArgs) -> bool:
        """Return whether the line has all arguments without the words after such options."""
        names = self._usual_values()
        pairs = zip(["", *words], words, strict=False)
        others = [word for before, word in pairs if before not in names]
        try:
            read = self._read(self._with_usual_values(others), copy(args))
        except InvalidInputError:
            return False
        # A search with filters may have no query.
        wanted = [action.dest for action in self._actions if not action.option_strings]
        return all(getattr(read, name, None) for name in wanted)

    def _with_usual_values(self, words: list[str]) -> list[str]:
        usual = self._usual_values()
        return [usual.get(word, word) for word in words]

    def _usual_values(self) -> dict[str, str]:
        """Return the options whose value may be left out, each with its usual value."""
        return {
            name: f"{name}={action.const}"
            for action in self._actions
            for name in action.option_strings
            if action.nargs == OPTIONAL
        }

    def _read(self, words: list[str], args: GlobalArgs) -> GlobalArgs:
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
    """Help as wide as the terminal; argparse's own way to get the width imports five modules."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=_help_columns())


def _help_columns() -> int:
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        columns = _USUAL_COLUMNS
    return min(columns, _MAX_COLUMNS) - 2
