"""Find the spans of secrets in a text, which `redaction` replaces.

Finds tokens and private keys by format, passwords in URLs, and literals assigned to a secret name.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from cruxe.safety.assigned_secrets import find_assigned
from cruxe.safety.joined_literals import find_joined_tokens, seam_cue
from cruxe.safety.private_keys import KEY_CUE, find_private_keys
from cruxe.safety.secret_formats import (
    WEB_CUE,
    Token,
    find_shaped_tokens,
    find_tokens,
    find_web_tokens,
    prefix_cue,
    shape_cue,
)
from cruxe.safety.secret_values import is_guessable
from cruxe.text.patterns import ByteSearch, byte_search

PLACEHOLDER_START: Final = "[REDACTED"


class SecretSpan(NamedTuple):
    """A secret, or a further piece of one, between the syntax that joins them."""

    start: int
    end: int
    kind: str
    is_first: bool = True  # of the pieces of a secret


def find_secrets(data: bytes) -> list[SecretSpan]:
    """Return the spans of all secrets in a UTF-8 text, in order and without overlap."""
    found = [*_marked(data), *_assigned(data)]
    taken: list[SecretSpan] = []
    # The sort is stable: of two with the same start the more certain kind, found first, is kept.
    for span in sorted(found, key=lambda each: each.start):
        if not taken or span.start >= taken[-1].end:
            taken.append(span)
    return taken


def _marked(data: bytes) -> Iterator[SecretSpan]:
    """Yield what is recognised by format; two quick passes tell that most texts have none."""
    has_mark, has_shape = _mark()(data) >= 0, _shape_or_seam()(data) >= 0
    if has_mark:
        for pieces in find_private_keys(data):
            yield from _spans("private_key", pieces)
    if has_shape:
        for joined in find_joined_tokens(data):
            yield from _spans(joined.kind, joined.pieces)
        yield from _whole(find_shaped_tokens(data))
    if has_mark:
        yield from _whole(find_tokens(data))
        yield from _whole(find_web_tokens(data))
        yield from _address_passwords(data)


def _assigned(data: bytes) -> Iterator[SecretSpan]:
    for each in find_assigned(data):
        yield from _spans(each.kind, each.pieces)


def _whole(tokens: Iterator[Token]) -> Iterator[SecretSpan]:
    return (SecretSpan(start=each.start, end=each.end, kind=each.kind) for each in tokens)


def _spans(kind: str, pieces: tuple[tuple[int, int], ...]) -> Iterator[SecretSpan]:
    for index, (start, end) in enumerate(pieces):
        yield SecretSpan(start=start, end=end, kind=kind, is_first=index == 0)


def _address_passwords(data: bytes) -> Iterator[SecretSpan]:
    for match in _address().finditer(data):
        user, password = (match[each].decode("latin-1") for each in ("user", "password"))
        if PLACEHOLDER_START not in password and not is_guessable(user, password):
            start, end = match.span("password")
            yield SecretSpan(start=start, end=end, kind="url_password")


@cache
def _mark() -> ByteSearch:
    address = r"""://[^\s/@:"'`<>]*:[^\s/@"'`<>]+@"""
    return byte_search(f"{prefix_cue()}|{WEB_CUE}|{KEY_CUE}|{address}")


@cache
def _shape_or_seam() -> ByteSearch:
    return byte_search(f"{shape_cue()}|{seam_cue()}")


@cache
def _address() -> re.Pattern[bytes]:
    return re.compile(
        rb"""://(?P<user>[^\s/@:"'`<>]{0,128}):(?P<password>[^\s/@"'`<>]{1,256})@(?=[\w\[$%{<.-])"""
    )
