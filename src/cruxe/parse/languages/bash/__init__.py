"""Bash and similar shells: functions, global variables, sourced files, Bats test cases."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import MAX_HEAD_BYTES, Definition, Language, Rules, fold_value
from cruxe.parse.languages.bash.commands import KNOWN_NAMES
from cruxe.parse.languages.bash.legible import legible_text, title_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_FUNCTIONS: Final = ("function_definition", "command")
_ALIAS_ARGUMENTS: Final = ("concatenation", "word")
# A line before an assignment: `readonly A=1`, `declare -rx A=1`, `export A`.
_DECLARATION: Final = re.compile(
    rb"(readonly|declare|typeset|export|local|alias)\b((?:[ \t]+-[\w]+)*)[ \t]"
)
_DIRECTIVE: Final = re.compile(r"#+\s*(?:shellcheck|bats |vim?:|-\*-|!|shfmt|@test)")


class BashRules(Rules):
    """What queries cannot express about Bash. Names are global across files."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text with test cases as functions and comparisons the grammar can parse."""
        return legible_text(source.data)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Keep the first assignment of each variable that is not local to a function."""
        first: dict[bytes, Definition] = {}
        kept: list[Definition] = []
        function_end = 0
        for definition in definitions:
            if definition.kind is SymbolKind.FUNCTION:
                function_end = max(function_end, definition.end_byte)
                kept.append(definition)
                continue
            name = definition.captures["name"][0]
            if definition.start_byte < function_end:
                continue
            known = first.setdefault(source.data[name.start_byte : name.end_byte], definition)
            if _is_read_only(definition, source):
                known.kind = SymbolKind.CONSTANT
            if known is definition and not _names_functions(definition, source):
                kept.append(definition)
        definitions[:] = kept

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name, a test case's title, or the text before an alias's `=`."""
        name = super().name(definition, source)
        node = definition.node
        if name.startswith("@test"):
            body = node.child_by_field_name("body")
            end = node.end_byte if body is None else body.start_byte
            return title_of(source.text_between(node.start_byte, end))
        if node.type in _ALIAS_ARGUMENTS and definition.kind is SymbolKind.FUNCTION:
            alias, equals, _ = name.partition("=")
            return alias if equals else ""
        return name

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Make names with a leading underscore internal, by convention."""
        del source
        is_hidden = definition.name.startswith("_")
        return Visibility.INTERNAL if is_hidden else Visibility.PUBLIC

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head of a function, or a variable with its declaration, cut short."""
        node = definition.node
        if node.type in _FUNCTIONS:
            return super().signature(definition, source)
        start = node.start_byte
        text = source.text_between(start, min(node.end_byte, start + MAX_HEAD_BYTES))
        found = _declaration(definition, source)
        words = "" if found is None else found.group().decode("utf-8", "replace")
        return fold_value(f"{words} {text}")

    def is_doc_comment(self, comment: str) -> bool:
        """Return True for any comment but the `#!` line."""
        return not comment.startswith("#!")

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the comment above without tool directives."""
        if not above:
            return ""
        prose = [comment for comment in above if not _DIRECTIVE.match(comment)]
        return super().doc(definition, source, prose)

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return a sourced file, which binds all its names; a computed path stays as written."""
        argument = node.child_by_field_name("argument")
        if argument is None or argument.type == "process_substitution":
            return
        module = source.text_of(argument).strip("\"'")
        yield Import(module=module, name="*", alias="", line=node.start_point[0] + 1)


def _declaration(definition: Definition, source: "SourceText") -> re.Match[bytes] | None:
    """Return the command that declares a variable or an alias, if it starts the line."""
    data = source.data
    line_start = data.rfind(b"\n", 0, definition.start_byte) + 1
    indent = len(data[line_start : definition.start_byte]) - len(
        data[line_start : definition.start_byte].lstrip()
    )
    return _DECLARATION.match(data, line_start + indent, definition.start_byte + 1)


def _is_read_only(definition: Definition, source: "SourceText") -> bool:
    found = _declaration(definition, source)
    if found is None:
        return False
    return found[1] == b"readonly" or (found[1] != b"export" and b"r" in found[2])


def _names_functions(definition: Definition, source: "SourceText") -> bool:
    """Return whether it names functions: `export -f name`, `declare -F name`."""
    found = _declaration(definition, source)
    return found is not None and b"f" in found[2].lower()


LANGUAGE = Language(
    name="bash",
    aliases=("shell", "shellscript"),
    extensions=(".sh", ".bash", ".bats", ".ksh", ".ebuild", ".eclass"),
    filenames=(
        *(".bashrc", ".bash_profile", ".bash_aliases", ".bash_functions", ".bash_login"),
        *(".bash_logout", ".profile", ".kshrc", ".envrc", "pkgbuild", "apkbuild"),
    ),
    interpreters=("bash", "sh", "dash", "ksh", "ash", "mksh", "bats"),
    grammar="tree_sitter_bash:language",
    rules=BashRules(),
    predeclared=KNOWN_NAMES,
)
