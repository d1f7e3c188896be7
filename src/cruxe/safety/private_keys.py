"""Find private keys: PEM, SSH2 and PuTTY, also escaped into one line, or wrapped in base64.

A key in source extends over lines that have syntax around the key material: quotes, commas, calls.
So a key is given as pieces, one a line, between what belongs to the syntax. A marker without key
material, as in programs that read keys, is no secret. Nor are certificates and public keys.
"""

import binascii
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final

_KEY_NEEDLE: Final = b"PRIVATE KEY"
_PUTTY_NEEDLE: Final = b"Private-Lines:"
_WRAPPED_NEEDLE: Final = b"LS0tLS1CRUdJTi"  # "-----BEGIN " in base64
# For RE2: what every private key has.
KEY_CUE: Final = b"|".join((_KEY_NEEDLE, _PUTTY_NEEDLE, _WRAPPED_NEEDLE)).decode()
_WRAPPED_MARKER_BYTES: Final = 64
# An Ed25519 key, the shortest in use, has 64 characters. A shorter text is an ellipsis.
_MIN_KEY_CHARACTERS: Final = 40
_MIN_KEY_SHARE: Final = 0.7
# Between markers there may be calls: `.append("...")`.
_MIN_MARKED_SHARE: Final = 0.5

Pieces = tuple[tuple[int, int], ...]


def find_private_keys(data: bytes) -> Iterator[Pieces]:
    """Yield the pieces of each private key, with its markers."""
    if _KEY_NEEDLE in data:
        for start, end in _marked_keys(data):
            yield _pieces(data, start, end)
    if _PUTTY_NEEDLE in data:
        for start, end in _putty_keys(data):
            yield _pieces(data, start, end)
    if _WRAPPED_NEEDLE in data:
        for start, end in _wrapped_keys(data):
            yield _pieces(data, start, end)


def _marked_keys(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the spans of keys between markers, or with a marker at one end only."""
    covered = 0
    for marker, following in pairwise([*_key_markers().finditer(data), None]):
        assert marker is not None
        start, end = marker.span()
        limit = following.start() if following else len(data)
        if marker["side"] == b"BEGIN":
            end = _end_of_key(data, end, limit)
        elif start >= covered:
            start = _start_of_key(data, covered, start)
        if end - start > marker.end() - marker.start() and start >= covered:
            yield start, end
            covered = end


def _putty_keys(data: bytes) -> Iterator[tuple[int, int]]:
    for head in _putty_head().finditer(data):
        end = _end_of_lines(data, head.end(), len(data))
        if _is_key(data[head.end() : end]):
            yield head.end(), end


def _wrapped_keys(data: bytes) -> Iterator[tuple[int, int]]:
    for match in _wrapped_key().finditer(data):
        if _KEY_NEEDLE in _unwrapped(match[0]):
            yield match.start(), _end_of_lines(data, match.end(), len(data))


def _unwrapped(key: bytes) -> bytes:
    try:
        return binascii.a2b_base64(key[: _WRAPPED_MARKER_BYTES // 4 * 4])
    except binascii.Error:
        return b""


def _end_of_key(data: bytes, start: int, limit: int) -> int:
    """Return the end of the key after a marker, or `start` if there is no key."""
    closing = _key_closing().match(data, limit)
    if closing is not None and _is_key(data[start:limit], _MIN_MARKED_SHARE):
        return closing.end()
    end = _end_of_lines(data, start, limit)
    return end if _is_key(data[start:end]) else start


def _end_of_lines(data: bytes, start: int, limit: int) -> int:
    """Return the end of the last line in a row that is key material, from `start` on."""
    end = start
    while end < limit:
        line_end = data.find(b"\n", end + 1, limit)
        line_end = limit if line_end < 0 else line_end
        if not _key_line().fullmatch(data, end, line_end):
            part = _key_part().match(data, end, line_end)
            return end if part is None else part.end()
        end = line_end
    return end


def _start_of_key(data: bytes, floor: int, end: int) -> int:
    """Return the start of the key before a marker, or `end` if there is no key."""
    start = end
    while start > floor:
        line = max(data.rfind(b"\n", floor, start - 1) + 1, floor)
        if not _key_line().fullmatch(data, line, start):
            break
        start = line
    return start if _is_key(data[start:end]) else end


def _is_key(body: bytes, least_share: float = _MIN_KEY_SHARE) -> bool:
    """Return whether a text is mostly key material."""
    bare = _key_headers().sub(b"", body)
    key = sum(map(len, _key_runs().findall(bare)))
    rest = len(_key_filling().sub(b"", bare))
    return key >= _MIN_KEY_CHARACTERS and key >= least_share * rest


def _pieces(data: bytes, start: int, end: int) -> Pieces:
    """Return what is key material, or a marker, on each line of a span."""
    pieces: list[tuple[int, int]] = []
    for line in _lines().finditer(data, start, end):
        first, last = line.span()
        material = _material().search(data, first, last)
        short = None if material else _short_material().search(data, first, last)
        if short is not None:
            first, last = short.span()
        elif material is None:
            first = _leading().match(data, first, last).end()  # type: ignore[union-attr]
        elif first > start:
            first = _syntax_end(data, first, material.start())
        last = _syntax_start(data, first, last)
        if last > first:
            pieces.append((first, last))
    return tuple(pieces)


def _syntax_end(data: bytes, first: int, material: int) -> int:
    """Return where the syntax before key material ends: behind its last quote, if it has one."""
    quote = max(data.rfind(each, first, material) for each in (b'"', b"'", b"`"))
    if quote >= 0:
        return quote + 1
    return min(_leading().match(data, first, material).end(), material)  # type: ignore[union-attr]


def _syntax_start(data: bytes, first: int, last: int) -> int:
    """Return where the syntax behind key material starts."""
    runs = [*_material().finditer(data, first, last)]
    behind = runs[-1].end() if runs else first
    quotes = (data.find(each, behind, last) for each in (b'"', b"'", b"`"))
    end = min((each for each in quotes if each >= 0), default=0)
    return len((_escapes() if end else _spaces()).sub(b"", data[first : end or last])) + first


@cache
def _key_markers() -> re.Pattern[bytes]:
    kind = rb"(?:[A-Z0-9]{1,12}[ +]){0,3}PRIVATE KEY(?: BLOCK)?"
    return re.compile(rb"(?:-----|---- )(?P<side>BEGIN|END) %b(?:-----| ----)" % kind)


@cache
def _key_closing() -> re.Pattern[bytes]:
    return re.compile(rb"(?:-----|---- )END [A-Z0-9 ]{1,60}?(?:-----| ----)")


@cache
def _putty_head() -> re.Pattern[bytes]:
    return re.compile(rb"Private-Lines: ?[0-9]{1,3}")


@cache
def _wrapped_key() -> re.Pattern[bytes]:
    return re.compile(rb"LS0tLS1CRUdJTi[A-Za-z0-9+/]{26,}+={0,2}")


# Around the key material: quotes, escapes, comment marks, operators and indentation.
_FILLING: Final = rb"""(?:\\[nr]|[\s"'`+#*/|>;,.&()\[\]{}\\-]|(?!)){0,80}+"""


@cache
def _key_line() -> re.Pattern[bytes]:
    header = rb"[A-Z][A-Za-z-]{2,20}: [^\r\n]{0,200}"
    several = rb"(?:[A-Za-z0-9+/=]{16,}+%b|(?!))*+[A-Za-z0-9+/=\\]*+%b" % (_FILLING, _FILLING)
    return re.compile(rb"%b(?:%b|%b)?" % (_FILLING, several, header))


@cache
def _key_part() -> re.Pattern[bytes]:
    """Match the key material that a line begins with, whatever follows."""
    return re.compile(rb"(?:%b[A-Za-z0-9+/=]{24,}+|(?!))++" % _FILLING)


@cache
def _key_headers() -> re.Pattern[bytes]:
    return re.compile(rb"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject): [^\r\n\\]*")


@cache
def _key_runs() -> re.Pattern[bytes]:
    return re.compile(rb"[A-Za-z0-9+/=]{16,}")


@cache
def _key_filling() -> re.Pattern[bytes]:
    return re.compile(rb"""\\[nr]|[\s"'`+#*/|>;,\\.&()\[\]{}]+""")


@cache
def _lines() -> re.Pattern[bytes]:
    return re.compile(rb"[^\n]+")


@cache
def _material() -> re.Pattern[bytes]:
    return re.compile(rb"[A-Za-z0-9+/=]{16,}|-{4,5} ?(?:BEGIN|END) [A-Z0-9 ]{0,60}-{4,5}")


@cache
def _short_material() -> re.Pattern[bytes]:
    """Match the last line of a key in a literal."""
    return re.compile(rb"""(?<=["'`])[A-Za-z0-9+/=]{1,15}(?=["'`\\])""")


@cache
def _leading() -> re.Pattern[bytes]:
    """Match indentation, marks of comments and lists; base64 may start with other signs."""
    return re.compile(rb"(?:[\s#*|>]|//+(?=\s)|-(?= )|(?!))*+")


@cache
def _escapes() -> re.Pattern[bytes]:
    return re.compile(rb"(?:\\[nr]|[\s\\]|(?!))++$")


@cache
def _spaces() -> re.Pattern[bytes]:
    return re.compile(rb"\s++$")
