"""Clients with real configuration files, in a home and a project of their own."""

import os
import shutil
from typing import Final, NamedTuple

from cruxe.setup.clients import Scope
from cruxe.setup.registration import Registration, Request, Surroundings, register

_FIXTURES: Final = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fixtures", "client_files"
)

# Where the files of each client belong: for the user, and in a project.
FILES: Final = {
    "claude-code": {
        Scope.USER: {"claude.json": "home/.claude.json", "CLAUDE.md": "home/.claude/CLAUDE.md"},
        Scope.PROJECT: {"mcp.json": "project/.mcp.json", "CLAUDE.md": "project/CLAUDE.md"},
    },
    "codex": {
        Scope.USER: {
            "config.toml": "home/.codex/config.toml",
            "AGENTS.md": "home/.codex/AGENTS.md",
        },
        Scope.PROJECT: {
            "config.toml": "project/.codex/config.toml",
            "AGENTS.md": "project/AGENTS.md",
        },
    },
    "cursor": {
        Scope.USER: {"mcp.json": "home/.cursor/mcp.json"},
        Scope.PROJECT: {"mcp.json": "project/.cursor/mcp.json", "AGENTS.md": "project/AGENTS.md"},
    },
    "vscode": {
        Scope.USER: {"mcp.json": "home/.config/Code/User/mcp.json"},
        Scope.PROJECT: {"mcp.json": "project/.vscode/mcp.json", "AGENTS.md": "project/AGENTS.md"},
    },
}
SETTINGS: Final = [(client, scope) for client, scopes in FILES.items() for scope in scopes]

Tree = dict[str, bytes | None]


class Machine(NamedTuple):
    """A folder with a home and a project in it."""

    folder: str

    def around(self, **variables: str) -> Surroundings:
        """What set-up is told of the machine."""
        home, project = self.path("home"), self.path("project")
        return Surroundings(home, project, "linux", variables)

    def path(self, name: str) -> str:
        """A file by its name below the folder."""
        return os.path.join(self.folder, *name.split("/"))

    def write(self, name: str, data: bytes) -> None:
        """Write a file and the folders above it."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data)

    def read(self, name: str) -> bytes:
        """Read a file."""
        with open(self.path(name), "rb") as file:
            return file.read()

    def tree(self) -> Tree:
        """Every file with its bytes, and every folder."""
        found: Tree = {}
        for folder, folders, files in os.walk(self.folder):
            for name in [*folders, *files]:
                path = os.path.join(folder, name)
                inside = os.path.relpath(path, self.folder).replace(os.sep, "/")
                found[inside] = None if os.path.isdir(path) else self.read(inside)
        return found

    def furnish(self, client: str, scope: Scope) -> None:
        """Put the real files of a client where they belong."""
        for name, place in FILES[client][scope].items():
            os.makedirs(os.path.dirname(self.path(place)), exist_ok=True)
            shutil.copyfile(os.path.join(_FIXTURES, client, name), self.path(place))

    def install(self, client: str, scope: Scope, command: str = "/opt/cruxe") -> Registration:
        """Set a client up."""
        return register(Request(client, scope, command=command), self.around())

    def uninstall(self, client: str, scope: Scope, *, force: bool = False) -> Registration:
        """Take that back; the command does not matter then."""
        request = Request(client, scope, uninstall=True, command="/gone", force=force)
        return register(request, self.around())


def make_machine(folder: str) -> Machine:
    """An empty home and an empty project."""
    machine = Machine(folder)
    for name in ("home", "project"):
        os.makedirs(machine.path(name))
    return machine


def statuses(done: Registration) -> dict[str, str]:
    """What happened, by the name of the file."""
    return {os.path.basename(each.item.path): each.status.value for each in done.changes}
