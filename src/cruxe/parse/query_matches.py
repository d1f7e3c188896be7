"""Matches sorted by what they are about: definitions, sites, imports, comments and the rest."""

from array import array
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.native import kernels
from cruxe.parse.language import Definition, definition_numbers
from cruxe.parse.pattern_subjects import COMMENT, DEFINED_KINDS, DEFINITION

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.model.symbols import Span
    from cruxe.native.parsing import DefinitionNumbers, SortedMatches
    from cruxe.parse.pattern_subjects import Subject
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match, Mention

    Captures = dict[str, list[Node]]

_NO_QUALIFIER: Final = (-1, -1)


class Found(NamedTuple):
    """The matches of one file, sorted by what they are."""

    definitions: list[Definition]
    comments: "list[Span]"
    # Where each starts and ends, the rank of its kind, and where its qualifier starts and ends or
    # -1 twice: five numbers of 64 bits a site, by offset.
    sites: bytes
    imports: "list[Node]"
    errors: "list[Node]"
    type_parameters: "list[Node]"


def sort_matches(
    matches: "list[Match]", subjects: "tuple[Subject, ...]", source: "SourceText"
) -> Found:
    """Sort the matches of a file; of several sites in one place the one that says most is kept."""
    in_c = kernels()
    sort = _sort if in_c is None else in_c.sort_matches
    kinds = subjects, DEFINITION, COMMENT
    defined, comments, others, sites = sort(matches, kinds, source.data, source.line_starts)
    definitions = [
        Definition(captures[capture][0], DEFINED_KINDS[capture], captures, numbers)
        for capture, captures, numbers in defined
    ]
    found = Found(definitions, comments, sites, [], [], [])
    for capture, captures in others:
        nodes = captures[capture]
        if capture == "import":
            found.imports.append(nodes[0])
        elif capture == "type_parameter":
            found.type_parameters.extend(nodes)
        elif capture == "error":
            found.errors.append(nodes[0])
    return found


def _sort(
    matches: "list[Match]",
    kinds: "tuple[tuple[Subject, ...], int, int]",
    data: bytes,
    line_starts: list[int],
) -> "SortedMatches[Captures]":
    del data, line_starts
    subjects, *_ = kinds
    definitions: list[tuple[str, Captures, DefinitionNumbers]] = []
    comments: list[Span] = []
    others: list[tuple[str, Captures]] = []
    mentions: dict[int, Mention] = {}
    for pattern, captures in matches:
        capture, kind, may_be_qualified, otherwise = subjects[pattern]
        while otherwise is not None and capture not in captures:
            capture, kind, may_be_qualified, otherwise = otherwise
        nodes = captures[capture]
        if kind == DEFINITION:
            definitions.append((capture, captures, definition_numbers(nodes[0], captures)))
        elif kind == COMMENT:
            comments.extend(node.byte_range for node in nodes)
        elif kind < 0:
            others.append((capture, captures))
        else:
            qualifiers = captures.get("qualifier") if may_be_qualified else None
            _keep(mentions, kind, nodes[0], qualifiers[0].byte_range if qualifiers else None)
    return definitions, comments, others, packed_sites(mentions)


def _keep(
    mentions: "dict[int, Mention]", kind: int, node: "Node", qualifier: "Span | None"
) -> None:
    start, end = node.byte_range
    mention = (kind, end, qualifier)
    rival = mentions.setdefault(start, mention)
    # A mention without its qualifier says less than with it.
    if (kind, qualifier is None) < (rival[0], rival[2] is None):
        mentions[start] = mention


def packed_sites(mentions: "dict[int, Mention]") -> bytes:
    """Sites as `Found` has them, from what is known of each by its offset."""
    sites = array("q")
    for start in sorted(mentions):
        kind, end, qualifier = mentions[start]
        sites.extend((start, end, kind, *(qualifier or _NO_QUALIFIER)))
    return sites.tobytes()
