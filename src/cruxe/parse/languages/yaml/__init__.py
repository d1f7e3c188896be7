"""YAML: keys of the upper levels, anchors, Kubernetes objects by name, `uses` of workflows."""

from typing import TYPE_CHECKING, Final

from cruxe.parse.language import Language
from cruxe.parse.languages.json.naming import KeyRules

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Match, Outline

# helm-docs marks a description with this.
_DESCRIPTION_MARK: Final = "-- "


class YamlRules(KeyRules):
    """Reads plain YAML line by line, other files with the grammar."""

    def legible(self, source: "SourceText") -> bytes:
        """Return the text without templates and too deep nesting."""
        from cruxe.parse.languages.yaml.legible import plain_yaml

        return plain_yaml(source.data)

    def outline(self, source: "SourceText") -> "Outline | None":
        """Return keys, objects and mentions of jobs and services, or None if not plain."""
        from cruxe.parse.languages.yaml.outline import outline_of_lines

        return outline_of_lines(self.legible(source).decode("latin-1"), source)

    def outline_of(self, matches: "list[Match]", source: "SourceText") -> "Outline":
        """Return the same from the tree, with anchors."""
        from cruxe.parse.languages.yaml.outline import outline_of_tree

        return outline_of_tree(matches, source)

    def doc_of(self, above: str) -> str:
        """Return the comment above without the description mark."""
        return above.removeprefix(_DESCRIPTION_MARK)


LANGUAGE = Language(
    name="yaml",
    extensions=(".yaml", ".yml"),
    filenames=(".clang-format", ".clang-tidy", ".clangd", ".yamllint", "citation.cff"),
    grammar="tree_sitter_yaml:language",
    rules=YamlRules(),
)
