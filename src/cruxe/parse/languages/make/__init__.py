"""Make: targets with their recipes, variables, `define` blocks, included files."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import (
    MAX_SIGNATURE_CHARACTERS,
    MAX_VALUE_CHARACTERS,
    Definition,
    Language,
    Rules,
)
from cruxe.parse.languages.make.mentions import mentions
from cruxe.parse.languages.make.reading import Reader
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match

_PARAMETER: Final = re.compile(rb"\$[({]?[1-9]")
_CONTINUATION: Final = re.compile(r"\\\n")
# The help text after a target: `build: deps ## Builds all.`
_HELP: Final = re.compile(r"[ \t]##[ \t]*([^\n]*)")
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))#.*", re.DOTALL)


class MakeRules(Rules):
    """Rules for makefiles."""

    def read(self, source: "SourceText") -> "list[Match]":
        """Return definitions, comments, included files and mentions."""
        return [*Reader(source).matches(), *mentions(source)]

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """Return the path without `.mk`."""
        del root
        return source.path.removesuffix(".mk")

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make a variable that takes parameters a function."""
        if definition.kind is SymbolKind.VARIABLE:
            value = source.data[definition.start_byte : definition.end_byte]
            if _PARAMETER.search(value):
                return SymbolKind.FUNCTION
        return super().kind(definition, source)

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Make names with a leading dot or underscore internal."""
        del source
        is_own = definition.name.startswith((".", "_"))
        return Visibility.INTERNAL if is_own else Visibility.PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return a rule without its recipe, a variable with its value, or the head of a block."""
        head = _CONTINUATION.sub(" ", _head(definition, source))
        if definition.node_type == "variable":
            return fold_white_space(head)[:MAX_VALUE_CHARACTERS]
        return fold_white_space(_COMMENT.sub("", head))[:MAX_SIGNATURE_CHARACTERS]

    def is_doc_comment(self, comment: str) -> bool:
        """Return True unless the comment is a `#!` line."""
        return not comment.startswith("#!")

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the help text after a target, else the comment above."""
        if definition.node_type == "rule" and (text := _HELP.search(_head(definition, source))):
            return text[1].strip()
        return super().doc(definition, source, above)

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the files of `include a.mk b.mk`, which bind all their names."""
        line = node.start_point[0] + 1
        text = _COMMENT.sub("", _CONTINUATION.sub(" ", source.text_of(node)))
        words = text.partition("include")[2]
        modules = [words.strip()] if "$(" in words else words.split()
        return [Import(module=module, name="*", alias="", line=line) for module in modules]


def _head(definition: Definition, source: "SourceText") -> str:
    """Return the first logical line, continuation lines included."""
    start = end = definition.start_byte
    data = source.data
    while (end := data.find(b"\n", end + 1, definition.end_byte)) > 0 and data[end - 1] == ord(
        "\\"
    ):
        pass
    return source.text_between(start, end if end > 0 else definition.end_byte)


LANGUAGE = Language(
    name="make",
    aliases=("makefile",),
    extensions=(".mk", ".mak", ".make"),
    filenames=(
        *("makefile", "gnumakefile", "bsdmakefile", "kbuild", "makefile.am", "makefile.in"),
        *("makefile.common", "makefile.inc", "makefile.dep", "makefile.config", "makefile.build"),
    ),
    interpreters=("make", "gmake"),
    rules=MakeRules(),
    # Set by make itself, or conventional.
    predeclared=frozenset(
        {"CURDIR", "MAKE", "MAKECMDGOALS", "MAKEFILE_LIST", "MAKEFLAGS", "MAKELEVEL", "SHELL"}
    ),
    binds_its_names=True,
)
