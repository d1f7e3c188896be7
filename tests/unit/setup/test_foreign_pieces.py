"""What other people and programs write is theirs: between install and uninstall, and before."""

import json
import re
from typing import Final

import pytest

from cruxe.setup.clients import Scope
from cruxe.setup.registration import Request, register
from tests.requirements import requirement
from tests.support.setting_up import Machine, statuses

CLAUDE: Final = ("claude-code", Scope.USER)
CLAUDE_JSON: Final = "home/.claude.json"
MEMORY: Final = "home/.claude/CLAUDE.md"
SKILL: Final = "home/.claude/skills/cruxe/SKILL.md"
CODEX_TOML: Final = "home/.codex/config.toml"
MINE: Final = b'{"mcpServers": {"cruxe": {"command": "mine"}}}'


@requirement("SETUP-EDITS")
def test_a_client_that_writes_its_file_anew_loses_nothing(machine: Machine) -> None:
    machine.furnish(*CLAUDE)
    machine.install(*CLAUDE)
    after = json.loads(machine.read(CLAUDE_JSON))
    after["numStartups"] += 1
    machine.write(CLAUDE_JSON, json.dumps(after, indent=2).encode())

    told = statuses(machine.uninstall(*CLAUDE))

    del after["mcpServers"]["cruxe"]
    assert told[".claude.json"] == "removed"
    assert machine.read(CLAUDE_JSON).decode() == json.dumps(after, indent=2)


@requirement("SETUP-EDITS")
def test_servers_that_someone_added_stay_as_they_wrote_them(machine: Machine) -> None:
    machine.write(CLAUDE_JSON, b'{\n  "theme": "dark"\n}')
    machine.install(*CLAUDE)
    added = machine.read(CLAUDE_JSON).replace(b"\n    }\n  },", b'\n    },\n    "b": {}\n  },')
    machine.write(CLAUDE_JSON, added)

    machine.uninstall(*CLAUDE)

    assert machine.read(CLAUDE_JSON) == (
        b'{\n  "mcpServers": {\n    "b": {}\n  },\n  "theme": "dark"\n}'
    )


@requirement("SETUP-EDITS")
def test_a_file_that_came_with_us_stays_with_what_others_wrote(machine: Machine) -> None:
    machine.install(*CLAUDE)
    machine.write(MEMORY, b"# Mine\n\n" + machine.read(MEMORY))
    machine.write(
        CLAUDE_JSON, machine.read(CLAUDE_JSON).replace(b'{\n  "', b'{\n  "a": 1,\n  "', 1)
    )

    told = statuses(machine.uninstall(*CLAUDE))

    assert told == {".claude.json": "removed", "SKILL.md": "deleted", "CLAUDE.md": "removed"}
    assert machine.tree() == {
        "home": None,
        "home/.claude": None,
        CLAUDE_JSON: b'{\n  "a": 1\n}\n',
        MEMORY: b"# Mine\n\n",
        "project": None,
    }


@requirement("SETUP-EDITS")
def test_codex_keys_around_the_table_survive(machine: Machine) -> None:
    machine.install("codex", Scope.USER)
    text = machine.read(CODEX_TOML)
    machine.write(CODEX_TOML, b'model = "x"\n\n' + text + b"\n[tui]\ntheme = 'dark'\n")

    machine.uninstall("codex", Scope.USER)

    assert machine.read(CODEX_TOML) == b"model = \"x\"\n\n\n[tui]\ntheme = 'dark'\n"


@requirement("SETUP-EDITS")
def test_a_codex_that_wrote_its_tables_anew_loses_nothing(machine: Machine) -> None:
    """As `codex mcp add` does: tables in order, comments dropped."""
    machine.write(CODEX_TOML, b'# mine\nmodel = "x"\n')
    machine.install("codex", Scope.USER)
    other = b'\n[mcp_servers.second]\ncommand = "/bin/true"\n'
    mark = re.compile(rb"  # cruxe setup: [0-9a-f]{8}")
    machine.write(CODEX_TOML, mark.sub(b"", machine.read(CODEX_TOML)) + other)

    renewed = statuses(machine.install("codex", Scope.USER, "/opt/newer"))
    told = statuses(machine.uninstall("codex", Scope.USER))

    assert (renewed["config.toml"], told["config.toml"]) == ("updated", "removed")
    assert machine.read(CODEX_TOML) == b'# mine\nmodel = "x"\n' + other


@requirement("SETUP-FOREIGN")
def test_an_entry_that_someone_wrote_is_left_alone(machine: Machine) -> None:
    machine.write(CLAUDE_JSON, MINE)

    done = machine.install(*CLAUDE)

    server = done.changes[0]
    assert statuses(done) == {
        ".claude.json": "kept",
        "SKILL.md": "created",
        "CLAUDE.md": "created",
    }
    assert server.reason == "is not as `cruxe setup` wrote it, so it was left alone"
    assert server.remedy.startswith("--force replaces it")
    assert machine.read(CLAUDE_JSON) == MINE
    assert statuses(machine.uninstall(*CLAUDE))[".claude.json"] == "kept"
    assert machine.read(CLAUDE_JSON) == MINE


@requirement("SETUP-FOREIGN")
def test_force_replaces_an_entry_and_uninstall_brings_it_back(machine: Machine) -> None:
    machine.write(CLAUDE_JSON, MINE)

    register(Request(*CLAUDE, force=True, command="/opt/cruxe"), machine.around())
    assert json.loads(machine.read(CLAUDE_JSON))["mcpServers"]["cruxe"]["command"] == "/opt/cruxe"
    machine.install(*CLAUDE, "/opt/newer")
    machine.uninstall(*CLAUDE)

    assert machine.read(CLAUDE_JSON) == MINE


@requirement("SETUP-FOREIGN")
def test_an_entry_like_ours_that_someone_wrote_is_theirs(machine: Machine) -> None:
    machine.install(*CLAUDE)
    text = machine.read(CLAUDE_JSON)
    machine.uninstall(*CLAUDE)
    machine.write(CLAUDE_JSON, text)

    assert statuses(machine.install(*CLAUDE))[".claude.json"] == "unchanged"
    assert statuses(machine.uninstall(*CLAUDE))[".claude.json"] == "kept"
    assert machine.read(CLAUDE_JSON) == text


CHANGES: Final = {
    "the entry": (CLAUDE_JSON, b'"serve-mcp"', b'"serve-mcp", "--full"'),
    "the block": (MEMORY, b"search_code", b"my_search"),
    "the skill": (SKILL, b"search_code", b"my_search"),
}


@requirement("SETUP-FOREIGN")
@pytest.mark.parametrize("what", CHANGES)
def test_what_someone_changed_by_hand_is_left_alone(what: str, machine: Machine) -> None:
    name, old, new = CHANGES[what]
    machine.install(*CLAUDE)
    machine.write(name, machine.read(name).replace(old, new))
    changed = machine.read(name)
    file = name.rpartition("/")[2]

    assert statuses(machine.install(*CLAUDE, "/opt/newer"))[file] == "kept"
    assert statuses(machine.uninstall(*CLAUDE))[file] == "kept"
    assert machine.read(name) == changed
    assert statuses(machine.uninstall(*CLAUDE, force=True))[file] in {"removed", "deleted"}
    assert machine.tree() == {"home": None, "project": None}


@requirement("SETUP-FOREIGN")
def test_a_codex_table_without_marks_is_left_alone(machine: Machine) -> None:
    mine = b"[mcp_servers.cruxe]\ncommand = 'mine' # my own\n\n[tui]\n"
    machine.write(CODEX_TOML, mine)

    assert statuses(machine.install("codex", Scope.USER))["config.toml"] == "kept"
    assert machine.read(CODEX_TOML) == mine
    register(Request("codex", Scope.USER, force=True), machine.around())
    assert machine.read(CODEX_TOML) != mine
    machine.uninstall("codex", Scope.USER)
    assert machine.read(CODEX_TOML) == mine


@requirement("SETUP-RENEW")
def test_a_block_that_another_machine_wrote_is_known(machine: Machine) -> None:
    """A clone brings the block but not what the other machine remembers of it."""
    machine.write("project/AGENTS.md", b"# Tea\n")
    machine.install("codex", Scope.PROJECT)
    block = machine.read("project/AGENTS.md")
    machine.uninstall("codex", Scope.PROJECT)
    machine.write("project/AGENTS.md", block.replace(b"\n", b"\r\n"))

    assert statuses(machine.install("cursor", Scope.PROJECT))["AGENTS.md"] == "unchanged"
    assert statuses(machine.uninstall("cursor", Scope.PROJECT))["AGENTS.md"] == "removed"
    assert machine.read("project/AGENTS.md") == b"# Tea\r\n"


@requirement("SETUP-RENEW")
def test_a_renewal_in_a_file_that_was_edited_keeps_the_edit(machine: Machine) -> None:
    machine.write(CLAUDE_JSON, b'{"a": 1}')
    machine.install(*CLAUDE)
    machine.write(CLAUDE_JSON, machine.read(CLAUDE_JSON).replace(b'"a": 1', b'"a": 2'))
    machine.install(*CLAUDE, "/opt/newer")

    assert json.loads(machine.read(CLAUDE_JSON))["mcpServers"]["cruxe"]["command"] == "/opt/newer"
    machine.uninstall(*CLAUDE)

    assert machine.read(CLAUDE_JSON) == b'{"a": 2}'
