"""The texts that tell an agent which tool serves which question, from one table of tools."""

import json
import os
from typing import Final, TypedDict

_FOLDER: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guidance_texts")
_TOOLS: Final = "{tools}"
# Instructions of VS Code apply to the files that they name.
_FOR_ALL_FILES: Final = '---\napplyTo: "**"\n---\n\n'


class Tool(TypedDict):
    """A row of the table."""

    tool: str
    command: str  # the same on the command line
    question: str  # that it answers


def read_tools() -> list[Tool]:
    """The tools, in the order in which they are told."""
    tools: list[Tool] = json.loads(_read("tools.json"))
    return tools


def block_text() -> str:
    """A few lines for a file of instructions that others write, too."""
    lines = [f"- `{each['tool']}`: {each['question']}" for each in read_tools()]
    return _read("block.md").replace(_TOOLS, "\n".join(lines))


def rules_text() -> str:
    """The same lines as a file of their own."""
    return _FOR_ALL_FILES + block_text()


def skill_text() -> str:
    """The skill: when to use what, and how far to trust it."""
    rows = [
        f"| {each['question']} | `{each['tool']}` | `{each['command']}` |" for each in read_tools()
    ]
    table = ["| to learn | tool | command |", "|---|---|---|", *rows]
    return _read("skill.md").replace(_TOOLS, "\n".join(table))


def _read(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()
