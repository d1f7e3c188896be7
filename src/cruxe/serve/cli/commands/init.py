"""`cruxe init`: check that a folder can be indexed, and make room for its index."""

import os
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from cruxe.model.errors import StorageError
from cruxe.serve.cli.colour import Colour, harmless
from cruxe.serve.cli.command import Command
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.view import Page, View, table
from cruxe.store.open import open_store

if TYPE_CHECKING:
    from cruxe.contract.results import InitResult
    from cruxe.serve.cli.session import Session


def declare(_: ArgumentParser) -> None:
    """Take no arguments of its own."""


def answer(_: GlobalArgs, session: "Session") -> "InitResult":
    """Register the workspace; nothing is written into it."""
    from cruxe.workspace.context import resolve_target

    context = session.repository.context
    folder = open_store(context.location).location
    is_new = not os.path.isdir(folder)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise StorageError.from_os_error(error, folder) from error
    return {
        "project_id": context.workspace.repository_id,
        "repo_root": context.workspace.root,
        "ref": resolve_target(context.workspace, None).shown,
        "vcs_mode": context.workspace.git_dir is not None,
        "store": folder,
        "is_new": is_new,
    }


def render(made: "InitResult", view: View) -> Page:
    """What was found, and where the index will be."""
    rows = {
        "kind": "git repository" if made["vcs_mode"] else "folder without git",
        "ref": harmless(made["ref"]),
        "index": harmless(made["store"]),
        "state": "registered now" if made["is_new"] else "registered before",
    }
    root = view.paint(Colour.PATH, harmless(made["repo_root"]))
    return Page([root, *table(rows, view)], ["`cruxe index` reads it in"] if made["is_new"] else [])


COMMAND = Command(GlobalArgs, declare, answer, render)
