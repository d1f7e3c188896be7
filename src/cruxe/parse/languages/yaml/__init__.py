"""YAML: keys of the upper levels, anchors, Kubernetes objects by name, what workflows use."""

from typing import TYPE_CHECKING, Final

from cruxe.parse.language import Language
from cruxe.parse.languages.json.naming import KeyRules

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match, Outline

# How helm-docs marks a comment as a description.
_DESCRIPTION_MARK: Final = "-- "


class YamlRules(KeyRules):
    """How YAML is read: line by line while it is plain, else by the grammar."""

    def legible(self, source: "SourceText") -> bytes:
        """The text without templates and endless nesting."""
        from cruxe.parse.languages.yaml.legible import plain_yaml

        return plain_yaml(source.data)

    def outline(self, source: "SourceText") -> "Outline | None":
        """Keys, objects, and jobs and services that others wait for, build on or use."""
        from cruxe.parse.languages.yaml.outline import outline_of_lines

        return outline_of_lines(self.legible(source).decode("latin-1"), source)

    def outline_of(self, matches: "list[Match]", source: "SourceText") -> "Outline":
        """The same, and anchors."""
        from cruxe.parse.languages.yaml.outline import outline_of_tree

        return outline_of_tree(matches, source)

    def doc_of(self, above: str) -> str:
        """The comment above, without the mark of a description."""
        return above.removeprefix(_DESCRIPTION_MARK)


LANGUAGE = Language(
    name="yaml",
    extensions=(".yaml", ".yml"),
    filenames=(".clang-format", ".clang-tidy", ".clangd", ".yamllint", "citation.cff"),
    grammar="tree_sitter_yaml:language",
    rules=YamlRules(),
)
