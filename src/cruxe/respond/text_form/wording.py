"""What to do next, in the words of the reader: calls of tools, or commands with their options.

Answers name next steps by tool and arguments, as the protocol does. For a person they are
translated, so that no reader is told the other's words.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from cruxe.model.errors import Reader
from cruxe.respond.text_form.notation import scalar

# The command that does what a tool does, and the tool's argument that is given without an option.
COMMANDS: Final = {
    "search_code": ("search", "query"),
    "locate_symbol": ("locate", "name"),
    "read_symbol": ("show", "symbol"),
    "get_file_outline": ("outline", "path"),
    "search_text": ("text", "pattern"),
    "explain_ranking": ("explain", "query"),
    "index_status": ("status", ""),
    "health_check": ("doctor", ""),
    "sync_repo": ("sync", ""),
    "index_repo": ("index", ""),
}
_OPTIONS: Final = {"detail_level": "--detail"}  # others are named as the argument
_CASES: Final = {"insensitive": "--ignore-case", "sensitive": "--case-sensitive", "smart": ""}
_ANY_TOOL: Final = re.compile(rf"\b({'|'.join(COMMANDS)})\b")


class Wording(NamedTuple):
    """How one kind of reader is told what to do."""

    reader: Reader = Reader.AGENT

    def call(self, action: Mapping[str, object]) -> str:
        """Return a suggested action as its reader would run it."""
        if self.reader is Reader.PERSON:
            return _command(action)
        given = [f"{name}={scalar(value)}" for name, value in action.items() if name != "tool"]
        return " ".join((str(action["tool"]), *given))

    def argument(self, name: str, value: object) -> str:
        """Return an argument to add to the request that was answered."""
        return _option(name, value) if self.reader is Reader.PERSON else f"{name}={scalar(value)}"

    def sentence(self, text: str) -> str:
        """Return a sentence that may name tools."""
        if self.reader is Reader.AGENT:
            return text
        return _ANY_TOOL.sub(lambda found: f"`cruxe {COMMANDS[found[0]][0]}`", text)


def _command(action: Mapping[str, object]) -> str:
    name, first = COMMANDS[str(action["tool"])]
    given = {key: value for key, value in action.items() if key != "tool"}
    if given.get("force"):
        name = "index"  # only this command builds an index anew
    words = ["cruxe", name]
    if first in given:
        words.append(_shell_word(given.pop(first)))
    if "result_path" in given:
        words.append(_shell_word(f"{given.pop('result_path')}:{given.pop('result_line_start')}"))
    options = (_option(key, value) for key, value in given.items())
    return " ".join([*words, *filter(None, options)])


def _option(name: str, value: object) -> str:
    if name == "case":
        return _CASES[str(value)]
    option = _OPTIONS.get(name, f"--{name.replace('_', '-')}")
    if isinstance(value, bool):
        return option if value else ""
    return f"{option} {_shell_word(value)}"


def _shell_word(value: object) -> str:
    from shlex import quote

    return quote(str(value))
