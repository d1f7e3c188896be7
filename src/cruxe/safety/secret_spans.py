"""Where a text holds secrets: tokens by format, addresses with passwords, assigned literals.

Gives places only; what is put there instead is said in `redaction`. A value assigned to a name is
judged by its randomness, since `password = "..."` is in every test suite.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from cruxe.safety import private_keys
from cruxe.safety.secret_formats import tokens
from cruxe.safety.secret_values import is_guessable, is_placeholder, is_random, is_token_text

PLACEHOLDER_START: Final = "[REDACTED"
_NAME_CHARACTERS: Final = 120  # how far before a value its name is looked for
_KEYS: Final = (
    "api access secret private auth signing encryption service master shared account storage"
)
_SECRET_ENDS: Final = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential"),
    *("authorization", "bearer"),
    *(f"{kind}key" for kind in _KEYS.split()),
)
_TAILS: Final = (
    *("s", "value", "base", "string", "text", "live", "prod", "production", "staging", "dev"),
    *("old", "new", "key", "default", "fallback"),
)
_SHORT_LIVED: Final = (
    *("csrf", "xsrf", "authenticity", "page", "next", "continuation"),
    *("sync", "resume", "nonce"),
)
_MIDDLES: Final = ("", "middleware")
# One of these is in each name that `_is_secret_name` accepts.
_NAME_PARTS: Final = ("pass", "pwd", "secret", "token", "key", "credential", "auth", "bearer")
_VALUE_NAMES: Final = ("value", 'value"', "value'")
_AWS_SECRET_CHARACTERS: Final = 40
_HEADER_START: Final = "eyJ"
_SIGNATURE_CHARACTERS: Final = 20
_SAMPLE_PAYLOAD: Final = "eyJzdWIiOiIxMjM0NTY3ODkwIi"  # {"sub":"1234567890", as tutorials have it


class Place(NamedTuple):
    """A secret: characters `start` to `end` of a text, and what it is."""

    start: int
    end: int
    kind: str


def secret_places(text: str) -> list[Place]:
    """Give the places of all secrets in order; none overlaps another."""
    taken: list[Place] = []
    found = [
        *(Place(start, end, private_keys.KIND) for start, end in private_keys.private_keys(text)),
        *_tokens(text),
        *_web_tokens(text),
        *_address_passwords(text),
        *_assigned_values(text),
    ]
    if not found:
        return taken
    # Stable: of two that start together the more certain kind, found first, is kept.
    for place in sorted(found, key=lambda each: each.start):
        if not taken or place.start >= taken[-1].end:
            taken.append(place)
    return taken


def _tokens(text: str) -> Iterator[Place]:
    for token in tokens(text):
        if is_token_text(text[token.rest_start : token.end]):
            start = token.rest_start if token.format.is_label else token.start
            yield Place(start, token.end, token.format.kind)


def _web_tokens(text: str) -> Iterator[Place]:
    """JSON web tokens: the header must decode, and the signature must be one."""
    if _HEADER_START not in text:
        return
    for match in _web_token().finditer(text):
        start = match.start() - 2
        header = text[start : match.start("payload") - 1]
        is_sample = match["payload"].startswith(_SAMPLE_PAYLOAD)
        if not is_sample and _is_web_token_header(header) and is_token_text(match["signature"]):
            yield Place(start, match.end(), "jwt")


def _address_passwords(text: str) -> Iterator[Place]:
    if "://" not in text or "@" not in text:
        return
    for match in _address().finditer(text):
        if PLACEHOLDER_START not in match["password"] and not is_guessable(
            match["user"], match["password"]
        ):
            yield Place(*match.span("password"), "url_password")


def _assigned_values(text: str) -> Iterator[Place]:
    if not _has_name_part(text):
        return
    for expression in _assignments():
        for match in expression.finditer(text):
            group = "quoted" if match["quoted"] else "bare"
            kind = _kind_of_assigned(text, match, match[group])
            if kind:
                yield Place(*match.span(group), kind)


def _kind_of_assigned(text: str, match: re.Match[str], value: str) -> str:
    """Name the kind of an assigned value; empty where it is no secret."""
    name = _name_before(text, match.start())
    if not _is_secret_name(name):
        return ""
    is_aws = name.endswith("secretaccesskey") or ("aws" in name and "secret" in name)
    if is_aws and len(value) == _AWS_SECRET_CHARACTERS and not is_placeholder(value):
        return "aws_secret_key"
    if _exchanged_name().search(name) and _hexadecimal().fullmatch(value):
        return ""
    return "assigned_secret" if is_random(value) else ""


def _is_secret_name(name: str) -> bool:
    """Whether a squeezed name says that its value is a secret, whatever it ends with besides."""
    if any(f"{kind}{middle}token" in name for kind in _SHORT_LIVED for middle in _MIDDLES):
        return False
    pending = [name]
    while pending:
        rest = pending.pop()
        if rest.endswith(_SECRET_ENDS):
            return True
        pending += [rest.removesuffix(tail) for tail in _TAILS if rest.endswith(tail)]
        if rest[-1:].isdecimal():
            pending.append(rest[:-1])
    return False


def _name_before(text: str, position: int) -> str:
    """The name that is given a value at a position, without case and separators."""
    before = text[max(0, position - _NAME_CHARACTERS) : position].rstrip()
    line = before[before.rfind("\n") + 1 :]
    if line.endswith(_VALUE_NAMES):
        # {"name": "API_KEY", "value": "..."}, on one line or on two
        pairs = _named_pair().findall(before)
        return _squeezed(pairs[-1]) if pairs else ""
    if not _has_name_part(line):
        return ""
    match = _assigned_name().match(line[::-1])
    return _squeezed(match["name"][::-1]) if match else ""


def _has_name_part(text: str) -> bool:
    lowered = text.lower()
    return any(part in lowered for part in _NAME_PARTS)


def _squeezed(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(".", "")


def _is_web_token_header(header: str) -> bool:
    import binascii

    try:
        decoded = binascii.a2b_base64(header.translate({45: 43, 95: 47}) + "==")
    except ValueError:
        return False
    return decoded.startswith(b"{") and b'"alg"' in decoded


@cache
def _web_token() -> re.Pattern[str]:
    part = r"[A-Za-z0-9_-]{10,}+"
    # Anchored at the J: the first two letters of the header are too frequent to look for.
    return re.compile(
        rf"J(?<=(?<![A-Za-z0-9_-])eyJ|(?<=\\[nrt])eyJ){part}\.(?P<payload>eyJ{part})"
        rf"\.(?P<signature>[A-Za-z0-9_-]{{{_SIGNATURE_CHARACTERS},}}+)"
    )


@cache
def _address() -> re.Pattern[str]:
    return re.compile(
        r"""://(?P<user>[^\s/@:"'`<>]{0,128}):(?P<password>[^\s/@"'`<>]{1,256})@(?=[\w\[$%{<.-])"""
    )


@cache
def _assignments() -> tuple[re.Pattern[str], ...]:
    """One expression for each sign that assigns, each starting with it."""
    scheme = r"(?:[A-Z][a-z]{3,8} )?+"  # of an Authorization header
    # Most values are short or have no digit: those are refused here, before they are read.
    long_with_digit = r"""(?=[^\s"']{12})(?=[^\s"'0-9]{0,60}[0-9])"""
    quoted = rf"""[brfuL]{{0,2}}+["']{scheme}{long_with_digit}(?P<quoted>[^\s"']{{12,256}})["']"""
    word = "[A-Za-z0-9+/][A-Za-z0-9+/_.~=-]"
    bare = rf"{scheme}(?={word}{{15}}){long_with_digit}(?P<bare>{word}{{15,255}}+)(?=[\s#]|$)"
    return tuple(re.compile(rf"{sign}>?+\s{{0,8}}+(?:{quoted}|{bare})") for sign in ("=", ":"))


@cache
def _assigned_name() -> re.Pattern[str]:
    """The name at the end of a line, for the line read backwards: only there a search is short."""
    annotation = r"(?:[&'\w.<>\[\]|? ]{1,40}:)?"
    return re.compile(
        rf""":?\s{{0,8}}{annotation}\s{{0,8}}["'`\])]{{0,3}}(?P<name>[\w.-]{{1,64}})"""
    )


@cache
def _named_pair() -> re.Pattern[str]:
    return re.compile(r"""(?:name|key)["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z_][\w.-]{0,63})""")


@cache
def _exchanged_name() -> re.Pattern[str]:
    """Names of protocol values; in hexadecimal digits they are vectors of cryptographic tests."""
    return re.compile(
        r"(?:shared|master|premaster|traffic|handshake|early|exporter|resumption)secret"
    )


@cache
def _hexadecimal() -> re.Pattern[str]:
    return re.compile(r"[0-9a-fA-F]+")
