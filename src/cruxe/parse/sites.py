"""Sites: mentions of names, each placed in the innermost symbol around it."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import NO_SYMBOL, Import, Site, SiteKind
from cruxe.parse.language import Language
from cruxe.parse.source import SourceText
from cruxe.parse.symbols import FileSymbols
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    RawSite = tuple[Node, SiteKind, Node | None]

# Where a grammar nests a path to the right, or leaves it flat, only its last part is captured.
_PATH: Final = re.compile(rb"(?:\w+::)+\Z")
# Longer receivers are whole expressions; their end says what the call is made on.
MAX_QUALIFIER_CHARACTERS: Final = 60


def says_more(site: "RawSite", rival: "RawSite") -> bool:
    """Whether the first of two sites of one place says more of it.

    A reference says least, and a mention without its qualifier less than with it.
    """
    return (site[1], site[2] is None) < (rival[1], rival[2] is None)


def place_sites(
    raw: "dict[int, RawSite]",
    built: FileSymbols,
    imports: tuple[Import, ...],
    source: SourceText,
    language: Language,
) -> tuple[Site, ...]:
    """Name, qualify and place sites, in file order.

    Left out are bare mentions that cannot mean anything outside the function they stand in, and a
    definition's own name.
    """
    for definition in built.definitions:
        if (own_name := definition.capture("name")) is not None:
            raw.pop(own_name.start_byte, None)
    data, owners = source.data, built.owners
    predeclared, bound = language.predeclared, _bound_names(built, imports, language)
    following, count, has_paths = 0, len(owners), language.separator == "::"
    around: list[tuple[int, int]] = []  # (end offset, ordinal), innermost last
    sites: list[Site] = []
    # A third of the time that the type's own constructors take.
    new = tuple[SiteKind | str | int, ...].__new__
    for start in sorted(raw):
        node, kind, qualifier = raw[start]
        name = data[start : node.end_byte].decode("utf-8", "replace")
        if qualifier is not None:
            receiver = _qualifier_text(data, qualifier)
            if has_paths and data.endswith(b"::", 0, qualifier.start_byte):
                receiver = _path_before(data, qualifier.start_byte) + receiver
        elif name in predeclared or (
            bound is not None and kind is SiteKind.REFERENCE and name not in bound
        ):
            continue
        else:
            receiver = ""
        while following < count and owners[following][0] <= start:
            around.append(owners[following][1:])
            following += 1
        while around and around[-1][0] <= start:
            around.pop()
        if name:  # a parser that recovers from an error makes up empty nodes
            owner = around[-1][1] if around else NO_SYMBOL
            sites.append(new(Site, (kind, name, receiver, node.start_point[0] + 1, owner)))
    return tuple(sites)


def _bound_names(
    built: FileSymbols, imports: tuple[Import, ...], language: Language
) -> set[str] | None:
    """The names a file defines or imports, where it uses no others; else nothing."""
    if not language.binds_its_names or any(item.name == "*" for item in imports):
        return None
    return {symbol.name for symbol in built.symbols} | {item.alias for item in imports}


def _qualifier_text(data: bytes, node: "Node") -> str:
    start, end = node.start_byte, node.end_byte
    if end - start <= MAX_QUALIFIER_CHARACTERS:
        text = data[start:end].decode("utf-8", "replace")
        return fold_white_space(text) if "\n" in text else text
    tail = data[max(start, end - 4 * MAX_QUALIFIER_CHARACTERS) : end].decode("utf-8", "replace")
    return fold_white_space(tail)[-MAX_QUALIFIER_CHARACTERS:]


def _path_before(data: bytes, end: int) -> str:
    """The parts of a path before an offset: `a::` before the `b` of `a::b::c`."""
    found = _PATH.search(data, max(0, end - MAX_QUALIFIER_CHARACTERS), end)
    return found.group().decode("utf-8", "replace") if found else ""
