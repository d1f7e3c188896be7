"""Matches sorted by what they are about: definitions, sites, imports, comments and the rest."""

from typing import TYPE_CHECKING, NamedTuple

from cruxe.parse.language import Definition
from cruxe.parse.subjects import DEFINED_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from cruxe.model.symbols import SiteKind
    from cruxe.parse.places import Match
    from cruxe.parse.subjects import Subject

    RawSite = tuple[SiteKind, int, tuple[int, int] | None]  # where it ends, and its qualifier


class Found(NamedTuple):
    """The matches of one file, sorted by what they are."""

    definitions: list[Definition]
    sites: "dict[int, RawSite]"  # by offset
    imports: "list[Node]"
    comments: "list[Node]"
    errors: "list[Node]"
    type_parameters: "list[Node]"


def sort_matches(matches: "list[Match]", subjects: "Sequence[Subject]") -> Found:
    """Sort the matches of a file; of several sites in one place the one that says most is kept."""
    found = Found([], {}, [], [], [], [])
    sites = found.sites
    for pattern, captures in matches:
        capture, kind, may_be_qualified, otherwise = subjects[pattern]
        while otherwise is not None and capture not in captures:
            capture, kind, may_be_qualified, otherwise = otherwise
        if kind is None:
            _keep(found, capture, captures)
            continue
        start, end = captures[capture][0].byte_range
        qualifiers = captures.get("qualifier") if may_be_qualified else None
        site = (kind, end, qualifiers[0].byte_range if qualifiers else None)
        rival = sites.setdefault(start, site)
        if rival is not site and _says_more(site, rival):
            sites[start] = site
    return found


def _says_more(site: "RawSite", rival: "RawSite") -> bool:
    """A reference says least, and a mention without its qualifier less than with it."""
    return (site[0], site[2] is None) < (rival[0], rival[2] is None)


def _keep(found: Found, capture: str, captures: "dict[str, list[Node]]") -> None:
    nodes = captures[capture]
    if capture in DEFINED_KINDS:
        found.definitions.append(Definition(nodes[0], DEFINED_KINDS[capture], captures))
    elif capture == "comment":
        found.comments.extend(nodes)
    elif capture == "import":
        found.imports.append(nodes[0])
    elif capture == "type_parameter":
        found.type_parameters.extend(nodes)
    elif capture == "error":
        found.errors.append(nodes[0])
