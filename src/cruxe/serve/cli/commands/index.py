"""`cruxe index`: read the working tree, or another ref, into the index."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING, cast

from cruxe.serve.cli.colour import Colour, harmless
from cruxe.serve.cli.command import Command, GlobalArgs, add_ref
from cruxe.serve.cli.view import Page, View, by_reason, seconds, table

if TYPE_CHECKING:
    from cruxe.serve.cli.answers import IndexAnswer
    from cruxe.serve.cli.session import Session
    from cruxe.serve.dispatch import Answer

_COUNTS = ("file_count", "symbol_count", "skipped")


class IndexArgs(GlobalArgs):
    """The arguments of `index`."""

    force: bool


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--force", action="store_true", help="build the index anew, whatever it holds"
    )
    add_ref(parser)


def answer(args: IndexArgs, session: "Session") -> "Answer":
    """Index, trying again what failed before; then count what the index holds."""
    synced = session.sync(force=args.force, retry_failed=True)
    status = session.repository.index_status(ref=args.ref)
    return synced | {key: status[key] for key in _COUNTS if key in status}


def render(answer: "Answer", view: View) -> Page:
    """What was read, and what the index holds now."""
    indexed = cast("IndexAnswer", answer)
    ref = view.paint(Colour.NAME, harmless(indexed["metadata"]["ref"]))
    rows = {
        "files": f"{indexed.get('file_count', 0):,} ({_what_changed(indexed)})",
        "symbols": f"{indexed.get('symbol_count', 0):,}",
        "skipped": by_reason(indexed.get("skipped", {})),
    }
    return Page([f"indexed {ref} in {seconds(indexed['duration_ms'])}", *table(rows, view)])


def _what_changed(indexed: "IndexAnswer") -> str:
    told = [f"{indexed['changed_files']:,} read", f"{indexed['indexed_files']:,} parsed"]
    if indexed["removed_files"]:
        told.append(f"{indexed['removed_files']:,} removed")
    return ", ".join(told)


COMMAND = Command(IndexArgs, declare, answer, render)
