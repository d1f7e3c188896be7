"""The stages of a Dockerfile: their extent, their variables and the images they use."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.symbols import SiteKind
from cruxe.parse.pattern_subjects import SITE_RANKS

if TYPE_CHECKING:
    from cruxe.model.symbols import Span
    from cruxe.parse.source_text import SourceText
    from cruxe.parse.text_places import Mention

_SPACE: Final = r"[ \t]|[\\`][ \t]*+\n(?:[ \t]*+(?:\#[^\n]*+)?\n|(?!))*+"
_SPACES: Final = rf"(?:{_SPACE}|(?!))++"
_ANY_SPACES: Final = rf"(?:{_SPACE}|(?!))*+"
_QUOTED: Final = r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|'[^']*+'"
_VALUE: Final = rf"(?:{_QUOTED}|\\[^\s]|\\[ ]|\$\{{[^}}\n]*+\}}|[^\s\\\"'`]|`(?![ \t]*\n)|(?!))*+"
_PAIR: Final = re.compile(rf"{_ANY_SPACES}([A-Za-z_][\w.-]*+)(?>(=({_VALUE}))|)", re.DOTALL)
_STAGE: Final = re.compile(
    rf"(?:--[^\s]++{_SPACES}|(?!))*+([^\s:@]++)([^\s]*+)(?:{_SPACES}AS{_SPACES}([^\s]++))?",
    re.IGNORECASE,
)
_REST: Final = re.compile(rf"{_ANY_SPACES}[\\`]?")
# Comments and escaped dollar signs are passed over. All begin with a plain character, which lets
# the search skip ahead.
_MENTION: Final = re.compile(
    rb"\n[ \t]*+#[^\n]*+|from=(?<=(?:--|.[=,])from=)([\w.-]+)|\\\$|\$\{?([A-Za-z_]\w*)"
)
_FIRST_COMMENT: Final = re.compile(rb"[ \t]*+#[^\n]*+")
_SOURCE: Final = re.compile(r"(?:--|[=,])from=([^\s,$]+)")
NO_IMAGE: Final = "scratch"


class Stage(NamedTuple):
    """A `FROM` instruction, by offsets."""

    image: "Span"
    image_name: "Span"  # without tag and digest
    alias: "Span | None"
    is_whole: bool  # whether nothing follows


class Pair(NamedTuple):
    """A variable that `ARG` or `ENV` sets, by offsets."""

    whole: "Span"
    name: "Span"
    has_value: bool


def stage_of(text: str, start: int, end: int) -> Stage | None:
    """Return the stage described by the arguments of a `FROM`, or None."""
    found = _STAGE.match(text, start, end)
    if found is None:
        return None
    alias = found.span(3) if found[3] else None
    is_whole = _REST.fullmatch(text, found.end(), end) is not None
    return Stage(
        image=(found.start(1), found.end(2)),
        image_name=found.span(1),
        alias=alias,
        is_whole=is_whole,
    )


def pairs_of(text: str, start: int, end: int, *, may_be_alone: bool) -> Iterator[Pair | None]:
    """Yield the variables that arguments set, and None for an argument that sets none.

    `may_be_alone` allows one variable without an equals sign: `ENV name value`.
    """
    position = start
    while found := _PAIR.match(text, position, end):
        is_alone = may_be_alone and not found[2]
        position = end if is_alone else found.end()
        yield Pair((found.start(1), position), found.span(1), is_alone or bool(found[2]))
    if position == start or not _REST.fullmatch(text, position, end):
        yield None


def sources_in(text: str) -> list[str]:
    """Return the images or stages that a `COPY` or `RUN` takes files from."""
    return _SOURCE.findall(text)


def mentions_in(source: "SourceText") -> "dict[int, Mention]":
    """Return mentions by offset: stages in `--from=` and in mounts, and all variables."""
    first_line = _FIRST_COMMENT.match(source.data)
    sites: dict[int, Mention] = {}
    for found in _MENTION.finditer(source.data, first_line.end() if first_line else 0):
        if found.lastindex is not None:
            start, end = found.span(found.lastindex)
            sites[start] = (_REFERENCE, end, None)
    return sites


def base_site(stage: Stage, source: "SourceText") -> "tuple[int, Mention] | None":
    """Return the site of a stage's base image or stage, or None if an argument names it."""
    start, end = stage.image_name
    name = source.characters[start:end]
    return None if "$" in name or name == NO_IMAGE else (start, (_EXTENDS, end, None))


def last_spoken_line(first: int, last: int, source: "SourceText") -> int:
    """Return the last line that is neither blank nor a comment, else the first line."""
    starts, data = source.line_starts, source.data
    for line in range(last, first, -1):
        end = starts[line] if line < len(starts) else len(data)
        text = data[starts[line - 1] : end].strip()
        if text and not text.startswith(b"#"):
            return line
    return first


_REFERENCE: Final = SITE_RANKS[SiteKind.REFERENCE]
_EXTENDS: Final = SITE_RANKS[SiteKind.EXTENDS]
