"""`cruxe sync`: bring the index up to date with what has changed."""

from typing import TYPE_CHECKING

from cruxe.serve.cli.colour import Colour, harmless
from cruxe.serve.cli.command import Command, add_ref
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.view import Page, View, counted, seconds

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from cruxe.contract.results import PublishedSync
    from cruxe.serve.cli.session import Session


def declare(parser: "ArgumentParser") -> None:
    """Declare the arguments."""
    add_ref(parser)


def answer(_: GlobalArgs, session: "Session") -> "PublishedSync":
    """Sync; without changes nothing is written."""
    return session.sync()


def render(synced: "PublishedSync", view: View) -> Page:
    """One line."""
    ref = view.paint(Colour.NAME, harmless(synced["metadata"]["ref"]))
    changed, removed = synced["changed_files"], synced["removed_files"]
    if not changed and not removed:
        return Page([f"{ref} is up to date (generation {synced['generation']})"])
    told = [f"{counted(changed, 'file')} read", f"{synced['indexed_files']:,} parsed"]
    if removed:
        told.append(f"{removed:,} removed")
    took = seconds(synced["duration_ms"])
    return Page([f"{ref}: {', '.join(told)} in {took} (generation {synced['generation']})"])


COMMAND = Command(GlobalArgs, declare, answer, render, has_plain_form=True)
