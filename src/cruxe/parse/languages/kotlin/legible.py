"""Rewrite Kotlin that the grammar cannot parse; offsets do not change.

Covers only common constructs, each of which would cost a whole class. Names
and signatures are read from the original text, so only the grammar sees a changed letter.
"""

import re
from typing import Final, NamedTuple

from cruxe.parse.languages.kotlin.mending import blank, mend


class Rewrite(NamedTuple):
    """A pattern to rewrite, searched only if the marker occurs."""

    marker: bytes
    pattern: re.Pattern[bytes]


# Arguments of arguments of arguments: `@Deprecated("…", ReplaceWith("f(x)"))`.
_ARGUMENTS: Final = rb"\((?:[^()]|\((?:[^()]|\([^()]*+\)|(?!))*+\)|(?!)){0,1000}+\)"
_ANNOTATION: Final = rb"@[\w.:]++(?:" + _ARGUMENTS + rb")?"
ANNOTATIONS: Final = re.compile(rb"(?:\s*+" + _ANNOTATION + rb"|(?!)){1,64}+\s++")
# `context(scope: Scope)` before a declaration.
CONTEXT: Final = Rewrite(
    b"context(",
    re.compile(
        rb"^[ \t]*+(context" + _ARGUMENTS + rb")\s++"
        rb"(?=@|(?:[a-z]++ )*?(?:fun|val|var|class|interface|object)\b)",
        re.MULTILINE,
    ),
)
_BLANKED: Final = (
    CONTEXT,
    # `suspend { … }` and `suspend ((A) -> B)`.
    Rewrite(b"suspend", re.compile(rb"(suspend)(?=[ \t]*+(?:\{|\(\())")),
    # `String?::plus`
    Rewrite(b"?::", re.compile(rb"(\?)(?=::)")),
    # A comment over several lines that ends in two stars.
    Rewrite(b" **/", re.compile(rb" (\*)\*/")),
    # `is A if a.isOpen ->`
    Rewrite(b" if ", re.compile(rb"is [^\s(){}]++ (if [^\n]{1,200}?)(?= ->)")),
    # After several annotations the grammar may parse these as an expression of names.
    Rewrite(
        b"\n@",
        re.compile(
            rb"\n" + _ANNOTATION + rb"\s++((?:" + _ANNOTATION + rb"\s++|(?!)){1,8}+)"
            rb"(?=(?:[a-z]++ )*?(?:annotation|actual|expect|private val|sealed interface)\b)"
        ),
    ),
    Rewrite(b"\nannotation", re.compile(rb"\n(?<=[)\w]\n)(annotation )(?=class )")),
    # Annotations and `actual` before a constructor or an accessor on a line of its own.
    Rewrite(
        b"constructor",
        re.compile(
            rb"^[ \t]*+((?:" + _ANNOTATION + rb"\s++|actual\s++|(?!)){1,8}+)"
            rb"(?=(?:(?:private|internal|protected|public)\s++)?constructor\b)",
            re.MULTILINE,
        ),
    ),
    Rewrite(
        b" set",
        re.compile(
            rb"(" + _ANNOTATION + rb"(?:[ \t]*+//[^\n]*+)?)"
            rb"(?=\s++(?:(?:private|internal|protected)\s++)?set\b)"
        ),
    ),
)
_RENAMED: Final = (
    # `dynamic` and `suspend` as names.
    Rewrite(b"dynamic", re.compile(rb"dynamic\b")),
    Rewrite(b"suspend", re.compile(rb"suspend(?= = |: |\)|\(\w++\)\))")),
    # `get { … }`, `get(key)`, `set(key, value)` are calls; the grammar parses accessors.
    Rewrite(b" get", re.compile(rb"get(?<=[ \t]get)(?= ?\{|\([^)\n])")),
    Rewrite(b" set(", re.compile(rb"set\((?<=[ \t]set\()[^\n,)]++,")),
)
# `$$"…$a…"`: strings that choose how many dollars start a template.
_DOLLARS: Final = Rewrite(
    b'$$"', re.compile(rb'\$\$++(?:"""(?:[^"]|"(?!"")|(?!))*+"""|"[^"\n]*+")')
)
# `class A(b: B) : B by b {`: the body would be an argument of `b`.
_DELEGATE: Final = Rewrite(b" by ", re.compile(rb" by [\w.]++(?= ?\{)"))
_TYPE_HEAD: Final = re.compile(
    rb"[^={]*?\b(?:class|object|interface) |\s*+\)? ?:|\s*+[A-Z][\w.<>]*+\Z"
)
# A body on one line, `{ val a = 1 }`: the grammar wants members ended.
_ONE_LINE_BODY: Final = Rewrite(
    b" }",
    re.compile(
        rb"(\{ (?:[a-z]++ )*?(?:fun|val|var|object|class|interface)\b"
        rb'(?:[^{}\n"]|"[^"\n]*+"|\{[^{}\n]*+\}|(?!))*+(?<= ))(?=\})'
    ),
)
# The grammar accepts only Latin letters; the content of a character literal is kept.
_FOREIGN: Final = re.compile(rb"(?<!['\x80-\xff])[\x80-\xff]++")
# After an error the grammar takes all text up to the next template as a string; if the
# file ends before that, the parser may loop forever. The queries ignore this comment and
# recognise a mended file by its own.
_END: Final = b"\n//$end"
_END_OF_MENDED: Final = b"\n//$mended"


def make_legible(data: bytes) -> bytes:
    """Return the text with confusing constructs blanked or renamed, and a terminating comment.

    Offsets and lines do not change; the comment is appended.
    """
    mended = mend(data)
    end = _END if mended is data else _END_OF_MENDED
    data = mended
    # No rewrite creates the marker of another.
    for rewrite, change in _ALL:
        if rewrite.marker in mended:
            data = rewrite.pattern.sub(change, data)
    if not data.isascii():
        data = _FOREIGN.sub(_latin, data)
    return data + end


def _blank(found: re.Match[bytes]) -> bytes:
    begin, end = found.start(1) - found.start(), found.end(1) - found.start()
    return found[0][:begin] + blank(found[1]) + found[0][end:]


def _capitalise(found: re.Match[bytes]) -> bytes:
    return found[0][:1].upper() + found[0][1:]


def _without_delegate(found: re.Match[bytes]) -> bytes:
    line_start = found.string.rfind(b"\n", 0, found.start()) + 1
    is_of_type = _TYPE_HEAD.match(found.string, line_start, found.start())
    return b" " * len(found[0]) if is_of_type else found[0]


def _without_dollars(found: re.Match[bytes]) -> bytes:
    return found[0].replace(b"$", b" ")


def _end_member(found: re.Match[bytes]) -> bytes:
    return found[0][:-1] + b";"


def _latin(found: re.Match[bytes]) -> bytes:
    return b"x" * len(found[0])


# The rewrites in order of application.
_ALL: Final = (
    *((rewrite, _blank) for rewrite in _BLANKED),
    *((rewrite, _capitalise) for rewrite in _RENAMED),
    (_DELEGATE, _without_delegate),
    (_DOLLARS, _without_dollars),
    (_ONE_LINE_BODY, _end_member),
)
