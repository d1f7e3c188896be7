"""`cruxe gc`: drop what no branch, tag or working tree holds any more."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from cruxe.serve.cli.colour import harmless
from cruxe.serve.cli.command import Command, whole_number
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.view import Page, View, counted, seconds

if TYPE_CHECKING:
    from cruxe.contract.results import CollectResult
    from cruxe.serve.cli.session import Session

_MAX_DAYS = 36_500


class CollectArgs(GlobalArgs):
    """The arguments of `gc`."""

    older_than: int | None


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--older-than",
        type=whole_number(0, _MAX_DAYS),
        metavar="DAYS",
        help="also drop refs that were not indexed for so long; usually 30",
    )


def answer(args: CollectArgs, session: "Session") -> "CollectResult":
    """Collect."""
    return session.repository.collect(max_age_days=args.older_than)


def render(collected: "CollectResult", _: View) -> Page:
    """What is gone."""
    took = seconds(collected["duration_ms"])
    refs, versions = collected["dropped_refs"], collected["dropped_versions"]
    if not refs and not versions:
        return Page([f"nothing to drop ({took})"])
    freed = _size(collected["freed_bytes"])
    told = f"{counted(len(refs), 'ref')} and {counted(versions, 'file version')}"
    return Page(
        [f"dropped {told}, {freed} freed in {took}", *(f"  {harmless(ref)}" for ref in refs)]
    )


def _size(size_bytes: int) -> str:
    for unit, length in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size_bytes >= length:
            return f"{size_bytes / length:.1f} {unit}"
    return counted(size_bytes, "byte")


COMMAND = Command(CollectArgs, declare, answer, render)
