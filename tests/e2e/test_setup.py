"""`cruxe setup` as it is typed: what it says, what it writes, and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.command import environment, run_cruxe
from tests.support.repositories import MakeRepo

CLAUDE_JSON = '{\r\n  "theme": "größe"\r\n}'


@pytest.fixture
def claude_json(home: str) -> Path:
    path = Path(home, ".claude.json")
    path.write_bytes(CLAUDE_JSON.encode())
    return path


@requirement("SETUP-ROUND-TRIP", "SETUP-COMMAND")
def test_a_client_is_set_up_and_back(home: str, tmp_path: Path, claude_json: Path) -> None:
    installed = run_cruxe(str(tmp_path), "setup", "claude-code", "--command", "/opt/cruxe")
    text = claude_json.read_bytes().decode()
    removed = run_cruxe(str(tmp_path), "setup", "claude-code", "--uninstall")

    assert (installed.code, removed.code) == (0, 0)
    assert installed.stdout.splitlines() == [
        f"updated    {claude_json} (server)",
        f"created    {home}/.claude/skills/cruxe/SKILL.md (skill)",
        f"created    {home}/.claude/CLAUDE.md (instructions)",
    ]
    assert installed.stderr == "start a new session; `claude mcp list` shows the server\n"
    assert json.loads(text)["mcpServers"]["cruxe"]["command"] == "/opt/cruxe"
    assert text.count("\r\n") == text.count("\n")
    assert claude_json.read_bytes() == CLAUDE_JSON.encode()
    assert os.listdir(home) == [".claude.json"]


@requirement("SETUP-DRY-RUN")
def test_a_dry_run_shows_the_difference(home: str, tmp_path: Path, claude_json: Path) -> None:
    shown = run_cruxe(
        str(tmp_path), "setup", "claude-code", "--dry-run", "--command", "/opt/cruxe", "--json"
    )

    files = shown.answer["files"]
    assert isinstance(files, list)
    assert [file["status"] for file in files] == ["updated", "created", "created"]
    assert files[0]["diff"].splitlines() == [
        f"--- {claude_json}",
        f"+++ {claude_json}",
        "@@ -1,3 +1,14 @@",
        " {",
        '+  "mcpServers": {',
        '+    "cruxe": {',
        '+      "type": "stdio",',
        '+      "command": "/opt/cruxe",',
        '+      "args": [',
        '+        "serve-mcp",',
        '+        "--format",',
        '+        "text"',
        "+      ]",
        "+    }",
        "+  },",
        '   "theme": "größe"',
        " }",
        "\\ No newline at end of file",
    ]
    assert shown.answer["notes"] == ["this was a dry run: nothing was written"]
    assert os.listdir(home) == [".claude.json"]
    assert claude_json.read_bytes() == CLAUDE_JSON.encode()


def test_uninstall_without_install_says_so(tmp_path: Path) -> None:
    done = run_cruxe(str(tmp_path), "setup", "codex", "--uninstall")

    assert done.code == 0
    assert done.stderr == "nothing of Cruxe was set up for Codex here\n"


@requirement("SETUP-FOREIGN")
def test_an_entry_of_someone_elses_is_told_with_a_way_out(
    tmp_path: Path, claude_json: Path
) -> None:
    claude_json.write_text('{"mcpServers": {"cruxe": {"command": "mine"}}}')

    kept = run_cruxe(str(tmp_path), "setup", "claude-code")

    assert kept.code == 1
    assert kept.stdout.splitlines()[:3] == [
        f"kept       {claude_json} (server)",
        "           is not as `cruxe setup` wrote it, so it was left alone",
        "           try: --force replaces it; what is there now comes back with --uninstall",
    ]


@requirement("SETUP-REFUSE")
def test_a_broken_file_is_an_error_with_its_line(tmp_path: Path, claude_json: Path) -> None:
    claude_json.write_text('{\n  "a": 1,\n}')

    failed = run_cruxe(str(tmp_path), "setup", "claude-code", "--json")

    assert failed.code == 1
    assert failed.answer["error"] == {
        "code": "invalid_input",
        "message": (
            f"{claude_json} is not valid JSON: line 3: Expecting property name enclosed in double"
            " quotes"
        ),
        "data": {
            "path": str(claude_json),
            "kind": "server",
            "remediation": "correct the file and run it again; it was left as it is",
        },
    }


@requirement("SETUP-CLIENTS")
def test_a_project_is_set_up_at_its_root(repo: MakeRepo, home: str) -> None:
    project = repo("-- src/a.py\nx = 1\n")
    before = _names(project.root)

    done = run_cruxe(f"{project.root}/src", "setup", "codex", "--scope", "project")
    assert _names(project.root) - before == {
        ".codex/config.toml",
        ".agents/skills/cruxe/SKILL.md",
        "AGENTS.md",
    }
    assert "`--command cruxe` writes the name alone" in done.stderr
    run_cruxe(project.root, "setup", "codex", "--scope", "project", "--uninstall")

    assert _names(project.root) == before
    assert os.listdir(home) == []


@requirement("SETUP-COMMAND")
def test_a_command_in_a_cache_is_told(tmp_path: Path) -> None:
    command = "/srv/ada/.cache/uv/archive-v0/x1/bin/cruxe"

    done = run_cruxe(str(tmp_path), "setup", "cursor", "--command", command, "--json")

    assert done.answer["notes"] == [
        "restart Cursor; the server is listed among its MCP servers",
        (
            f"{command} lies in a cache that may be emptied; install Cruxe to stay, with"
            " `uv tool install cruxe` or `pipx install cruxe`, and run this again"
        ),
    ]


@requirement("SETUP-REFUSE")
def test_the_home_directory_is_no_project(home: str) -> None:
    refused = run_cruxe(home, "setup", "codex", "--scope", "project")

    assert refused.code == 1
    assert "which is too much to index" in refused.stderr
    assert os.listdir(home) == []


def test_an_unknown_client_is_told_with_the_nearest(tmp_path: Path) -> None:
    wrong = run_cruxe(str(tmp_path), "setup", "claude")

    assert wrong.code == 2
    assert "none of claude-code, codex, cursor, vscode; did you mean 'claude-code'?" in wrong.stderr


@requirement("SETUP-LATE")
def test_other_commands_import_nothing_of_it(tmp_path: Path) -> None:
    report = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "cruxe", "config", "show"],
        cwd=tmp_path,
        env=environment(),
        check=True,
        capture_output=True,
        text=True,
    ).stderr

    assert "cruxe.serve.cli.main" in report
    assert "cruxe.setup" not in report


def _names(root: str) -> set[str]:
    return {
        os.path.relpath(os.path.join(folder, name), root)
        for folder, _, files in os.walk(root)
        for name in files
        if ".git" not in folder.split(os.sep)
    }
