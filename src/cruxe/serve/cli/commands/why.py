"""`cruxe why PATH`: why a file is in the index or not."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from cruxe.serve.cli.colour import Colour, harmless
from cruxe.serve.cli.command import Command
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.shown_paths import places_around
from cruxe.serve.cli.view import Page, View

if TYPE_CHECKING:
    from cruxe.contract.results import ExplainPathResult
    from cruxe.serve.cli.session import Session

_VERDICTS = {
    "indexed": (Colour.GOOD, "is indexed"),
    "skipped": (Colour.DOUBTFUL, "is not indexed"),
    "missing": (Colour.BAD, "is not indexed"),
}


class WhyArgs(GlobalArgs):
    """The arguments of `why`."""

    path: str


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="a file, from here or from the root")


def answer(args: WhyArgs, session: "Session") -> "ExplainPathResult":
    """Ask the rules about the path."""
    repository = session.repository
    return repository.explain_path(places_around(repository.root).to_workspace(args.path))


def render(why: "ExplainPathResult", view: View) -> Page:
    """A sentence; where a rule decided, its detail names the rule."""
    colour, verdict = _VERDICTS[why["status"]]
    is_outside = why["reason"] == "outside"
    path = harmless(why["path"]) if is_outside else view.path(why["path"])
    detail = harmless(why["detail"])
    return Page([f"{view.paint(Colour.PATH, path)} {view.paint(colour, verdict)}: {detail}"])


COMMAND = Command(WhyArgs, declare, answer, render)
