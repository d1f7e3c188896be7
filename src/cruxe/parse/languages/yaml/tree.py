"""A YAML file from its query matches: documents with keys, anchors, mentions, comments."""

from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SiteKind, SymbolKind
from cruxe.parse.languages.json.keys import Key
from cruxe.parse.pattern_subjects import SITE_RANKS

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.model.symbols import Span
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match, Mention

_REFERENCE: Final = SITE_RANKS[SiteKind.REFERENCE]
_EXTENDS: Final = SITE_RANKS[SiteKind.EXTENDS]


class YamlTree:
    """One file, read from its matches."""

    def __init__(self, matches: "list[Match]", source: "SourceText") -> None:
        """Sort the matches by category."""
        self._line_starts = source.line_starts
        self._nodes: dict[Key, Node] = {}  # of keys that span several lines
        self.documents: list[Key] = []
        self.anchors: list[Key] = []
        self.comments: list[Span] = []
        self.sites: dict[int, Mention] = {}
        self.error_rows: list[int] = []
        keys: list[Key] = []
        for _, captures in matches:
            if nodes := captures.get("definition.variable"):
                keys.append(self._key(nodes[0], captures["name"][0]))
            elif nodes := captures.get("comment"):
                self.comments.append(nodes[0].byte_range)
            elif nodes := captures.get("scope"):
                self.documents.append(self._key(nodes[0], nodes[0]))
            else:
                self._keep_rare(captures)
        self._nest(keys)

    def end_before_comments(self, key: Key, source: "SourceText") -> None:
        """Exclude comments after the last entry: they belong to what follows."""
        if key.line_start == key.line_end:
            return
        start = self._line_starts[key.line_end - 1]
        if source.data[start : key.end].lstrip().startswith(b"#"):
            _, key.end = _last_entry(self._nodes[key]).byte_range
            key.find_lines(self._line_starts)

    def _key(self, node: "Node", name: "Node") -> Key:
        key = Key(*node.byte_range, *name.byte_range)
        key.find_lines(self._line_starts)
        if key.line_end > key.line_start:
            self._nodes[key] = node
        return key

    def _keep_rare(self, captures: "dict[str, list[Node]]") -> None:
        if nodes := captures.get("definition.constant"):
            anchor = self._key(nodes[0], captures["name"][0])
            anchor.kind = SymbolKind.CONSTANT
            self.anchors.append(anchor)
        elif nodes := captures.get("extends"):
            start, end = nodes[0].byte_range
            self.sites[start] = (_EXTENDS, end, None)
        elif nodes := captures.get("reference"):
            start, end = nodes[0].byte_range
            self.sites.setdefault(start, (_REFERENCE, end, None))
        elif nodes := captures.get("error"):
            self.error_rows.append(nodes[0].start_point[0])

    def _nest(self, keys: list[Key]) -> None:
        """Assign the keys to their parents; only a key of several lines may hold others."""
        around: list[Key] = []
        for key in sorted([*self.documents, *keys], key=lambda each: (each.start, -each.end)):
            while around and around[-1].end <= key.start:
                around.pop()
            if around:
                around[-1].entries.append(key)
            around.append(key)
        for key, node in self._nodes.items():
            key.holds_keys = bool(key.entries) or _holds_keys(node)


def _holds_keys(node: "Node") -> bool:
    """Return whether the value of a key is a mapping; an anchor may precede it."""
    value = node.child_by_field_name("value")
    if value is None or value.type != "block_node":
        return False
    return value.children[-1].type == "block_mapping"


def _last_entry(node: "Node") -> "Node":
    """Return the last inner node that is no comment; the node itself for a key without value."""
    while inner := [child for child in node.named_children if child.type != "comment"]:
        if len(inner) == 1 and node.type == "block_mapping_pair":
            break
        node = inner[-1]
    return node
