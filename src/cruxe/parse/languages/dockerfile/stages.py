"""The stages of a Dockerfile: how far they reach, and what they take from where."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cruxe.parse.places import matched, place

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.language import Definition
    from cruxe.parse.places import Match
    from cruxe.parse.source import SourceText

_STAGE: Final = re.compile(
    rb"^[ \t]*FROM[ \t][^\n]*?[ \t]AS[ \t]+([^\s#]+)", re.IGNORECASE | re.MULTILINE
)
# Comments and escaped dollar signs are passed over. All begin with a plain character, which lets
# the search skip ahead.
_MENTION: Final = re.compile(
    rb"\n[ \t]*+#[^\n]*+|from=(?<=(?:--|.[=,])from=)([\w.-]+)|\\\$|\$\{?([A-Za-z_]\w*)"
)
_FIRST_COMMENT: Final = re.compile(rb"[ \t]*+#[^\n]*+")
_PATTERN: Final = re.compile(rb"(\$\{\w+)[#%/][^}\n]*(?=\})")
_SOURCE: Final = re.compile(rb"(?:--|[=,])from=([^\s,$]+)")
_FROM: Final = "from_instruction"
_ARGUMENT: Final = "arg_pair"
_NO_IMAGE: Final = "scratch"


def legible_expansions(data: bytes) -> bytes:
    """The text without the patterns in `${NAME#pattern}`, which the grammar does not know."""
    return _PATTERN.sub(lambda found: found[1] + b"x" * (len(found[0]) - len(found[1])), data)


def end_stages(stages: "list[Definition]", source: "SourceText") -> None:
    """Let each stage reach to the next, without the comments above that."""
    starts = source.line_starts
    last_lines = [each.line_start - 1 for each in stages[1:]]
    for stage, last_line in zip(stages, [*last_lines, source.line_count], strict=False):
        lines = range(last_line, stage.line_end, -1)
        spoken = (line for line in lines if not _is_quiet(source.data, starts[line - 1]))
        stage.line_end = next(spoken, stage.line_end)
        following = starts[stage.line_end] if stage.line_end < len(starts) else len(source.data)
        stage.end_byte = max(stage.end_byte, following - 1)


def without_repeats(
    definitions: "list[Definition]", source: "SourceText", predeclared: frozenset[str]
) -> "list[Definition]":
    """Drop arguments that a stage only asks for: of the builder or of the top of the file."""
    first = next((each.start_byte for each in definitions if each.node.type == _FROM), 0)
    known = set(predeclared)
    kept: list[Definition] = []
    for definition in definitions:
        node = definition.node
        if node.type != _ARGUMENT:
            kept.append(definition)
            continue
        name = source.text_of(definition.captures["name"][0])
        if name not in known or node.child_by_field_name("default") is not None:
            kept.append(definition)
        if definition.start_byte < first:
            known.add(name)
    return kept


def stage_references(source: "SourceText") -> "list[Match]":
    """Stages named in `--from=` and in mounts, and variables wherever they stand."""
    first_line = _FIRST_COMMENT.match(source.data)
    return [
        matched("reference", place(source, *found.span(found.lastindex)))
        for found in _MENTION.finditer(source.data, first_line.end() if first_line else 0)
        if found.lastindex is not None
    ]


def images_of(node: "Node", source: "SourceText") -> list[str]:
    """The images an instruction takes from, other than earlier stages and what an argument says."""
    if node.type == _FROM:
        images = [source.text_of(child) for child in node.children if child.type == "image_spec"]
    else:
        text = source.data[node.start_byte : node.end_byte]
        images = [found[1].decode("utf-8", "replace") for found in _SOURCE.finditer(text)]
    stages = _stage_names(source.data)
    return [each for each in images if each not in stages and each[:1].isalpha()]


@lru_cache(maxsize=1)  # asked for by each instruction of a file in turn
def _stage_names(data: bytes) -> frozenset[str]:
    """What `FROM` may name beside images."""
    names = (found[1].decode("utf-8", "replace") for found in _STAGE.finditer(data))
    return frozenset((_NO_IMAGE, *names))


def _is_quiet(data: bytes, start: int) -> bool:
    """Whether a line is blank or a comment."""
    end = data.find(b"\n", start)
    line = data[start : end if end >= 0 else len(data)].strip()
    return not line or line.startswith(b"#")
