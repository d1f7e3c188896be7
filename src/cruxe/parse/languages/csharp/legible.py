"""Rewrite C# for the grammar; offsets do not change."""

import re
from typing import Final

from cruxe.parse.languages.csharp.conditionals import blank, blank_conditionals

# The grammar parses `*(int*)p` as a product and loses the type around it.
_STORE: Final = re.compile(rb"(?<=[;{}])(\s*)(\*[ \t]*\([\w.]+\*+\)[^=;{}\n]*)(?==[^=])")
_LOAD: Final = re.compile(rb"\*[ \t]*\([\w.]+\*+\)")
# The grammar expects `ref` directly before `struct`.
_REF_PARTIAL: Final = re.compile(rb"\bref(?=\s+partial struct\b)")
# `#r "nuget: x"`, `#load "x.csx"` and `#:package x` are for scripts and single-file programs.
_SCRIPT_DIRECTIVE: Final = re.compile(rb"^[ \t]*\#(?:r|load|:\w+)[ \t][^\n]*", re.MULTILINE)
# Most files have none of these and need no regular expression.
_CONDITIONAL_SIGNS: Final = (b"#if", b"# if")
_SCRIPT_SIGNS: Final = (b"#r ", b"#load ", b"#:")
_LEFTOVER: Final = re.compile(
    r"^[ \t]*\#[ \t]*(?:else|elif)\b.*?^[ \t]*\#[ \t]*endif\b[^\n]*|^[ \t]*\#[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_MAX_OPEN_COMMENTS: Final = 16
_SPACE_BEFORE: Final = re.compile(r"\s+(?=[,)])")
_COMMENT: Final = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def legible_text(data: bytes) -> bytes:
    """Return the text without directives and without stores through cast pointers."""
    text = _without_open_comments(data)
    if any(sign in data for sign in _CONDITIONAL_SIGNS):
        text = blank_conditionals(text)
    if b"partial struct" in data:
        text = _REF_PARTIAL.sub(b"   ", text)
    if any(sign in data for sign in _SCRIPT_SIGNS):
        text = _SCRIPT_DIRECTIVE.sub(_blanked, text)
    if b"*)" in data:
        text = _LOAD.sub(_blanked, _STORE.sub(_as_discard, text))
    return text


def _without_open_comments(data: bytes) -> bytes:
    """Return the text without unclosed comments, if there are many of them.

    From each the grammar scans to the end of the file.
    """
    end = data.rfind(b"*/") + 1
    if data.count(b"/*", end) <= _MAX_OPEN_COMMENTS:
        return data
    return data[:end] + data[end:].replace(b"/*", b"  ")


def legible_head(text: str) -> str:
    """Return the head of a definition without directives, inactive branches and comments."""
    if "#" in text:
        text = blank_conditionals(text.encode()).decode()
        text = _SPACE_BEFORE.sub("", _LEFTOVER.sub("", text))
    return _COMMENT.sub(_string_only, text) if "/" in text else text


def _as_discard(match: re.Match[bytes]) -> bytes:
    return match.group(1) + b"_" + blank(match.group(2)[1:])


def _blanked(match: re.Match[bytes]) -> bytes:
    return blank(match.group())


def _string_only(match: re.Match[str]) -> str:
    return match.group(1) or ""
