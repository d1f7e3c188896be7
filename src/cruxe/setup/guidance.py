"""Builds the instructions and the skill for agents from one table of tools."""

import json
import os
from typing import Final, TypedDict

_FOLDER: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guidance_texts")
_TOOLS: Final = "{tools}"
# VS Code applies instructions only to the files that `applyTo` matches.
_FOR_ALL_FILES: Final = '---\napplyTo: "**"\n---\n\n'


class Tool(TypedDict):
    """A row of the table."""

    tool: str
    command: str  # its equivalent on the command line
    question: str  # that it answers


def read_tools() -> list[Tool]:
    """Return the table of tools, in the order of the texts."""
    tools: list[Tool] = json.loads(_read("tools.json"))
    return tools


def block_text() -> str:
    """Return the block for an instructions file that has other authors too."""
    lines = [f"- `{each['tool']}`: {each['question']}" for each in read_tools()]
    return _read("block.md").replace(_TOOLS, "\n".join(lines))


def rules_text() -> str:
    """Return the same lines as a separate file."""
    return _FOR_ALL_FILES + block_text()


def skill_text() -> str:
    """Return the skill: when to use which tool, and how far to trust its results."""
    rows = [
        f"| {each['question']} | `{each['tool']}` | `{each['command']}` |" for each in read_tools()
    ]
    table = ["| to learn | tool | command |", "|---|---|---|", *rows]
    return _read("skill.md").replace(_TOOLS, "\n".join(table))


def _read(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()
