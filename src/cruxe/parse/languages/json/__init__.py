"""JSON, with or without comments: keys of the upper levels, Kubernetes objects by name."""

from typing import TYPE_CHECKING

from cruxe.parse.language import Language
from cruxe.parse.languages.json.naming import KeyRules

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Outline


class JsonRules(KeyRules):
    """Reads JSON key by key, without a grammar."""

    def outline(self, source: "SourceText") -> "Outline":
        """Return keys, Kubernetes objects, and the `extends` of settings as imports."""
        from cruxe.parse.languages.json.outline import outline_of_keys

        return outline_of_keys(source)


LANGUAGE = Language(
    name="json",
    extensions=(
        *(".json", ".jsonc", ".json5", ".code-workspace", ".webmanifest", ".babelrc", ".eslintrc"),
        *(".swcrc", ".jshintrc", ".jscsrc"),
    ),
    filenames=(".babelrc", ".eslintrc", ".swcrc", ".jshintrc", ".jscsrc", ".lintstagedrc"),
    rules=JsonRules(),
)
