"""Sets up a client: finds its files from its row of the table, and plans or applies the changes."""

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple, assert_never

from cruxe.setup.apply import carry_out, plan_all
from cruxe.setup.clients import CLIENTS, BySystem, Client, FileFormat, Launch, Place, Scope
from cruxe.setup.file_changes import Change, Item, Kind, Wish
from cruxe.setup.guidance import block_text, rules_text, skill_text
from cruxe.setup.json_entry import JsonEntry
from cruxe.setup.launch import find_launch
from cruxe.setup.marks import MarkedBlock
from cruxe.setup.own_file import OwnFile
from cruxe.setup.pieces import Piece
from cruxe.setup.receipts import store_in
from cruxe.setup.toml_entry import TomlEntry


class Surroundings(NamedTuple):
    """The folders and variables of this machine that determine the paths of client files."""

    home: str
    project: str  # root of the repository; not used in user scope
    system: str  # as `sys.platform` names it
    variables: Mapping[str, str]


class Request(NamedTuple):
    """A request of `cruxe setup`."""

    client: str
    scope: Scope
    uninstall: bool = False
    dry_run: bool = False
    force: bool = False
    command: str | None = None


class Registration(NamedTuple):
    """The changes made, or planned in a dry run."""

    client: Client
    launch: Launch
    changes: list[Change]


def register(request: Request, around: Surroundings) -> Registration:
    """Set a client up, or undo its set-up."""
    client = CLIENTS[request.client]
    launch = find_launch(request.command, client.server_args.get(request.scope, ()))
    items = items_of(client, request.scope, launch, around)
    wish = Wish(client.name, request.uninstall, request.force)
    do = plan_all if request.dry_run else carry_out
    return Registration(client, launch, do(items, wish, store_in(around.home)))


def surroundings_here(project: str) -> Surroundings:
    """Return the surroundings of the current user."""
    home = os.path.expanduser("~")
    return Surroundings(home=home, project=project, system=sys.platform, variables=os.environ)


def items_of(client: Client, scope: Scope, launch: Launch, around: Surroundings) -> list[Item]:
    """Return the files of a client with the piece for each."""
    pieces: list[tuple[Kind, Mapping[Scope, BySystem], Piece]] = [
        (Kind.SERVER, client.server, _server_piece(client, launch)),
        (Kind.SKILL, client.skill, OwnFile(skill_text())),
        (Kind.INSTRUCTIONS, client.block, MarkedBlock(block_text())),
        (Kind.INSTRUCTIONS, client.rules, OwnFile(rules_text())),
    ]
    within = around.project if scope is Scope.PROJECT else None
    return [
        Item(
            kind=kind,
            path=_path(places[scope], around),
            piece=piece,
            within=within,
            is_private=kind is Kind.SERVER and scope is Scope.USER,
        )
        for kind, places, piece in pieces
        if scope in places
    ]


def _server_piece(client: Client, launch: Launch) -> Piece:
    entry = client.entry(launch)
    match client.server_format:
        case FileFormat.JSON:
            return JsonEntry(client.server_path, entry, with_comments=False)
        case FileFormat.JSON_WITH_COMMENTS:
            return JsonEntry(client.server_path, entry, with_comments=True)
        case FileFormat.TOML:
            return TomlEntry(client.server_path, entry)
    assert_never(client.server_format)


def _path(places: BySystem, around: Surroundings) -> str:
    place = places.get(around.system, places["linux"])
    folder = around.variables.get(place.variable) if place.variable else None
    if folder:
        return _joined(folder, place.inside)
    return _joined_from(place, around)


def _joined_from(place: Place, around: Surroundings) -> str:
    if place.path.startswith("~/"):
        return _joined(around.home, place.path.removeprefix("~/"))
    return _joined(around.project, place.path)


def _joined(folder: str, path: str) -> str:
    return os.path.join(folder, *path.split("/"))
