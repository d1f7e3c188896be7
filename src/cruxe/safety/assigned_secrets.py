"""Find literals that are assigned to a secret name, whatever the syntax of the assignment.

A value is found first: a run of characters with a digit, behind a word such as `token` on the same
line or one of the two before. The value must look random, and the text between it and the nearest
name before it must bind the two: `name = "value"`, `name: value`, `define('NAME', 'value')`,
`<name>value</name>`, `ENV NAME value`, `${NAME:-value}`, `-H "Name: Bearer value"`.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from cruxe.safety.secret_values import is_placeholder, is_random
from cruxe.text.patterns import ByteSpans, byte_spans

_BYTES_BEFORE: Final = (80, 240)  # how far before a value its name is searched, nearest first
_BYTES_SEARCHED: Final = 400  # how far around a found value others are searched
_MOST_CHARACTERS: Final = 4_096  # session tokens have thousands
# Characters of values. Others of a literal may follow these, which are enough to find it.
_VALUE_CLASS: Final = "[A-Za-z0-9+/_.~!@#$%^*-]"
_LEAST_CHARACTERS: Final = 12
_LEAST_BARE_CHARACTERS: Final = 16
_AWS_SECRET_CHARACTERS: Final = 40
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
# Every name that `_is_secret_name` accepts contains one of these.
_NAME_PARTS: Final = ("pass", "pwd", "secret", "token", "key", "credential", "auth", "bearer")
_WHOLE_NAMES: Final = frozenset({"auth"})
_VALUE_NAMES: Final = frozenset({"value", "default"})


class Assigned(NamedTuple):
    """A secret that is assigned: its kind, and the spans of its pieces."""

    kind: str
    pieces: tuple[tuple[int, int], ...]


def find_assigned(data: bytes) -> Iterator[Assigned]:
    """Yield the secrets that are assigned to names, in order."""
    seen = 0
    for start, end in _cue()(data):
        reach = _reach().match(data, end)
        assert reach is not None
        for run in _runs().finditer(data, max(start, seen, end - _BYTES_SEARCHED), reach.end()):
            if run.start() < seen:
                continue
            seen = run.end()
            # A dash may belong to the operator before the value: `${NAME:-value}`.
            found = _assigned_at(data, run.start() + run[0].startswith(b"-"))
            if found is not None:
                yield found
                seen = max(seen, found.pieces[-1][1])


def _assigned_at(data: bytes, start: int) -> Assigned | None:
    """Return the secret that starts at a place, or None."""
    pieces = _value_at(data, start)
    value = b"".join(data[first:last] for first, last in pieces).decode("latin-1")
    if not pieces or not may_be_secret(value):
        return None
    for count in _BYTES_BEFORE:
        before = data[max(0, start - count) : start].decode("latin-1")
        kinds = (_kind_of(name, value) for name in _names_before(before))
        if kind := next(filter(None, kinds), ""):
            return Assigned(kind, pieces)
    return None


def _value_at(data: bytes, start: int) -> tuple[tuple[int, int], ...]:
    """Return the pieces of the literal that starts at a place, or none if it is no literal."""
    quoted = _quoted().match(data, start)
    if quoted is None:
        bare = _bare().match(data, start)
        return () if bare is None else (bare.span(),)
    pieces = [quoted.span()]
    while joined := _joined().match(data, pieces[-1][1]):
        pieces.append(joined.span("piece"))
    return tuple(pieces)


def _kind_of(name: str, value: str) -> str:
    """Return the kind of a value that is assigned to a name, or an empty string."""
    if not _is_secret_name(name):
        return ""
    is_aws = name.endswith("secretaccesskey") or ("aws" in name and "secret" in name)
    if is_aws and len(value) == _AWS_SECRET_CHARACTERS and not is_placeholder(value):
        return "aws_secret_key"
    if _exchanged_name().search(name) and _hexadecimal().fullmatch(value):
        return ""
    return "assigned_secret" if is_random(value) else ""


def may_be_secret(value: str) -> bool:
    """Return whether a value needs a look at its name: a quick test, wider than `is_random`."""
    return len(value) == _AWS_SECRET_CHARACTERS or is_random(value)


def _is_secret_name(name: str) -> bool:
    """Return whether a normalised name means a secret; ignore suffixes such as `_value` or `2`."""
    if any(f"{kind}{middle}token" in name for kind in _SHORT_LIVED for middle in _MIDDLES):
        return False
    if name in _WHOLE_NAMES:
        return True
    pending = [name]
    while pending:
        rest = pending.pop()
        if rest.endswith(_SECRET_ENDS):
            return True
        pending += [rest.removesuffix(tail) for tail in _TAILS if rest.endswith(tail)]
        if rest[-1:].isdecimal():
            pending.append(rest[:-1])
    return False


def _names_before(before: str) -> Iterator[str]:
    """Yield the normalised names that a value behind a text may be assigned to."""
    for binding in _bindings():
        match = binding.search(before)
        if match is None:
            continue
        name = _squeezed(match["name"])
        if name in _VALUE_NAMES:
            # {"name": "API_KEY", "value": "..."}, on one line or on two; variable "key" { default
            pairs = _named_pair().findall(before)
            name = _squeezed(pairs[-1]) if pairs else ""
        yield name


def _squeezed(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(".", "").replace("$", "")


@cache
def _cue() -> ByteSpans:
    """Find a value with a digit behind a part of a name: what every assigned secret has."""
    parts, half = "|".join(_NAME_PARTS), f"{_VALUE_CLASS}{{{_LEAST_CHARACTERS // 2}}}"
    # Beside some digit of a value is half of it. To demand all of it takes RE2 twice the states.
    return byte_spans(rf"(?i:{parts})[^\n]*?(?:\n[^\n]*?){{0,2}}?(?:{half}[0-9]|[0-9]{half})")


@cache
def _reach() -> re.Pattern[bytes]:
    """Match the rest of a line and the two lines below it, but not too much."""
    line = rb"[^\n]{0,%d}" % _BYTES_SEARCHED
    return re.compile(rb"%b(?:\n%b)?(?:\n%b)?" % (line, line, line))


@cache
def _runs() -> re.Pattern[bytes]:
    value, least = _VALUE_CLASS.encode(), _LEAST_CHARACTERS
    digit = rb"(?=%b{0,60}[0-9])" % value.replace(b"0-9", b"")
    return re.compile(rb"(?<!%b)%b%b{%d,}" % (value, digit, value, least))


@cache
def _quoted() -> re.Pattern[bytes]:
    """Match a literal's text up to its end, behind a quote or behind a quote and a scheme."""
    scheme = rb"(?<=Bearer )|(?<=Basic )|(?<=[Tt]oken )|(?<=ApiKey )"
    return re.compile(
        rb"""(?:(?<=["'`])|%b)[^\s"'`\\]{%d,%d}+(?=["'`\\])"""
        % (scheme, _LEAST_CHARACTERS, _MOST_CHARACTERS)
    )


@cache
def _bare() -> re.Pattern[bytes]:
    return re.compile(
        rb"""[A-Za-z0-9+/!@#$%%^*][A-Za-z0-9+/_.~!@#$%%^*-]{%d,%d}+={0,2}(?=[\s#;,&)"'`<\\\]}|]|$)"""
        % (_LEAST_BARE_CHARACTERS - 1, _MOST_CHARACTERS)
    )


@cache
def _joined() -> re.Pattern[bytes]:
    """Match the next of several literals that the source joins."""
    space = rb"[ \t\\]{0,8}\n?[ \t]{0,80}"
    sign = rb"(?:\+\+|\.\.|<>|\|\||[+.&~])?"
    return re.compile(
        rb"""(?P<quote>["'`])%b%b%b[bfrLu]?(?P=quote)(?P<piece>[^\s"'`\\]{4,%d})(?=["'`\\](?!\s{0,8}[:=]))"""
        % (space, sign, space, _MOST_CHARACTERS)
    )


@cache
def _bindings() -> tuple[re.Pattern[str], ...]:
    """Return expressions for what may stand before a value, each with the name that it binds."""
    name = r"(?<![\w.$])(?P<name>[A-Za-z_$][\w.$-]{0,63})"
    named = rf"""{name}(?:\[\w*\])?\\?["'`]?\\?[\])}}!?]{{0,3}}"""
    typed = r"(?:\s?:\s?[&'\w.<>\[\]|?*, ]{1,40}|\s+[\w.*\[\]]{1,30})"
    sign = r"(?:=>|:=|\?\?=|\|\|=|\?=|[=!]==?|[=:])"
    block = r"(?:[|>][+-]?\d?)?\s{0,80}(?:-\s+)?(?:\\\s{0,80})?"
    # What is decoded from hexadecimal is a test vector.
    call = r"(?:(?:new\s+)?(?:\[\])?(?!\S*[Hh]ex)[\w.:<>&*!]{0,40}\(\s{0,40}|[\[{]\s{0,40}){0,2}"
    quote = r"""(?:[bfruLR@$&]{0,2}\\?["'`]{1,3}\\?\n?)"""
    scheme = r"(?:(?:Bearer|Basic|[Tt]oken|ApiKey|Digest)\s+)?"
    opening = rf"{call}{quote}?{scheme}$"
    instead = r"(?:\|\||\?\?|\?:|\bor\b|:-|:=|-|\{)"
    command = r"(?:\b(?:ENV|ARG|define|setx?|setenv|SetEnv|export)\s+|(?<![\w-])-{1,2})"
    sources = (
        rf"{named}\s{{0,8}}{sign}\s{{0,8}}{block}{opening}",
        rf"{named}{typed}\s{{0,8}}{sign}\s{{0,8}}{block}{opening}",
        rf"{named}\s{{0,8}}{instead}\s{{0,8}}{quote}?$",
        rf"{named}\s{{0,8}},\s{{0,40}}{opening}",
        rf"{name}[!?]?\(\s{{0,40}}{opening}",
        r"<(?:[\w-]+:)?(?P<name>[\w.-]{1,64})(?:\s[^<>]{0,120})?>\s{0,40}(?:<!\[CDATA\[)?$",
        r"""\bname=["'](?P<name>[\w.-]{1,64})["'][^<>]{0,80}>\s{0,40}$""",
        rf"{command}(?P<name>[\w.-]{{1,64}})\s{{1,8}}{quote}?$",
        rf"""{name}[ \t]{{1,8}}{quote}$""",
        r"\blogin\s+\S{1,64}\s+(?P<name>password)\s+$",
        r"\b(?P<name>[Bb]earer)\s+$",
    )
    return tuple(re.compile(source) for source in sources)


@cache
def _named_pair() -> re.Pattern[str]:
    return re.compile(
        r"""(?:(?:name|key)["']?\s{0,4}[:=]|variable\s)\s{0,4}["']?([A-Za-z_][\w.-]{0,63})"""
    )


@cache
def _exchanged_name() -> re.Pattern[str]:
    """Match names of protocol values; as hexadecimal they are test vectors of cryptography."""
    return re.compile(
        r"(?:shared|master|premaster|traffic|handshake|early|exporter|resumption)secret"
    )


@cache
def _hexadecimal() -> re.Pattern[str]:
    return re.compile(r"[0-9a-fA-F]+")
