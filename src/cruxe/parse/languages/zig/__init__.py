"""Zig: files that are structs, types that are values, `pub`, imports bound by constants."""

from cruxe.parse.language import Language
from cruxe.parse.languages.zig.rules import ZigRules

LANGUAGE = Language(
    name="zig",
    extensions=(".zig", ".zon"),
    grammar="tree_sitter_zig:language",
    rules=ZigRules(),
    binds_its_names=True,
)
