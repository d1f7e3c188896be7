"""The clients that Cruxe registers with: one row each. A new client is a new row.

A row says where the client keeps things, by scope and system, and how it writes a server down.
What was looked up where is in `docs/decisions/0019-setup-edits-by-position.md`.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

SERVER_NAME: Final = "cruxe"
_OPEN_FOLDER: Final = ("--workspace", "${workspaceFolder}")


class Scope(StrEnum):
    """For whom a client is set up."""

    USER = "user"
    PROJECT = "project"


class FileFormat(StrEnum):
    """How a client writes its configuration."""

    JSON = "json"
    JSON_WITH_COMMENTS = "jsonc"
    TOML = "toml"


class Place(NamedTuple):
    """A file: under the folder that `variable` names if it is set, else as `path` says."""

    path: str  # `~` is the home directory, anything else is inside the project
    variable: str | None = None
    inside: str = ""  # the path under the variable's folder


class Launch(NamedTuple):
    """How the server is started."""

    command: str
    args: tuple[str, ...]


Entry = Mapping[str, "str | list[str]"]
# By the name that Python has for a system; every other system has its files where Linux does.
BySystem = Mapping[str, Place]


class Client(NamedTuple):
    """A row of the table."""

    name: str
    title: str
    server: Mapping[Scope, BySystem]
    server_format: FileFormat
    server_path: tuple[str, ...]  # the names that lead to the entry, its own last
    entry: Callable[[Launch], Entry]
    skill: Mapping[Scope, BySystem]
    block: Mapping[Scope, BySystem]  # a file of instructions that others write, too
    rules: Mapping[Scope, BySystem]  # a file of instructions of its own, where there is such
    next_step: Mapping[Scope, str]
    server_args: Mapping[Scope, tuple[str, ...]] = {}  # behind `serve-mcp`


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
    # Instructions for all projects are kept in Cursor's settings, not in a file.
    block={Scope.PROJECT: _in_project("AGENTS.md")},
    rules={},
    next_step={
        Scope.USER: "restart Cursor; the server is listed among its MCP servers",
        Scope.PROJECT: "restart Cursor; the server is listed among its MCP servers",
    },
    # Servers of the user start in the home directory, whatever folder is open.
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
    # A server starts in the folder that is open, but one of a project not in every kind of session.
    # For the user nothing is said, since the name has no meaning while several folders are open.
    server_args={Scope.PROJECT: _OPEN_FOLDER},
)

CLIENTS: Final[Mapping[str, Client]] = {
    client.name: client for client in (CLAUDE_CODE, CODEX, CURSOR, VSCODE)
}
