"""Parses JSON, optionally with comments and trailing commas, and records the offsets of members.

The `json` module validates a copy in which comments and trailing commas are replaced by blanks, so
offsets and line numbers are those of the original text.
"""

import json
import re
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from cruxe.setup.pieces import BYTE_ORDER_MARK, UnusableTextError

_TOKEN: Final = re.compile(
    r"""
    (?P<space>[ \t\r\n]+)
    | (?P<comment>//[^\r\n]*|/\*.*?\*/)
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<mark>[{}\[\],:])
    | (?P<word>[^\s{}\[\],:"/]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENING: Final = frozenset("{[")
_CLOSING: Final = frozenset("}]")

# An object is a tuple of members, so that comparison includes order and repeated names.
JsonValue = str | bool | None | list["JsonValue"] | tuple[tuple[str, "JsonValue"], ...]


class Token(NamedTuple):
    """A string, a word or a punctuation mark; blanks and comments have no tokens."""

    start: int
    end: int
    text: str


class Member(NamedTuple):
    """A name and its value in an object."""

    name: str
    start: int  # of the name
    end: int  # of the value
    value_index: int  # of the value's first token
    comma: int | None  # offset of the comma after it


class ObjectSpan(NamedTuple):
    """An object with the offsets of its braces."""

    start: int
    end: int
    members: tuple[Member, ...]


class JsonText(NamedTuple):
    """A parsed text: its value and its tokens. A blank text has neither."""

    text: str
    value: JsonValue
    tokens: tuple[Token, ...]
    comments: tuple[tuple[int, int], ...]

    @property
    def is_blank(self) -> bool:
        """Whether the text has no tokens."""
        return not self.tokens

    def object_at(self, index: int) -> ObjectSpan:
        """Return the object whose opening brace is the token at `index`."""
        return _read_object(self.tokens, index)

    def has_comment_in(self, start: int, end: int) -> bool:
        """Return whether a span contains a comment."""
        return any(start <= first < end for first, _ in self.comments)


# Planning parses the text before and after several times, and it may have megabytes.
@lru_cache(maxsize=4)
def read_json(text: str, *, with_comments: bool) -> JsonText:
    """Parse a text; comments and trailing commas are errors unless `with_comments`."""
    tokens: list[Token] = []
    comments: list[tuple[int, int]] = []
    place = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    start = place
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise UnusableTextError(f"is not valid JSON: line {_line(text, place)}")
        if match.lastgroup == "comment":
            comments.append(match.span())
        elif match.lastgroup != "space":
            tokens.append(Token(*match.span(), match[0]))
        place = match.end()
    if comments and not with_comments:
        line = _line(text, comments[0][0])
        raise UnusableTextError(f"has a comment in line {line}, which its client does not take")
    if not tokens:
        return JsonText(text=text, value=None, tokens=(), comments=tuple(comments))
    blank = comments + (_trailing_commas(tokens) if with_comments else [])
    value = _decode(_blanked(text, blank)[start:])
    return JsonText(text=text, value=value, tokens=tuple(tokens), comments=tuple(comments))


def canonical(value: JsonValue) -> str:
    """Return a value as canonical JSON: names sorted, no blanks."""
    if isinstance(value, tuple):
        inside = (
            f"{json.dumps(name)}:{canonical(each)}" for name, each in sorted(value, key=_name)
        )
        return "{" + ",".join(inside) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value)


def _name(member: tuple[str, JsonValue]) -> str:
    return member[0]


def _trailing_commas(tokens: list[Token]) -> list[tuple[int, int]]:
    following = pairwise(tokens)
    return [
        (token.start, token.end)
        for token, after in following
        if token.text == "," and after.text in _CLOSING
    ]


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    place = 0
    for start, end in sorted(spans):
        # Keep line breaks, so that the decoder counts lines as an editor does.
        parts += [text[place:start], re.sub(r"[^\r\n]", " ", text[start:end])]
        place = end
    return "".join([*parts, text[place:]])


def _decode(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(
            text,
            object_pairs_hook=tuple,
            parse_int=_number,
            parse_float=_number,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        raise UnusableTextError(f"is not valid JSON: line {error.lineno}: {error.msg}") from error
    except RecursionError as error:
        raise UnusableTextError("is nested too deeply to be read") from error
    return value


def _number(text: str) -> JsonValue:
    """Return a number as written: it is never part of our entry, and may be too long for `int`."""
    return (("number", text),)


def _refuse_constant(word: str) -> JsonValue:
    raise UnusableTextError(f"is not valid JSON: {word} is not a value")


def _read_object(tokens: tuple[Token, ...], index: int) -> ObjectSpan:
    start = tokens[index].start
    members: list[Member] = []
    index += 1
    while tokens[index].text != "}":
        name, value = tokens[index], index + 2
        last = _last_token_of(tokens, value)
        index = last + 1
        comma = None
        if tokens[index].text == ",":
            comma = tokens[index].start
            index += 1
        decoded: str = json.loads(name.text)
        members.append(
            Member(
                name=decoded, start=name.start, end=tokens[last].end, value_index=value, comma=comma
            )
        )
    return ObjectSpan(start, tokens[index].end, tuple(members))


def _last_token_of(tokens: tuple[Token, ...], index: int) -> int:
    depth = 0
    while True:
        text = tokens[index].text
        depth += (text in _OPENING) - (text in _CLOSING)
        if not depth:
            return index
        index += 1


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
