"""Blank `#if` directives and keep their branches, for the grammar.

The grammar accepts them around whole members only, and loses a type over one in its head. If
branches cannot all stand one after another, as in `#if A internal #else public #endif class X`,
one of them stays. Offsets and lines do not change.
"""

import re
from typing import Final

_DIRECTIVE: Final = re.compile(rb"\#[ \t]*(if|elif|else|endif)\b([^\n]*)")
# An unclosed literal or comment extends to its end; otherwise each opening would rescan the text.
_NOT_CODE: Final = re.compile(
    rb"//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+|(?!))*+(?:\*/)?|@\"[^\"]*+(?:\"\"[^\"]*+)*+\"?"
    rb"|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?",
    re.DOTALL,
)
_BLANKS: Final = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))
_COMMENT_STARTS: Final = (b"//", b"/*", b"*", b"#")
# Last characters of a statement, a member, a list of attributes or an opened block.
_ENDINGS: Final = (b";", b"}", b"]", b"{")
_BRACKETS: Final = ((b"{", b"}"), (b"(", b")"), (b"[", b"]"))
_DEAD: Final = (b"false", b"0")
_CONTEXT_BYTES: Final = 2000
# Each level is read again by the one around it; deeper nesting is generated code.
_MAX_DEPTH: Final = 16


def blank(text: bytes) -> bytes:
    """Replace everything but line feeds with spaces."""
    return text.translate(_BLANKS)


def blank_conditionals(data: bytes) -> bytes:
    """Return the text without directives and without the branches that cannot stay."""
    if b"#if" not in data and b"# if" not in data:
        return data
    text = bytearray(data)
    around: list[list[re.Match[bytes]]] = []
    for directive in _DIRECTIVE.finditer(data):
        start = directive.start()
        if data[data.rfind(b"\n", 0, start) + 1 : start].strip():
            continue  # inside a comment or a string
        word = directive.group(1)
        if word == b"if":
            around.append([directive])
        elif around and word == b"endif":
            directives = [*around.pop(), directive]
            if len(around) < _MAX_DEPTH:
                _settle_branches(text, directives)
        elif around:
            around[-1].append(directive)
    return bytes(text)


def _settle_branches(text: bytearray, directives: list[re.Match[bytes]]) -> None:
    """Blank the directives of one `#if` … `#endif`, and the branches that cannot stay."""
    for directive in directives:
        _blank_span(text, directive.start(), directive.end())
    starts = [directive.end() for directive in directives[:-1]]
    ends = [directive.start() for directive in directives[1:]]
    branches = [bytes(text[start:end]) for start, end in zip(starts, ends, strict=True)]
    if directives[0].group(2).strip() in _DEAD:
        _blank_span(text, starts.pop(0), ends.pop(0))
        branches.pop(0)
    start = directives[0].start()
    before = bytes(text[max(0, start - _CONTEXT_BYTES) : start])
    if len(branches) > 1 and not _can_all_stay(before, branches):
        kept = _kept_branch(branches)
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if number != kept:
                _blank_span(text, start, end)


def _blank_span(text: bytearray, start: int, end: int) -> None:
    text[start:end] = blank(bytes(text[start:end]))


def _can_all_stay(before: bytes, branches: list[bytes]) -> bool:
    """Return whether all branches are whole members, statements or attributes."""
    last = _last_code(before)
    return (not last or last.endswith(_ENDINGS)) and all(_is_whole(branch) for branch in branches)


def _last_code(before: bytes) -> bytes:
    """Return the code on the last line that holds more than a comment."""
    end = len(before)
    while end > 0:
        start = before.rfind(b"\n", 0, end) + 1
        line = before[start:end].strip()
        if line and not line.startswith(_COMMENT_STARTS):
            return _NOT_CODE.sub(b"", line).rstrip()
        end = start - 1
    return b""


def _is_whole(branch: bytes) -> bool:
    code = _NOT_CODE.sub(b"", branch).strip()
    if any(code.count(opening) != code.count(closing) for opening, closing in _BRACKETS):
        return False
    return not code or (code.endswith(_ENDINGS) and not code.startswith((b"else", b".", b"}")))


def _kept_branch(branches: list[bytes]) -> int:
    """Return the branch that makes a declaration public, else the first that is not empty."""
    words = [_NOT_CODE.sub(b"", branch).split() for branch in branches]
    for number, said in enumerate(words):
        if said == [b"public"]:
            return number
    return next((number for number, said in enumerate(words) if said), 0)
