"""YAML: keys of the upper levels, anchors, Kubernetes objects by name, what workflows use."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind
from cruxe.parse.language import Definition, Language, last_line
from cruxe.parse.languages.json.keys import KeyRules
from cruxe.parse.languages.yaml.legible import plain_yaml
from cruxe.parse.languages.yaml.mentions import mentions
from cruxe.parse.places import matched, place

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.places import Match
    from cruxe.parse.source import SourceText

_ALIAS: Final = "*"
_MAX_ANCHORS: Final = 64
_USES: Final = re.compile(rb"^[ \t]*(?:-[ \t]+)?uses:[ \t]+[\"']?([^\s\"'#]+)", re.MULTILINE)
# How helm-docs marks a comment as a description.
_DESCRIPTION_MARK: Final = "-- "


class YamlRules(KeyRules):
    """What the queries cannot say of YAML."""

    def legible(self, source: "SourceText") -> bytes:
        """The text without templates and endless nesting."""
        return plain_yaml(source.data)

    def read(self, source: "SourceText") -> "list[Match]":
        """Jobs, services and objects that others wait for, build on or use."""
        return [
            matched(kind, place(source, start, end)) for kind, start, end in mentions(source.data)
        ]

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Choose keys; an anchor is a symbol unless the key it stands at has its name."""
        anchors = [each for each in definitions if each.kind is SymbolKind.CONSTANT]
        definitions[:] = [each for each in definitions if each.kind is not SymbolKind.CONSTANT]
        super().settle(definitions, source)
        for definition in definitions:
            _end_before_comments(definition, source)
        named = [each for each in anchors[:_MAX_ANCHORS] if not _repeats_its_key(each, source)]
        if named:
            definitions += named
            definitions.sort(key=lambda each: (each.start_byte, -each.end_byte))

    def name(self, definition: Definition, source: "SourceText") -> str:
        """The key; one that repeats another by its anchor has no name of its own."""
        name = super().name(definition, source)
        return "" if name.startswith(_ALIAS) else name

    def holds_keys(self, node: "Node") -> bool:
        """Whether the value of a key is a mapping; an anchor may stand before it."""
        value = node.child_by_field_name("value")
        if value is None or value.type != "block_node":
            return False
        return value.children[-1].type == "block_mapping"

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """The comment above."""
        return super().doc(definition, source, above).removeprefix(_DESCRIPTION_MARK)

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """The actions and workflows that a GitHub workflow uses."""
        del node
        data = source.data
        if not _is_workflow(source.path):
            return
        for found in _USES.finditer(data):
            module = found[1].decode("utf-8", "replace")
            yield Import(module, "", "", bisect_right(source.line_starts, found.start(1)))


def _end_before_comments(definition: Definition, source: "SourceText") -> None:
    """Leave out comments behind the last entry: they are about what follows."""
    if definition.line_start == definition.line_end:
        return
    start = source.line_starts[definition.line_end - 1]
    if not source.data[start : definition.end_byte].lstrip().startswith(b"#"):
        return
    last = _last_entry(definition.node)
    definition.end_byte, definition.line_end = last.end_byte, last_line(last)


def _last_entry(node: "Node") -> "Node":
    """The last node inside another that is no comment; of a key without value, the whole."""
    while inner := [child for child in node.named_children if child.type != "comment"]:
        if len(inner) == 1 and node.type == "block_mapping_pair":
            break
        node = inner[-1]
    return node


def _repeats_its_key(anchor: Definition, source: "SourceText") -> bool:
    """Whether an anchor has the name of its key: `base: &base`."""
    start = source.data.rfind(b"\n", 0, anchor.start_byte) + 1
    before, own = source.text_between(start, anchor.start_byte), source.text_of(anchor.node)
    return before.strip().rstrip(": ").lstrip("- ").strip("\"'") == own.removeprefix("&")


def _is_workflow(path: str) -> bool:
    return ".github/" in path or path.endswith(("action.yml", "action.yaml"))


LANGUAGE = Language(
    name="yaml",
    extensions=(".yaml", ".yml"),
    filenames=(".clang-format", ".clang-tidy", ".clangd", ".yamllint", "citation.cff"),
    grammar="tree_sitter_yaml:language",
    rules=YamlRules(),
)
