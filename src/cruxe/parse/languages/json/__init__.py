"""JSON, with or without comments: keys of the upper levels, Kubernetes objects by name."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import
from cruxe.parse.language import Language
from cruxe.parse.languages.json.keys import KeyRules

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source import SourceText

# Settings are written with a comma behind the last entry, which the grammar does not know.
_LAST_COMMA: Final = re.compile(rb",(?=\s*[}\]])")
_STRING: Final = re.compile(r'"([^"\\\n]+)"')


class JsonRules(KeyRules):
    """What the queries cannot say of JSON."""

    def legible(self, source: "SourceText") -> bytes:
        """The text without commas behind last entries."""
        return _LAST_COMMA.sub(b" ", source.data)

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """`"extends": "./base.json"`, or a list of such."""
        value = node.child_by_field_name("value")
        line = node.start_point[0] + 1
        if value is not None:
            for found in _STRING.finditer(source.text_of(value)):
                yield Import(found[1], "*", "", line)


LANGUAGE = Language(
    name="json",
    extensions=(
        *(".json", ".jsonc", ".json5", ".code-workspace", ".webmanifest", ".babelrc", ".eslintrc"),
        *(".swcrc", ".jshintrc", ".jscsrc"),
    ),
    filenames=(".babelrc", ".eslintrc", ".swcrc", ".jshintrc", ".jscsrc", ".lintstagedrc"),
    grammar="tree_sitter_json:language",
    rules=JsonRules(),
)
