"""The table of clients that Cruxe registers with. A new client is a new row.

A row has the paths of the client's files, by scope and system, and the format of a server entry.
The sources are in `docs/decisions/0019-setup-edits-by-position.md`.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

SERVER_NAME: Final = "cruxe"
_OPEN_FOLDER: Final = ("--workspace", "${workspaceFolder}")


class Scope(StrEnum):
    """Whether a client is set up for the user or for one project."""

    USER = "user"
    PROJECT = "project"


class FileFormat(StrEnum):
    """The format of a client's configuration file."""

    JSON = "json"
    JSON_WITH_COMMENTS = "jsonc"
    TOML = "toml"


class Place(NamedTuple):
    """A file location: `inside` the folder that `variable` names if it is set, else `path`."""

    path: str  # starts with `~` for the home directory, else relative to the project
    variable: str | None = None
    inside: str = ""  # the path under the variable's folder


class Launch(NamedTuple):
    """The command that starts the server."""

    command: str
    args: tuple[str, ...]


Entry = Mapping[str, "str | list[str]"]
# Keys are values of `sys.platform`; other systems use the paths of Linux.
BySystem = Mapping[str, Place]


class Client(NamedTuple):
    """A row of the table."""

    name: str
    title: str
    server: Mapping[Scope, BySystem]
    server_format: FileFormat
    server_path: tuple[str, ...]  # keys down to the entry, its own name last
    entry: Callable[[Launch], Entry]
    skill: Mapping[Scope, BySystem]
    block: Mapping[Scope, BySystem]  # an instructions file that has other authors too
    rules: Mapping[Scope, BySystem]  # a separate instructions file, if the client has such
    next_step: Mapping[Scope, str]
    server_args: Mapping[Scope, tuple[str, ...]] = {}  # after `serve-mcp`


def _typed_entry(launch: Launch) -> Entry:
    return {"type": "stdio", "command": launch.command, "args": list(launch.args)}


def _plain_entry(launch: Launch) -> Entry:
    return {"command": launch.command, "args": list(launch.args)}


def _everywhere(place: Place) -> BySystem:
    return {"linux": place}


def _in_project(path: str) -> BySystem:
    return _everywhere(Place(path))


CLAUDE_CODE: Final = Client(
    name="claude-code",
    title="Claude Code",
    server={
        Scope.USER: _everywhere(Place("~/.claude.json", "CLAUDE_CONFIG_DIR", ".claude.json")),
        Scope.PROJECT: _in_project(".mcp.json"),
    },
    server_format=FileFormat.JSON,
    server_path=("mcpServers", SERVER_NAME),
    entry=_typed_entry,
    skill={
        Scope.USER: _everywhere(
            Place("~/.claude/skills/cruxe/SKILL.md", "CLAUDE_CONFIG_DIR", "skills/cruxe/SKILL.md")
        ),
        Scope.PROJECT: _in_project(".claude/skills/cruxe/SKILL.md"),
    },
    block={
        Scope.USER: _everywhere(Place("~/.claude/CLAUDE.md", "CLAUDE_CONFIG_DIR", "CLAUDE.md")),
        Scope.PROJECT: _in_project("CLAUDE.md"),
    },
    rules={},
    next_step={
        Scope.USER: "start a new session; `claude mcp list` shows the server",
        Scope.PROJECT: "start a new session and approve the server; `claude mcp list` shows it",
    },
)

CODEX: Final = Client(
    name="codex",
    title="Codex",
    server={
        Scope.USER: _everywhere(Place("~/.codex/config.toml", "CODEX_HOME", "config.toml")),
        Scope.PROJECT: _in_project(".codex/config.toml"),
    },
    server_format=FileFormat.TOML,
    server_path=("mcp_servers", SERVER_NAME),
    entry=_plain_entry,
    skill={
        Scope.USER: _everywhere(Place("~/.agents/skills/cruxe/SKILL.md")),
        Scope.PROJECT: _in_project(".agents/skills/cruxe/SKILL.md"),
    },
    block={
        Scope.USER: _everywhere(Place("~/.codex/AGENTS.md", "CODEX_HOME", "AGENTS.md")),
        Scope.PROJECT: _in_project("AGENTS.md"),
    },
    rules={},
    next_step={
        Scope.USER: "start a new session; `codex mcp list` shows the server",
        Scope.PROJECT: "start a new session; Codex reads the project's file once it trusts it",
    },
)

CURSOR: Final = Client(
    name="cursor",
    title="Cursor",
    server={
        Scope.USER: _everywhere(Place("~/.cursor/mcp.json")),
        Scope.PROJECT: _in_project(".cursor/mcp.json"),
    },
    server_format=FileFormat.JSON_WITH_COMMENTS,
    server_path=("mcpServers", SERVER_NAME),
    entry=_plain_entry,
    skill={
        Scope.USER: _everywhere(Place("~/.cursor/skills/cruxe/SKILL.md")),
        Scope.PROJECT: _in_project(".cursor/skills/cruxe/SKILL.md"),
    },
    # Cursor stores user-wide instructions in its settings, not in a file.
    block={Scope.PROJECT: _in_project("AGENTS.md")},
    rules={},
    next_step={
        Scope.USER: "restart Cursor; the server is listed among its MCP servers",
        Scope.PROJECT: "restart Cursor; the server is listed among its MCP servers",
    },
    # User-scope servers start in the home directory, whatever folder is open.
    server_args={Scope.USER: _OPEN_FOLDER, Scope.PROJECT: _OPEN_FOLDER},
)

VSCODE: Final = Client(
    name="vscode",
    title="VS Code",
    server={
        Scope.USER: {
            "linux": Place("~/.config/Code/User/mcp.json", "XDG_CONFIG_HOME", "Code/User/mcp.json"),
            "darwin": Place("~/Library/Application Support/Code/User/mcp.json"),
            "win32": Place("~/AppData/Roaming/Code/User/mcp.json", "APPDATA", "Code/User/mcp.json"),
        },
        Scope.PROJECT: _in_project(".vscode/mcp.json"),
    },
    server_format=FileFormat.JSON_WITH_COMMENTS,
    server_path=("servers", SERVER_NAME),
    entry=_typed_entry,
    skill={
        Scope.USER: _everywhere(Place("~/.copilot/skills/cruxe/SKILL.md")),
        Scope.PROJECT: _in_project(".github/skills/cruxe/SKILL.md"),
    },
    block={Scope.PROJECT: _in_project("AGENTS.md")},
    rules={
        Scope.USER: _everywhere(Place("~/.copilot/instructions/cruxe.instructions.md")),
    },
    next_step={
        Scope.USER: "run `MCP: List Servers` in VS Code and start the server",
        Scope.PROJECT: "run `MCP: List Servers` in VS Code, start the server and trust it",
    },
    # A server starts in the open folder, except a project's server in some kinds of session.
    # User scope passes no folder: the variable is undefined while several folders are open.
    server_args={Scope.PROJECT: _OPEN_FOLDER},
)

CLIENTS: Final[Mapping[str, Client]] = {
    client.name: client for client in (CLAUDE_CODE, CODEX, CURSOR, VSCODE)
}
