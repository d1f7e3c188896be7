"""Dockerfile: build stages with their arguments and variables, and the images they start from."""

import re
from typing import TYPE_CHECKING, Final

from cruxe.parse.language import Language, Rules

if TYPE_CHECKING:
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Outline

_DIRECTIVE: Final = re.compile(r"#\s*(?:(?:syntax|escape|check)\s*=|hadolint\b)", re.IGNORECASE)
_ENDING: Final = ".dockerfile"
_VARIANTS: Final = (
    *("base", "build", "ci", "debug", "dev", "local", "prod", "release", "test"),
    *("alpine", "amd64", "arm64", "debian", "linux", "ubuntu", "windows"),
)
_GIVEN_BY_BUILDER: Final = frozenset(
    f"{machine}{part}"
    for machine in ("BUILD", "TARGET")
    for part in ("PLATFORM", "OS", "ARCH", "VARIANT")
)


class DockerfileRules(Rules):
    """Reads a Dockerfile instruction by instruction, without a grammar."""

    def outline(self, source: "SourceText") -> "Outline":
        """Return stages and variables; the suffix of `Dockerfile.dev` is part of the module."""
        from cruxe.parse.languages.dockerfile.outline import StageOutline

        path = source.path
        module = path[: -len(_ENDING)] if path.lower().endswith(_ENDING) else path
        return StageOutline(source, module, _GIVEN_BY_BUILDER).outline()

    def is_doc_comment(self, comment: str) -> bool:
        """Return True unless the comment is a builder directive."""
        return _DIRECTIVE.match(comment) is None


LANGUAGE = Language(
    name="dockerfile",
    aliases=("docker",),
    extensions=(_ENDING, ".containerfile"),
    filenames=(
        *("dockerfile", "containerfile"),
        *(f"dockerfile.{variant}" for variant in _VARIANTS),
    ),
    rules=DockerfileRules(),
    predeclared=_GIVEN_BY_BUILDER,
    # Shell commands have local variables.
    binds_its_names=True,
)
