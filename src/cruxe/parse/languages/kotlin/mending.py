"""Blank unbalanced brackets and quotes before the grammar parses the text.

After an error the grammar may take the rest of the file as a string and find nothing more. Most
errors in a file that is being edited are brackets, which can be found without a grammar.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

_OPENING: Final = {b")": b"(", b"]": b"[", b"}": b"{"}
_BRACES: Final = (b"{", b"}")
# Strings, characters and comments: brackets inside them do not count.
_TEXT: Final = re.compile(
    rb'"""(?:[^"]|"(?!"")|(?!))*+"""+|"(?:\\.|[^"\\\n]|(?!))*+"|'
    rb"'(?:\\[^\n]|[^'\\\n])[^'\n]{0,8}'|/\*(?:[^*]|\*(?!/)|(?!))*+\*/|//[^\n]*+"
)
# Brackets, remaining quotes, and lines that start with a word.
_MARK: Final = re.compile(rb'[()\[\]{}]|"++|\n(?=[@a-z])')
_HEAD: Final = re.compile(rb"[ \t]*+(?:[\w@]++ )*?(?:fun|class|interface|constructor)\b")
_BETWEEN_BRACES: Final = re.compile(rb"[^{}]++")
_INDENTATION: Final = re.compile(rb"[ \t]*+")
# More than this is not a typing error.
_MAX_SPANS: Final = 64
_BLANKS: Final = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))


def mend(data: bytes) -> bytes:
    """Blank unbalanced brackets and quotes; a balanced text is returned unchanged."""
    if _is_even(data):
        return data
    bare = _TEXT.sub(lambda found: blank(found[0]), data)
    if _is_even(bare) and b'"' not in bare:
        return data
    spans = list(islice(_single_marks(bare), _MAX_SPANS + 1))
    if len(spans) > _MAX_SPANS:
        return data
    mended = bytearray(data)
    for start, end in spans:
        mended[start:end] = blank(data[start:end])
    return bytes(mended)


def blank(text: bytes) -> bytes:
    """Return white space of the same length and lines."""
    return text.translate(_BLANKS)


def _is_even(data: bytes) -> bool:
    has_pairs = all(data.count(one) == data.count(other) for one, other in _OPENING.items())
    return has_pairs and data.count(b'"') % 2 == 0


def _single_marks(bare: bytes) -> Iterator[tuple[int, int]]:
    """Yield spans to blank. A line that starts with a word makes all open brackets unbalanced."""
    opened: list[tuple[bytes, int]] = []
    depths: Counter[bytes] = Counter()
    for found in _MARK.finditer(bare):
        mark, at = found[0], found.start()
        if mark in _OPENING.values():
            opened.append((mark, at))
            depths[mark] += 1
        elif mark == b"\n":
            yield from _spans_of(opened, bare)
            opened.clear()
            depths.clear()
        elif depths[opening := _OPENING.get(mark, b"")]:
            while opened[-1][0] != opening:
                depths[opened[-1][0]] -= 1
                yield from _spans_of([opened.pop()], bare)
            opened.pop()
            depths[opening] -= 1
        else:
            yield from _spans_of([(mark, at)], bare)
    yield from _spans_of(opened, bare)


def _spans_of(marks: list[tuple[bytes, int]], bare: bytes) -> Iterator[tuple[int, int]]:
    """Yield a brace alone, another mark with its line or, in a head, the whole definition."""
    for mark, at in marks:
        line_start, line_end = bare.rfind(b"\n", 0, at) + 1, bare.find(b"\n", at)
        line_end = len(bare) if line_end < 0 else line_end
        if mark in _BRACES:
            yield at, at + 1
        elif _HEAD.match(bare, line_start) or _opens_lines(mark, bare[at + 1 : line_end]):
            yield line_start, _end_by_indentation(bare, line_start)
        else:
            for part in _BETWEEN_BRACES.finditer(bare, line_start, line_end):
                yield part.span()


def _opens_lines(mark: bytes, behind: bytes) -> bool:
    return mark in _OPENING.values() and not behind.strip()


def _end_by_indentation(bare: bytes, line_start: int) -> int:
    """Return the end of the lines indented deeper than a line, with a closing bracket."""
    indentation = _INDENTATION.match(bare, line_start)
    depth = 0 if indentation is None else len(indentation[0])
    following = re.compile(rb"\n([ \t]{0,%d})(?=[^\s])" % depth).search(bare, line_start)
    if following is None:
        return len(bare)
    is_closing = bare[following.end() : following.end() + 1] in _OPENING
    is_of_line = is_closing and len(following[1]) == depth
    return following.end() + 1 if is_of_line else following.start()
