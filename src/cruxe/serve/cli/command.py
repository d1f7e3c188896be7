"""What a command of the command line is made of, and the arguments that commands share."""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from cruxe.serve.cli.session import GlobalArgs

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from cruxe.contract.results import AnyResult
    from cruxe.serve.cli.session import Session
    from cruxe.serve.cli.view import Page, View


EXIT_CODES: Final = "Exit codes: 0 success, 1 failure or nothing found, 2 wrong usage."


ArgsT = TypeVar("ArgsT", bound=GlobalArgs)
ResultT = TypeVar("ResultT", bound="AnyResult")


def always_succeeds(_: Mapping[str, object]) -> int:
    """The exit code of commands that either answer or raise."""
    return 0


class Command(NamedTuple, Generic[ArgsT, ResultT]):
    """A command: its arguments, its result, and how the result is shown to a person."""

    args: type[ArgsT]
    declare: Callable[["ArgumentParser"], None]
    answer: Callable[[ArgsT, "Session"], ResultT]
    render: Callable[[ResultT, "View"], "Page"]
    exit_code: Callable[[ResultT], int] = always_succeeds
    tells_warnings: bool = False  # its page shows `metadata.warnings` itself
    epilog: str = ""  # the end of its help
    has_plain_form: bool = False  # declares by `add_argument` alone, so that `plain` can read it


if TYPE_CHECKING:
    AnyCommand = Command[GlobalArgs, AnyResult]


def one_of(choices: Iterable[str], others: Container[str] = ()) -> Callable[[str], str]:
    """Make a reader of closed choices that names them, and the nearest to a wrong one.

    `others` are taken as well, without being named.
    """
    known = list(map(str, choices))

    def read(text: str) -> str:
        if text in known or text in others:
            return text
        from difflib import get_close_matches

        nearest = get_close_matches(text, known, 1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise _refused(f"{text!r} is none of {', '.join(known)}{hint}")

    return read


def whole_number(smallest: int, largest: int) -> Callable[[str], int]:
    """Make a reader of numbers within bounds."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and smallest <= int(text) <= largest:
            return int(text)
        raise _refused(f"{text!r} is not a number from {smallest} to {largest}")

    return read


def share(text: str) -> float:
    """Read a part of a whole, from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if 0.0 <= value <= 1.0:
        return value
    raise _refused(f"{text!r} is not a number from 0 to 1")


def _refused(message: str) -> Exception:
    from argparse import ArgumentTypeError

    class RefusedError(ArgumentTypeError, ValueError):
        """What argparse tells as it is, and whoever reads without argparse knows as well."""

    return RefusedError(message)


def declare_common(parser: "ArgumentParser") -> None:
    """Declare what `GlobalArgs` holds."""
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


def add_ref(parser: "ArgumentParser") -> None:
    """Let a command be asked about another ref."""
    parser.add_argument(
        "--ref", metavar="REF", help="a branch, tag or commit instead of the working tree"
    )


def add_question_options(parser: "ArgumentParser") -> None:
    """Declare what `QueryArgs` holds."""
    add_ref(parser)
    parser.add_argument(
        "--no-sync", action="store_true", help="answer from the index as it is, fresh or not"
    )
