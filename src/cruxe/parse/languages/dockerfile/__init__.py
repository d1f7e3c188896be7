"""Dockerfile: build stages with their arguments and variables, and the images they start from."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS, Definition, Language, Rules
from cruxe.parse.languages.dockerfile.stages import (
    end_stages,
    images_of,
    legible_expansions,
    stage_references,
    without_repeats,
)
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.places import Match
    from cruxe.parse.source import SourceText

_DIRECTIVE: Final = re.compile(r"#\s*(?:(?:syntax|escape|check)\s*=|hadolint\b)", re.IGNORECASE)
_CONTINUATION: Final = re.compile(r"[\\`][ \t]*\n(?:[ \t]*#[^\n]*\n)*")
_ENDING: Final = ".dockerfile"
_KEYWORDS: Final = {"arg_pair": "ARG", "env_pair": "ENV"}
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
    """What the queries cannot say of a Dockerfile."""

    def legible(self, source: "SourceText") -> bytes:
        """The text without patterns in expansions."""
        return legible_expansions(source.data)

    def read(self, source: "SourceText") -> "list[Match]":
        """Stages that are copied from or mounted, and variables in shell commands."""
        return stage_references(source)

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Let each stage reach to the next; drop arguments that are declared above."""
        definitions[:] = without_repeats(definitions, source, _GIVEN_BY_BUILDER)
        end_stages([each for each in definitions if each.kind is SymbolKind.MODULE], source)

    def module_path(self, source: "SourceText", root: "Node") -> str:
        """The path; what comes after the dot of `Dockerfile.dev` tells it from others."""
        del root
        path = source.path
        return path[: -len(_ENDING)] if path.lower().endswith(_ENDING) else path

    def name(self, definition: Definition, source: "SourceText") -> str:
        """What `AS` calls a stage; one without it is no symbol."""
        if definition.kind is not SymbolKind.MODULE:
            return super().name(definition, source)
        alias = definition.node.child_by_field_name("as")
        return "" if alias is None else source.text_of(alias)

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """The instruction on one line; of several variables in one, each its own."""
        node = definition.node
        text = fold_white_space(_CONTINUATION.sub(" ", source.text_of(node)))
        keyword = _KEYWORDS.get(node.type)
        return (f"{keyword} {text}" if keyword else text)[:MAX_SIGNATURE_CHARACTERS]

    def is_doc_comment(self, comment: str) -> bool:
        """Whatever does not speak to the builder."""
        return _DIRECTIVE.match(comment) is None

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Images that stages start from or copy from."""
        line = node.start_point[0] + 1
        return [Import(image, "", "", line) for image in images_of(node, source)]


LANGUAGE = Language(
    name="dockerfile",
    extensions=(_ENDING, ".containerfile"),
    filenames=(
        *("dockerfile", "containerfile"),
        *(f"dockerfile.{variant}" for variant in _VARIANTS),
    ),
    grammar="tree_sitter_containerfile:language",
    rules=DockerfileRules(),
    predeclared=_GIVEN_BY_BUILDER,
    # A shell command has variables of its own.
    binds_its_names=True,
)
