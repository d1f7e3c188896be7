"""Setting a client up and taking that back, on files as clients and people really write them."""

import json
import os
import tomllib
from typing import Final

import pytest

from cruxe.setup import registration
from cruxe.setup.clients import CLIENTS, Place, Scope
from cruxe.setup.registration import Request, register
from tests.requirements import requirement
from tests.support.setting_up import FILES, SETTINGS, Machine, Tree, statuses

SERVE = ["serve-mcp", "--format", "text"]
FIRST: Final = "/opt/cruxe"
SECOND: Final = "/opt/newer/cruxe"
CLAUDE: Final = ("claude-code", Scope.USER)
CLAUDE_JSON: Final = "home/.claude.json"


@requirement("SETUP-ROUND-TRIP")
@pytest.mark.parametrize(("client", "scope"), SETTINGS)
def test_real_files_come_back_byte_for_byte(client: str, scope: Scope, machine: Machine) -> None:
    machine.furnish(client, scope)
    before = machine.tree()

    machine.install(client, scope)
    assert machine.tree() != before
    machine.uninstall(client, scope)

    assert machine.tree() == before


@requirement("SETUP-ROUND-TRIP")
@pytest.mark.parametrize(("client", "scope"), SETTINGS)
def test_files_and_folders_that_were_not_there_are_gone_again(
    client: str, scope: Scope, machine: Machine
) -> None:
    installed = statuses(machine.install(client, scope))
    removed = statuses(machine.uninstall(client, scope))

    assert set(installed.values()) == {"created"}
    assert set(removed.values()) == {"deleted"}
    assert machine.tree() == {"home": None, "project": None}


@requirement("SETUP-IDEMPOTENT")
@pytest.mark.parametrize(("client", "scope"), SETTINGS)
def test_a_second_install_changes_nothing(client: str, scope: Scope, machine: Machine) -> None:
    machine.furnish(client, scope)
    machine.install(client, scope)
    once = machine.tree()

    again = statuses(machine.install(client, scope))

    assert set(again.values()) == {"unchanged"}
    assert machine.tree() == once


@requirement("SETUP-RENEW")
@pytest.mark.parametrize(("client", "scope"), SETTINGS)
def test_a_moved_cruxe_renews_its_entry(client: str, scope: Scope, machine: Machine) -> None:
    machine.furnish(client, scope)
    before = machine.tree()
    machine.install(client, scope, FIRST)
    renewed = statuses(machine.install(client, scope, SECOND))
    after = _without_receipts(machine.tree())
    machine.uninstall(client, scope)

    config = next(iter(FILES[client][scope].values()))
    assert renewed[os.path.basename(config)] == "updated"
    assert machine.tree() == before
    machine.install(client, scope, SECOND)
    assert _without_receipts(machine.tree()) == after


@requirement("SETUP-CLIENTS")
def test_claude_code_finds_the_server_beside_the_others(machine: Machine) -> None:
    machine.furnish(*CLAUDE)
    before = json.loads(machine.read(CLAUDE_JSON))

    machine.install(*CLAUDE)

    after = json.loads(machine.read(CLAUDE_JSON))
    entry = after["mcpServers"].pop("cruxe")
    assert entry == {"type": "stdio", "command": FIRST, "args": SERVE}
    assert after == before


@requirement("SETUP-CLIENTS")
def test_codex_finds_the_server_beside_the_others(machine: Machine) -> None:
    machine.furnish("codex", Scope.USER)
    before = tomllib.loads(machine.read("home/.codex/config.toml").decode())

    machine.install("codex", Scope.USER)

    after = tomllib.loads(machine.read("home/.codex/config.toml").decode())
    assert after["mcp_servers"].pop("cruxe") == {"command": FIRST, "args": SERVE}
    assert after == before


@requirement("SETUP-CLIENTS")
def test_vscode_gets_its_instructions_as_a_file_for_the_user(machine: Machine) -> None:
    machine.install("vscode", Scope.USER)

    assert json.loads(machine.read("home/.config/Code/User/mcp.json")) == {
        "servers": {"cruxe": {"type": "stdio", "command": FIRST, "args": SERVE}}
    }
    rules = machine.read("home/.copilot/instructions/cruxe.instructions.md").decode()
    assert rules.startswith('---\napplyTo: "**"\n---\n\n## Finding code: Cruxe\n')


@requirement("SETUP-CLIENTS")
@pytest.mark.parametrize(
    ("client", "scope", "config"),
    [
        ("cursor", Scope.USER, "home/.cursor/mcp.json"),
        ("cursor", Scope.PROJECT, "project/.cursor/mcp.json"),
        ("vscode", Scope.PROJECT, "project/.vscode/mcp.json"),
    ],
)
def test_a_server_that_may_start_elsewhere_is_told_the_folder_that_is_open(
    client: str, scope: Scope, config: str, machine: Machine
) -> None:
    machine.install(client, scope)

    ((_, servers),) = json.loads(machine.read(config)).items()
    assert servers["cruxe"]["args"] == [*SERVE, "--workspace", "${workspaceFolder}"]


@requirement("SETUP-CLIENTS")
@pytest.mark.parametrize(
    ("variable", "client", "config"),
    [
        ("CLAUDE_CONFIG_DIR", "claude-code", "other/.claude.json"),
        ("CODEX_HOME", "codex", "other/config.toml"),
        ("XDG_CONFIG_HOME", "vscode", "other/Code/User/mcp.json"),
    ],
)
def test_a_clients_own_variable_moves_its_files(
    variable: str, client: str, config: str, machine: Machine
) -> None:
    around = machine.around(**{variable: machine.path("other")})

    register(Request(client, Scope.USER), around)

    assert config in machine.tree()


@requirement("SETUP-CLIENTS")
@pytest.mark.parametrize(
    ("system", "config"),
    [
        ("darwin", "home/Library/Application Support/Code/User/mcp.json"),
        ("win32", "home/AppData/Roaming/Code/User/mcp.json"),
        ("freebsd14", "home/.config/Code/User/mcp.json"),
    ],
)
def test_vscode_has_a_place_on_each_system(system: str, config: str, machine: Machine) -> None:
    register(Request("vscode", Scope.USER), machine.around()._replace(system=system))

    assert config in machine.tree()


@requirement("SETUP-CLIENTS")
def test_a_client_of_another_shape_is_only_another_row(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a command that is a list, and objects two deep."""
    row = CLIENTS["vscode"]._replace(
        name="other",
        server={Scope.USER: {"linux": Place("~/.other/settings.json")}},
        server_path=("mcp", "servers", "cruxe"),
        entry=lambda launch: {"type": "local", "command": [launch.command, *launch.args]},
        skill={},
    )
    monkeypatch.setattr(registration, "CLIENTS", {"other": row})
    machine.write("home/.other/settings.json", b'{"mcp": {"on": true}}')
    before = machine.tree()

    machine.install("other", Scope.USER)

    assert json.loads(machine.read("home/.other/settings.json")) == {
        "mcp": {
            "servers": {"cruxe": {"type": "local", "command": [FIRST, *SERVE]}},
            "on": True,
        }
    }
    machine.uninstall("other", Scope.USER)
    assert machine.tree() == before


@requirement("SETUP-SHARED")
def test_the_last_client_takes_a_shared_file_out(machine: Machine) -> None:
    clients = ["codex", "cursor", "vscode"]
    for client in clients:
        machine.install(client, Scope.PROJECT)

    told = [statuses(machine.uninstall(name, Scope.PROJECT))["AGENTS.md"] for name in clients]

    assert told == ["shared", "shared", "deleted"]
    assert machine.tree() == {"home": None, "project": None}


@requirement("SETUP-SHARED")
def test_two_names_of_one_file_are_one_file(machine: Machine) -> None:
    machine.write("project/AGENTS.md", b"# Tea\n")
    os.symlink("AGENTS.md", machine.path("project/CLAUDE.md"))

    machine.install("codex", Scope.PROJECT)
    told = statuses(machine.install("claude-code", Scope.PROJECT))
    machine.uninstall("codex", Scope.PROJECT)

    assert told["CLAUDE.md"] == "unchanged"
    assert b"cruxe setup: begin" in machine.read("project/AGENTS.md")
    machine.uninstall("claude-code", Scope.PROJECT)
    assert machine.read("project/AGENTS.md") == b"# Tea\n"
    assert os.path.islink(machine.path("project/CLAUDE.md"))


@requirement("SETUP-DRY-RUN")
@pytest.mark.parametrize(("client", "scope"), SETTINGS)
def test_a_dry_run_writes_nothing(client: str, scope: Scope, machine: Machine) -> None:
    machine.furnish(client, scope)
    before = machine.tree()

    planned = register(Request(client, scope, dry_run=True), machine.around())

    assert {change.writes for change in planned.changes} == {True}
    assert machine.tree() == before


def test_uninstall_without_install_does_nothing_and_says_so(machine: Machine) -> None:
    machine.furnish(*CLAUDE)
    before = machine.tree()

    told = statuses(machine.uninstall(*CLAUDE))

    assert set(told.values()) == {"absent"}
    assert machine.tree() == before


@requirement("SETUP-CLIENTS")
def test_every_client_can_be_set_up_in_both_scopes() -> None:
    lacking = [
        client.name
        for client in CLIENTS.values()
        if not set(Scope) == set(client.server) == set(client.skill) == set(client.next_step)
    ]

    assert lacking == []


def _without_receipts(tree: Tree) -> Tree:
    return {name: data for name, data in tree.items() if not name.startswith("home/.cruxe")}
