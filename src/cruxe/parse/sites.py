"""Sites: mentions of names, each assigned to the innermost symbol around it."""

import re
import sys
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import NO_SITES, NO_SYMBOL, Import, SiteKind
from cruxe.native import kernels
from cruxe.parse.language import Language
from cruxe.parse.pattern_subjects import RANKED_KINDS
from cruxe.parse.source_text import SourceText
from cruxe.parse.symbol_building import FileSymbols
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from cruxe.model.symbols import Span
    from cruxe.native.parsing import SiteNames, SiteSurroundings, SiteText
    from cruxe.parse.query_matches import Found

# If a grammar nests a path to the right, or leaves it flat, only its last part is captured.
_PATH: Final = re.compile(r"(?:\w+::)+\Z", re.ASCII)
# A longer receiver is a whole expression; its end shows what the call is made on.
MAX_QUALIFIER_CHARACTERS: Final = 60
_REFERENCE: Final = SiteKind.REFERENCE
_CALL_RANK: Final = RANKED_KINDS.index(SiteKind.CALL)
_REFERENCE_RANK: Final = RANKED_KINDS.index(SiteKind.REFERENCE)
_PARAMETER: Final = "parameter"
# A definition is at most this many nodes above the name of its type parameter.
_MAX_CLIMB: Final = 8
_BRACKET: Final = re.compile(r"[<>()\[\]{}]")
_BEYOND: Final = sys.maxsize  # greater than any offset


def place_sites(
    found: "Found",
    built: FileSymbols,
    imports: tuple[Import, ...],
    source: SourceText,
    language: Language,
) -> bytes:
    """Return the sites, encoded as `ParsedFile.written_sites`.

    Leaves out a definition's own name and unqualified mentions that can only be local: built-in
    names, type parameters, local variables.
    """
    if not found.sites:
        return NO_SITES
    has_paths = language.separator == "::"

    def receiver_of(start: int, end: int) -> str:
        return _receiver(start, end, source, has_paths=has_paths)

    own_names = sorted([definition.name_start for definition in built.definitions])
    names = (
        RANKED_KINDS,
        _CALL_RANK,
        _REFERENCE_RANK,
        language.predeclared,
        _scopes_of(found.type_parameters, source),
        _bound_names(built, imports, language),
    )
    in_c = kernels()
    place = _place if in_c is None else in_c.place_sites
    text = (source.data, source.line_starts, receiver_of, has_paths, MAX_QUALIFIER_CHARACTERS)
    return place(found.sites, text, (own_names, *_owners(built)), names)


def _place(
    sites: bytes, text: "SiteText", around: "SiteSurroundings", names: "SiteNames[SiteKind]"
) -> bytes:
    from msgspec.json import encode

    data, line_starts, receiver_of, _, _ = text
    own_names, owned, owners = around
    kinds, _, _, predeclared, parameters, bound = names
    placed: list[tuple[int, int, int, int, int]] = []
    numbers: dict[str, int] = {}  # of names and receivers, by first occurrence
    own, special = set(own_names), predeclared | parameters.keys()
    # Sites are sorted by offset, so lines and owners advance with them in one pass.
    bounds, owned = [*line_starts, _BEYOND], [*owned, _BEYOND]
    line, step = 0, 0
    for start, end, rank, qualifier_start, qualifier_end in _numbers(sites):
        name, kind, receiver = data[start:end].decode("utf-8", "replace"), kinds[rank], ""
        if not name or start in own:  # error recovery of the parser inserts empty nodes
            continue
        if qualifier_start >= 0:
            receiver = receiver_of(qualifier_start, qualifier_end)
        elif (bound is not None and kind is _REFERENCE and name not in bound) or (
            name in special
            and (name in predeclared or _is_parameter(kind, start, parameters[name]))
        ):
            continue
        while start >= bounds[line]:
            line += 1
        while start >= owned[step]:
            step += 1
        number = numbers.setdefault(name, len(numbers))
        placed.append(
            (rank, number, numbers.setdefault(receiver, len(numbers)), line, owners[step])
        )
    texts = [*numbers]
    written: dict[str, dict[str, dict[str, list[tuple[int, int]]]]] = {}
    for rank, number, receiver_number, line, owner in sorted(placed, key=itemgetter(0, 1, 2)):
        receivers = written.setdefault(kinds[rank], {}).setdefault(texts[number], {})
        receivers.setdefault(texts[receiver_number], []).append((line, owner))
    return encode(written)


def _numbers(sites: bytes) -> "Iterator[tuple[int, int, int, int, int]]":
    """Return the five numbers of each site: see `query_matches.Found`."""
    numbers = iter(memoryview(sites).cast("q"))
    return zip(numbers, numbers, numbers, numbers, numbers, strict=True)


def _bound_names(
    built: FileSymbols, imports: tuple[Import, ...], language: Language
) -> set[str] | None:
    """Return the names a file defines or imports, or None if it may use others."""
    if not language.binds_its_names or any(item.name == "*" for item in imports):
        return None
    return {symbol.name for symbol in built.symbols} | {item.alias for item in imports}


def _owners(built: FileSymbols) -> tuple[list[int], list[int]]:
    """Return the offsets where the owner changes, and the owner after each count of them.

    `owners[n]` is the owner after `n` offsets have been passed. Spans may overlap.
    """
    starts: list[int] = []
    owners = [NO_SYMBOL]
    around: list[tuple[int, int]] = []  # (end, owner) in order of start
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


def _receiver(start: int, end: int, source: SourceText, *, has_paths: bool) -> str:
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
    """Return the parts of a path before an offset: `a::` before the `b` of `a::b::c`."""
    found = _PATH.search(source.characters, max(0, end - MAX_QUALIFIER_CHARACTERS), end)
    return found.group() if found else ""


def _scopes_of(parameters: "Iterable[Node]", source: "SourceText") -> "dict[str, list[Span]]":
    """Map the name of each type parameter to the spans in which it is in scope."""
    scopes: dict[str, list[Span]] = {}
    scope, previous_end = (0, 0), -1
    for node in parameters:
        start, end = node.byte_range
        # `node.parent` walks from the root, so parameters of one list share the first one's scope.
        is_first = not 0 <= previous_end <= start
        if is_first or _BRACKET.search(source.characters, previous_end, start):
            scope = _scope_of(node)
        previous_end = end
        scopes.setdefault(source.text_between(start, end), []).append(scope)
    return scopes


def _is_parameter(kind: SiteKind, start: int, scopes: "list[Span]") -> bool:
    """Return whether an unqualified mention is in one of these scopes; a call never counts."""
    if kind is not SiteKind.CALL:
        for begin, end in scopes:
            if begin <= start < end:
                return True
    return False


def _scope_of(name: "Node") -> "Span":
    """Return the span of the definition whose parameter list holds this name."""
    node = name
    for _ in range(_MAX_CLIMB):
        parent = node.parent
        if parent is None:
            break
        is_list = _PARAMETER in node.type and _PARAMETER not in parent.type
        node = parent
        if is_list:
            break
    return node.byte_range
