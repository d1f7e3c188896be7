"""Sites: mentions of names, each placed in the innermost symbol around it."""

import re
import sys
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import NO_SYMBOL, Import, Site, SiteKind
from cruxe.parse.generics import is_parameter, scopes_of
from cruxe.parse.language import Language
from cruxe.parse.source import SourceText
from cruxe.parse.symbols import FileSymbols
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from cruxe.parse.matches import Found

# Where a grammar nests a path to the right, or leaves it flat, only its last part is captured.
_PATH: Final = re.compile(r"(?:\w+::)+\Z", re.ASCII)
# Longer receivers are whole expressions; their end says what the call is made on.
MAX_QUALIFIER_CHARACTERS: Final = 60
_BEYOND: Final = sys.maxsize  # further than any offset


def place_sites(
    found: "Found",
    built: FileSymbols,
    imports: tuple[Import, ...],
    source: SourceText,
    language: Language,
) -> tuple[Site, ...]:
    """Name, qualify and place sites, in file order.

    Left out are bare mentions that cannot mean anything outside the function they stand in, and a
    definition's own name.
    """
    raw = found.sites
    sites: list[Site] = []
    for definition in built.definitions:
        raw.pop(definition.name_start, None)
    predeclared, bound = language.predeclared, _bound_names(built, imports, language)
    parameters, reference = scopes_of(found.type_parameters, source), SiteKind.REFERENCE
    special, has_paths = predeclared | parameters.keys(), language.separator == "::"
    text, is_ascii = source.characters, source.characters.isascii()
    # Offsets are walked once, with the lines and the owners that they pass.
    bounds, owner_starts, owners = [*source.line_starts, _BEYOND], *_owners(built)
    line, step, owner = 0, 0, NO_SYMBOL
    next_line, next_owner = bounds[0], owner_starts[0]
    for start in sorted(raw):
        kind, end, qualifier = raw[start]
        name = text[start:end] if is_ascii else source.text_between(start, end)
        receiver = ""
        if qualifier is not None:
            receiver = _receiver(qualifier, source, has_paths=has_paths)
        elif (bound is not None and kind is reference and name not in bound) or (
            name in special and (name in predeclared or is_parameter(kind, start, parameters[name]))
        ):
            continue
        while start >= next_line:
            line += 1
            next_line = bounds[line]
        while start >= next_owner:
            owner = owners[step]
            step += 1
            next_owner = owner_starts[step]
        if name:  # a parser that recovers from an error makes up empty nodes
            sites.append((kind, name, receiver, line, owner))
    return tuple(sites)


def _bound_names(
    built: FileSymbols, imports: tuple[Import, ...], language: Language
) -> set[str] | None:
    """The names a file defines or imports, where it uses no others; else nothing."""
    if not language.binds_its_names or any(item.name == "*" for item in imports):
        return None
    return {symbol.name for symbol in built.symbols} | {item.alias for item in imports}


def _owners(built: FileSymbols) -> tuple[list[int], list[int]]:
    """Offsets at which another symbol owns what follows, and which; spans may overlap."""
    starts: list[int] = []
    owners: list[int] = []
    around: list[tuple[int, int]] = []  # (end, owner), the last that started last
    for start, end, owner in [*built.owners, (_BEYOND, _BEYOND, NO_SYMBOL)]:
        while around and around[-1][0] <= start:
            ended, _ = around.pop()
            while around and around[-1][0] <= ended:
                around.pop()
            starts.append(ended)
            owners.append(around[-1][1] if around else NO_SYMBOL)
        around.append((end, owner))
        starts.append(start)
        owners.append(owner)
    return starts, owners


def _receiver(span: tuple[int, int], source: SourceText, *, has_paths: bool) -> str:
    start, end = span
    if end - start <= MAX_QUALIFIER_CHARACTERS:
        receiver = source.text_between(start, end)
        if "\n" in receiver:
            receiver = fold_white_space(receiver)
    else:
        tail = source.text_between(max(start, end - 4 * MAX_QUALIFIER_CHARACTERS), end)
        receiver = fold_white_space(tail)[-MAX_QUALIFIER_CHARACTERS:]
    if has_paths and source.data.endswith(b"::", 0, start):
        return _path_before(source, start) + receiver
    return receiver


def _path_before(source: SourceText, end: int) -> str:
    """The parts of a path before an offset: `a::` before the `b` of `a::b::c`."""
    found = _PATH.search(source.characters, max(0, end - MAX_QUALIFIER_CHARACTERS), end)
    return found.group() if found else ""
