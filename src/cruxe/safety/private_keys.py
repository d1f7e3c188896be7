"""Private keys in PEM armour: whole, escaped into one line, or cut at either end of a snippet.

A marker without key material, as programs that read keys have it, is left alone. Certificates and
public keys are no secrets.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final

KIND: Final = "private_key"
_NEEDLE: Final = "PRIVATE KEY"
_DASHES: Final = "-----"
# An Ed25519 key, the shortest in use, has 64 characters; less than this is an ellipsis.
_MIN_KEY_CHARACTERS: Final = 40
_MIN_KEY_SHARE: Final = 0.7


def private_keys(text: str) -> Iterator[tuple[int, int]]:
    """Give the places of private keys, in order, markers included where they are there."""
    if _NEEDLE not in text:
        return
    covered = 0
    for marker, following in pairwise([*_markers().finditer(text), None]):
        assert marker is not None
        start, end = marker.span()
        limit = following.start() if following else len(text)
        if marker["side"] == "BEGIN":
            end = _end_of_key(text, end, limit)
        elif start >= covered:
            start = _start_of_key(text, covered, start)
        if end - start > marker.end() - marker.start() and start >= covered:
            yield start, end
            covered = end


def _end_of_key(text: str, start: int, limit: int) -> int:
    """Where the key that starts behind a marker ends; `start` where there is none."""
    closing = _closing().match(text, limit)
    if closing is not None and _is_key(text[start:limit]):
        return closing.end()
    end = start
    while end < limit:
        line_end = text.find("\n", end + 1, limit)
        line_end = limit if line_end < 0 else line_end
        if not _key_line().fullmatch(text, end, line_end):
            break
        end = line_end
    return end if _is_key(text[start:end]) else start


def _start_of_key(text: str, floor: int, end: int) -> int:
    """Where the key that ends at a marker starts; `end` where there is none."""
    start = end
    while start > floor:
        line = max(text.rfind("\n", floor, start - 1) + 1, floor)
        if not _key_line().fullmatch(text, line, start):
            break
        start = line
    return start if _is_key(text[start:end]) else end


def _is_key(body: str) -> bool:
    """Tell whether a text is key material for the most part."""
    bare = _headers().sub("", body)
    key = sum(map(len, _key_runs().findall(bare)))
    rest = len(_filling().sub("", bare))
    return key >= _MIN_KEY_CHARACTERS and key >= _MIN_KEY_SHARE * rest


@cache
def _markers() -> re.Pattern[str]:
    kind = r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?"
    return re.compile(rf"{_DASHES}(?P<side>BEGIN|END) {kind}{_DASHES}")


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(rf"{_DASHES}END [A-Z0-9 ]{{1,60}}{_DASHES}")


@cache
def _key_line() -> re.Pattern[str]:
    # Around the material: quotes, escapes, comment marks and indentation of the host language.
    filling = r"""[\s"'`+#*/|>;,.()\\-]{0,80}"""
    header = r"[A-Z][A-Za-z-]{2,20}: [^\r\n]{0,200}"
    return re.compile(rf"{filling}(?:[A-Za-z0-9+/=\\]++{filling}|{header})?")


@cache
def _headers() -> re.Pattern[str]:
    return re.compile(r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\r\n\\]*")


@cache
def _key_runs() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9+/=]{16,}")


@cache
def _filling() -> re.Pattern[str]:
    return re.compile(r"""\\[nr]|[\s"'`+#*/|>;,\\.]+""")
