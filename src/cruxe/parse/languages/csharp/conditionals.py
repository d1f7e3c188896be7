"""`#if` blocks, taken out of the grammar's way: directives become blanks, branches stay.

The grammar reads them around whole members only, and loses a type over one in its head. Where
branches cannot all stand one after another, as in `#if A internal #else public #endif class X`,
one of them stays. Offsets and lines stay what they are.
"""

import re
from typing import Final

_DIRECTIVE: Final = re.compile(rb"\#[ \t]*(if|elif|else|endif)\b([^\n]*)")
# What is never closed counts to its end: a search for the other end would start at every opening.
_NOT_CODE: Final = re.compile(
    rb"//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?|@\"[^\"]*+(?:\"\"[^\"]*+)*+\"?"
    rb"|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?",
    re.DOTALL,
)
_BLANKS: Final = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))
_COMMENT_STARTS: Final = (b"//", b"/*", b"*", b"#")
# What a statement, a member, a list of attributes or a block may end on.
_ENDINGS: Final = (b";", b"}", b"]", b"{")
_BRACKETS: Final = ((b"{", b"}"), (b"(", b")"), (b"[", b"]"))
_DEAD: Final = (b"false", b"0")
_CONTEXT_BYTES: Final = 2000
# Each level reads what is inside it again; deeper nesting is machine-made.
_MAX_DEPTH: Final = 16


def blank(text: bytes) -> bytes:
    """Spaces in place of everything but line feeds."""
    return text.translate(_BLANKS)


def blank_conditionals(data: bytes) -> bytes:
    """The text without directives and without the branches that cannot stay."""
    if b"#if" not in data and b"# if" not in data:
        return data
    text = bytearray(data)
    around: list[list[re.Match[bytes]]] = []
    for directive in _DIRECTIVE.finditer(data):
        start = directive.start()
        if data[data.rfind(b"\n", 0, start) + 1 : start].strip():
            continue  # in a comment or a string
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
    """Blank the directives of one `#if` … `#endif`, and the branches that have to go."""
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
    """Whether the branches are whole members, statements or attributes in a place for such."""
    last = _last_code(before)
    return (not last or last.endswith(_ENDINGS)) and all(_is_whole(branch) for branch in branches)


def _last_code(before: bytes) -> bytes:
    """The last line of a text that holds more than a comment, without what is no code."""
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
    """The one that makes a declaration public, else the first that says anything."""
    words = [_NOT_CODE.sub(b"", branch).split() for branch in branches]
    for number, said in enumerate(words):
        if said == [b"public"]:
            return number
    return next((number for number, said in enumerate(words) if said), 0)
