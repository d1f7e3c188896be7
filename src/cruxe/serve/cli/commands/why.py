"""`cruxe why PATH`: why a file is or is not in the index."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from cruxe.serve.cli.command import Command
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.view import Colour, Page, View, harmless, places_around

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
    """Apply the inclusion rules to the path."""
    repository = session.repository
    return repository.explain_path(places_around(repository.root).to_workspace(args.path))


def render(why: "ExplainPathResult", view: View) -> Page:
    """Render one sentence, with the rule that decided if there is one."""
    colour, verdict = _VERDICTS[why["status"]]
    is_outside = why["reason"] == "outside"
    path = harmless(why["path"]) if is_outside else view.path(why["path"])
    detail = harmless(why["detail"])
    return Page([f"{view.paint(Colour.PATH, path)} {view.paint(colour, verdict)}: {detail}"])


COMMAND = Command(args=WhyArgs, declare=declare, answer=answer, render=render)
