"""Types that LuaLS annotations define in comments: `@class`, `@alias`, `@enum`, `@field`.

A type extends from its annotation to the end of the comment, and over the table below if that
has the same name: the table is then the type, not a second symbol.
"""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind, Visibility
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS, Definition
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText

_ANNOTATION: Final = re.compile(
    r"---+ ?@(?P<tag>class|alias|enum|field)\s+(?:\([^)]*\)\s*)?"
    r"(?:(?P<access>public|private|protected|package)\s+)?(?P<name>[^\W\d][\w.\-]*)\??(?P<rest>.*)",
    re.DOTALL,
)
_DEFINES: Final = re.compile(r"---+ ?@(?:class|alias|enum|field)\b")
_MORE_LINES: Final = re.compile(rb"(?:\r?\n[ \t]*--(?!-* ?@(?:class|alias|enum)\b)[^\n]*)*")
_TABLE_BELOW: Final = re.compile(rb"\s*(?:local[ \t]+)?([\w.\x80-\xff]+)[ \t]*=")
_ALIAS_MEMBER: Final = re.compile(rb"^[ \t]*---+ ?\|[^\n]*", re.MULTILINE)
_ACCESS_ABOVE: Final = re.compile(
    rb"--[ \t]*-*[ \t]*@(private|protected|package|local)\b[^\n]*\n(?:[ \t]*--[^\n]*\n)*[ \t]*$"
)
_ACCESS_BYTES: Final = 600
_KINDS: Final = {
    "class": SymbolKind.CLASS,
    "enum": SymbolKind.ENUM,
    "alias": SymbolKind.TYPE_ALIAS,
    "field": SymbolKind.VARIABLE,
}
_ACCESS: Final = {
    "private": Visibility.PRIVATE,
    "protected": Visibility.PROTECTED,
    "package": Visibility.INTERNAL,
    "local": Visibility.PRIVATE,
}


def defines(comment: str) -> bool:
    """Return whether a line of a comment is a definition rather than a description."""
    return _DEFINES.match(comment) is not None


def settle(definitions: list[Definition], source: "SourceText") -> None:
    """Set the extent of annotated types, and merge the table of the same name into them."""
    types = [each for each in definitions if _is_type(each, source)]
    if not types:
        return
    by_start: dict[int, Definition] = {}
    for definition in definitions:
        by_start.setdefault(definition.start_byte, definition)
    taken: set[int] = set()
    for definition in types:
        end = _end_of_comment(definition, source)
        table = _table_below(_tag_and_name(definition, source)[1], end, by_start, source)
        if table is not None:
            taken.add(id(table))
            definition.captures["name"] = table.captures["name"]
            end = table.end_byte
        definition.end_byte = end
        definition.line_end = definition.line_start + source.data.count(
            b"\n", definition.start_byte, end
        )
    definitions[:] = [each for each in definitions if id(each) not in taken]


def name_of(definition: Definition, source: "SourceText") -> str:
    """Return the name in the annotation; a field outside a type defines nothing."""
    tag, name = _tag_and_name(definition, source)
    if tag == "field" and (definition.parent is None or definition.parent.node.type != "comment"):
        return ""
    return name


def kind_of(definition: Definition, source: "SourceText") -> SymbolKind:
    """Return the kind by tag."""
    tag, _ = _tag_and_name(definition, source)
    return _KINDS.get(tag, SymbolKind.CLASS)


def is_enum(definition: Definition | None, source: "SourceText") -> bool:
    """Return whether a definition is an annotated enum."""
    return definition is not None and _tag_and_name(definition, source)[0] == "enum"


def visibility_of(definition: Definition, source: "SourceText") -> Visibility:
    """Return the visibility by the word before a field's name; types are public."""
    found = _ANNOTATION.match(source.text_of(definition.node))
    access = "" if found is None else found["access"] or ""
    return _ACCESS.get(access, Visibility.PUBLIC)


def visibility_above(definition: Definition, source: "SourceText") -> Visibility | None:
    """Return the visibility by `---@private` and the like in the comment above, or None."""
    start = definition.start_byte
    above = source.data[max(0, start - _ACCESS_BYTES) : start]
    if b"@" not in above:
        return None
    found = _ACCESS_ABOVE.search(above)
    return None if found is None else _ACCESS[found[1].decode("ascii")]


def signature_of(definition: Definition, source: "SourceText") -> str:
    """Return the annotation without its marker; an alias with the members below it."""
    text = source.text_of(definition.node).lstrip("-").strip().removeprefix("@")
    if definition.kind is SymbolKind.TYPE_ALIAS:
        lines = source.data[definition.node.end_byte : definition.end_byte]
        members = [line.decode("utf-8", "replace") for line in _ALIAS_MEMBER.findall(lines)]
        text = " ".join([text, *(member.strip().lstrip("-") for member in members)])
    return fold_white_space(text)[:MAX_SIGNATURE_CHARACTERS]


def _is_type(definition: Definition, source: "SourceText") -> bool:
    # The query finds types and fields; only fields have an `f` after the `@`.
    start = definition.start_byte
    return definition.kind is SymbolKind.CLASS and source.data.find(b"@f", start, start + 8) < 0


def _tag_and_name(definition: Definition, source: "SourceText") -> tuple[str, str]:
    if definition.node_type != "comment":
        return "", ""
    found = _ANNOTATION.match(source.text_of(definition.node))
    return ("", "") if found is None else (found["tag"], found["name"])


def _end_of_comment(definition: Definition, source: "SourceText") -> int:
    start = definition.node.end_byte
    found = _MORE_LINES.match(source.data, start)
    return start if found is None else found.end()


def _table_below(
    name: str, end: int, by_start: dict[int, Definition], source: "SourceText"
) -> Definition | None:
    found = _TABLE_BELOW.match(source.data, end)
    if found is None or source.data.count(b"\n", end, found.start(1)) > 1:
        return None
    target = found[1].decode("utf-8", "replace")
    if name.rpartition(".")[2] != target.rpartition(".")[2]:
        return None
    start = end + len(found.group()) - len(found.group().lstrip())
    return by_start.get(start)
