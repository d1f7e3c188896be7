"""A YAML file as an outline, from its plain lines or from query matches."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import
from cruxe.parse.languages.json.documents import keys_to_show
from cruxe.parse.languages.json.keys import draft_keys
from cruxe.parse.languages.json.naming import prefix_of
from cruxe.parse.languages.yaml.mentions import mentions
from cruxe.parse.languages.yaml.plain import PlainReader
from cruxe.parse.languages.yaml.tree import YamlTree
from cruxe.parse.pattern_subjects import SITE_RANKS
from cruxe.parse.text_places import Outline, broken_at

if TYPE_CHECKING:
    from cruxe.model.symbols import ParseProblem, Span
    from cruxe.parse.languages.json.keys import Key
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match, Mention

_ALIAS: Final = "*"
_MAX_ANCHORS: Final = 64
_USES: Final = re.compile(rb"^[ \t]*(?:-[ \t]+)?uses:[ \t]+[\"']?([^\s\"'#]+)", re.MULTILINE)


def outline_of_lines(text: str, source: "SourceText") -> Outline | None:
    """Return the outline of a file whose legible text is plain, else None."""
    reader = PlainReader(text, source.line_starts)
    if not reader.read():
        return None
    return _outline(keys_to_show(reader.documents, source), reader.comments, {}, source)


def outline_of_tree(matches: "list[Match]", source: "SourceText") -> Outline:
    """Return the outline of any other file."""
    tree = YamlTree(matches, source)
    keys = keys_to_show(tree.documents, source)
    for key in keys:
        tree.end_before_comments(key, source)
    keys += [each for each in tree.anchors[:_MAX_ANCHORS] if not _repeats_key(each, source)]
    outline = _outline(keys, tree.comments, tree.sites, source)
    return outline._replace(problems=_problem(tree.error_rows, source))


def _outline(
    keys: "list[Key]",
    comments: "list[Span]",
    sites: "dict[int, Mention]",
    source: "SourceText",
) -> Outline:
    drafts = draft_keys(keys, source, prefix_of(source.path), nameless=_ALIAS)
    return Outline(
        drafts=drafts,
        comments=comments,
        imports=_imports(source) if _is_workflow(source.path) else (),
        sites=_sites(sites, keys, source),
        owners=tuple([(key.start, key.end, key.ordinal) for key in keys]),
    )


def _repeats_key(anchor: "Key", source: "SourceText") -> bool:
    """Return whether an anchor has the name of its key: `base: &base`."""
    start = source.data.rfind(b"\n", 0, anchor.start) + 1
    before = source.text_between(start, anchor.start)
    own = source.text_between(anchor.start, anchor.end)
    return before.strip().rstrip(": ").lstrip("- ").strip("\"'") == own.removeprefix("&")


def _problem(rows: list[int], source: "SourceText") -> "tuple[ParseProblem, ...]":
    if not rows:
        return ()
    # A token that is missing at the end of the file is reported after the last line.
    return broken_at(min(min(rows) + 1, max(1, source.line_count)))


def _imports(source: "SourceText") -> tuple[Import, ...]:
    """Return the actions and workflows that a GitHub workflow uses."""
    return tuple(
        Import(
            module=source.text_between(*found.span(1)),
            name="",
            alias="",
            line=bisect_right(source.line_starts, found.start(1)),
        )
        for found in _USES.finditer(source.data)
    )


def _is_workflow(path: str) -> bool:
    return ".github/" in path or path.endswith(("action.yml", "action.yaml"))


def _sites(
    found: "dict[int, Mention]", keys: "list[Key]", source: "SourceText"
) -> "dict[int, Mention]":
    """Return aliases and mentions, without the keys' own names."""
    for kind, start, end in mentions(source.data):
        site = (SITE_RANKS[kind], end, None)
        if start not in found or site[0] < found[start][0]:
            found[start] = site
    if found:
        for key in keys:
            found.pop(key.name_start, None)
    return found
