"""The `Command` type, the catalogue of commands, and the arguments that commands share."""

from collections.abc import Callable, Container, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from cruxe.model.errors import InvalidInputError, InvalidMaxTokensError
from cruxe.model.levels import AnswerFormat, DetailLevel, RankingExplainLevel
from cruxe.model.specs import MAX_TOKENS
from cruxe.serve.cli.session import GlobalArgs, QueryArgs
from cruxe.serve.cli.view import Colour

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from cruxe.contract.ranking_parts import RankingReason
    from cruxe.contract.results import AnyResult
    from cruxe.serve.cli.session import Session
    from cruxe.serve.cli.view import Page, View

EXIT_CODES: Final = "Exit codes: 0 success, 1 failure or nothing found, 2 wrong usage."


ArgsT = TypeVar("ArgsT", bound=GlobalArgs)
ResultT = TypeVar("ResultT", bound="AnyResult")


def always_succeeds(_: Mapping[str, object]) -> int:
    """Return exit code 0, for commands that either answer or raise."""
    return 0


class Command(NamedTuple, Generic[ArgsT, ResultT]):
    """A command: its arguments, the function that runs it, and the one that renders its result."""

    args: type[ArgsT]
    declare: Callable[["ArgumentParser"], None]
    answer: Callable[[ArgsT, "Session"], ResultT]
    render: Callable[[ResultT, "View"], "Page"]
    exit_code: Callable[[ResultT], int] = always_succeeds
    tells_warnings: bool = False  # its page shows `metadata.warnings` itself
    epilog: str = ""  # printed at the end of its help
    tool: str = ""  # that gives the same result; only such commands have `--format`
    has_plain_form: bool = False  # uses only `add_argument`, so that `read_plain` can parse it


if TYPE_CHECKING:
    AnyCommand = Command[GlobalArgs, AnyResult]


def one_of(choices: Iterable[str], others: Container[str] = ()) -> Callable[[str], str]:
    """Return a reader of closed choices whose error lists them and suggests the nearest.

    `others` are accepted too, but not listed.
    """
    known = list(map(str, choices))

    def read(text: str) -> str:
        if text in known or text in others:
            return text
        from cruxe.model.choices import spelled_as

        spelled = text.lower() if text.lower() in others else spelled_as(text, known)
        if spelled in known or spelled in others:
            return spelled
        from difflib import get_close_matches

        nearest = get_close_matches(text, known, 1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise _refused(f"{text!r} is none of {', '.join(known)}{hint}")

    return read


def whole_number(smallest: int, largest: int) -> Callable[[str], int]:
    """Return a reader of integers within bounds."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and smallest <= int(text) <= largest:
            return int(text)
        raise _refused(f"{text!r} is not a number from {smallest} to {largest}")

    return read


def token_count(text: str) -> int:
    """Read a token budget; the error is the same as for a tool."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_TOKENS:
        return int(text)
    raise InvalidMaxTokensError(
        f"max_tokens is {text}",
        remedy=f"use a whole number from 1 to {MAX_TOKENS}",
        data={"field": "max_tokens"},
    )


def share(text: str) -> float:
    """Read a number from 0 to 1."""
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
        """Shown verbatim by argparse, and a `ValueError` for `read_plain`."""

    return RefusedError(message)


def declare_common(parser: "ArgumentParser") -> None:
    """Declare the options of `GlobalArgs`."""
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
    """Declare `--ref`."""
    parser.add_argument(
        "--ref", metavar="REF", help="a branch, tag or commit instead of the working tree"
    )


def add_question_options(parser: "ArgumentParser") -> None:
    """Declare the options of `QueryArgs`."""
    add_ref(parser)
    parser.add_argument(
        "--no-sync", action="store_true", help="answer from the index as it is, fresh or not"
    )
    parser.add_argument(
        "--format",
        type=one_of(AnswerFormat),
        metavar="json|text",
        help="print what an agent gets: text is dense and stable, json is --json",
    )


def add_other_name(
    parser: "ArgumentParser", name: str, field: str, read: Callable[[str], object] = str
) -> None:
    """Declare another name of an option, which errors name as it was given."""
    shown = "N" if read is not str else field.upper()
    parser.add_argument(name, dest=field, type=read, metavar=shown, help=f"the same as --{field}")


class CatalogueEntry(NamedTuple):
    """The module of a command and its summary."""

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
# What people call these commands; they are suggested, not accepted.
_MEANT: Final = {
    **dict.fromkeys(("find", "query", "ask", "q", "s"), "search"),
    **dict.fromkeys(("definition", "goto", "symbol", "symbols", "where", "def"), "locate"),
    **dict.fromkeys(("grep", "rg", "regex"), "text"),
    **dict.fromkeys(("read", "cat", "view", "open"), "show"),
    **dict.fromkeys(("ls", "tree", "structure"), "outline"),
    **dict.fromkeys(("update", "refresh"), "sync"),
    **dict.fromkeys(("reindex", "build"), "index"),
    **dict.fromkeys(("check", "health"), "doctor"),
    **dict.fromkeys(("clean", "prune"), "gc"),
    **dict.fromkeys(("settings", "configure"), "config"),
    **dict.fromkeys(("mcp", "server"), "serve-mcp"),
    **dict.fromkeys(("install", "register"), "setup"),
}


def canonical_name(name: str) -> str:
    """Return the catalogue's name for a command; raise if there is no such command."""
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

    meant = _MEANT.get(name.lower())
    nearest = [meant] if meant else get_close_matches(name, [*CATALOGUE, *_ALIASES], 1)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
    return InvalidInputError(
        f"there is no command {name!r}{hint}",
        remedy="cruxe --help",
        data={"field": "command", "choices": tuple(CATALOGUE)},
    )


_EXPLAINED = [level for level in RankingExplainLevel if level is not RankingExplainLevel.OFF]


class ShapedArgs(QueryArgs):
    """The arguments of every ranked query."""

    detail: str
    compact: bool
    explain: str | None


def add_shape_options(parser: "ArgumentParser") -> None:
    """Declare the options of `ShapedArgs`."""
    parser.add_argument(
        "--detail",
        type=one_of(DetailLevel),
        default=DetailLevel.SIGNATURE.value,
        help=f"how much of each result: {', '.join(DetailLevel)}",
    )
    parser.add_argument("--compact", action="store_true", help="leave out snippets and previews")
    parser.add_argument(
        "--explain",
        nargs="?",
        const=RankingExplainLevel.BASIC.value,
        type=one_of(_EXPLAINED),
        help="why each result ranks where it does: basic or full",
    )


def reason_lines(reason: "RankingReason", view: "View") -> list[str]:
    """Return one line per contribution, or per factor if the result has no contributions."""
    given = reason.get("contributions")
    if given is not None:
        pairs = [(each["signal"], each["effective"]) for each in given]
    else:
        pairs = [
            ("exact_match", reason.get("exact_match", 0.0)),
            ("path_boost", reason.get("path_boost", 0.0)),
            ("definition_boost", reason["definition_boost"]),
            ("semantic_similarity", reason.get("semantic_similarity", 0.0)),
        ]
    told = "  ".join(f"{name} {value:+.3f}" for name, value in pairs if value)
    score = f"    = {reason['final_score']:.3f}"
    return [view.paint(Colour.FAINT, f"{score}: {told}" if told else score)]
