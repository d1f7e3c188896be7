"""Mentions in a makefile: variables, and functions that are called."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.text_places import matched, place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

# Skips comments and dollar signs for the shell.
_EXPANSION: Final = re.compile(
    rb"^[ \t]*#[^\n]*|\$\$|\$[({](?:(call)[ \t]+)?([^\s(){}$#,:=]+)(?=([)}:,]))", re.MULTILINE
)
_COMMA: Final = b","  # after a called name, or in a function's arguments


def mentions(source: "SourceText") -> "Iterator[Match]":
    """Yield `$(NAME)`, `${NAME:.c=.o}` and `$(call NAME,…)`, in file order."""
    for found in _EXPANSION.finditer(source.data):
        if found[2] and (found[1] or found[3] != _COMMA) and not found[2].isdigit():
            kind = "call" if found[1] else "reference"
            yield matched(kind, place(source, *found.span(2)))
