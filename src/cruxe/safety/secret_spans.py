"""Find the spans of secrets in a text, which `redaction` replaces.

Finds tokens and private keys by format, passwords in URLs, and literals assigned to a secret name.
Such a literal must also look random, since every test suite has `password = "..."`. The second half
of the module classifies a value alone: placeholder, sample, or random.
"""

import binascii
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from cruxe.safety.secret_formats import (
    PRIVATE_KEY_KIND,
    find_private_keys,
    find_tokens,
    find_web_tokens,
)

PLACEHOLDER_START: Final = "[REDACTED"
_NAME_CHARACTERS: Final = 120  # how far before a value its name is searched
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
NAME_PARTS: Final = ("pass", "pwd", "secret", "token", "key", "credential", "auth", "bearer")
_VALUE_NAMES: Final = ("value", 'value"', "value'")
_AWS_SECRET_CHARACTERS: Final = 40

_TOKEN_CHARACTERS: Final = 16
_PASSWORD_CHARACTERS: Final = 12
_WORD_CHARACTERS: Final = 8
_KEY_CHARACTERS: Final = 32
_MIN_DIGIT_GROUPS: Final = 2
# Random letters and digits change class at 0.6 of their positions, camelCase at 0.3.
_MIN_CHANGES: Final = 0.45
# 32 random hexadecimal digits have 3.6 bits per character on average and rarely less than 3.1.
# Words of that length, spelled with digits, often have less.
_MIN_BITS: Final = 3.1
_MIN_TOKEN_BITS: Final = 2.7
# A longer random text may contain a word of four letters by chance, so only its start is searched
# for placeholder words.
_JUDGED_CHARACTERS: Final = 64

_PLACEHOLDER_WORDS: Final = """
    example sample dummy fake mock placeholder changeme change-me change_me changeit your insert
    replace redacted removed todo fixme invalid passw pass- pass_ p@ss secret s3cr3t token foobar
    hunter2 test demo xxxx default random string some- none null undefined deadbeef cafebabe qwert
    asdf ... *** 012345 123456 234567 345678 456789 567890 987654 654321 abcdef bcdefg fedcba
"""
_KNOWN_PASSWORDS: Final = """
    pw pwd pass\\w{0,4} passwort admin\\w{0,3} root user\\w{0,4} guest postgres\\w* mysql mariadb
    mongo redis rabbit rabbitmq minio\\w* django rails foo bar baz qux abc abc123 letmein welcome
    name me you bob alice x+ y+ z+ db app dev local\\w* hello world creds? credentials?
    \\w{0,10}_?key
"""
# Published as samples by vendors and standards; they give access to nothing.
_PUBLISHED: Final = frozenset(
    {
        # The account key of every Azure storage emulator.
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
        "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",  # RFC 7617, "Aladdin:open sesame"
        "cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4=",  # the Fernet specification
        "JBSWY3DPEHPK3PXP",  # the usual one-time password sample
        "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",  # RFC 6238
    }
)


class SecretSpan(NamedTuple):
    """A secret: the offsets of its start and end in a text, and its kind."""

    start: int
    end: int
    kind: str


def find_secrets(text: str) -> list[SecretSpan]:
    """Return the spans of all secrets, in order and without overlap."""
    taken: list[SecretSpan] = []
    found = [
        *(SecretSpan(start, end, PRIVATE_KEY_KIND) for start, end in find_private_keys(text)),
        *_tokens(text),
        *_web_tokens(text),
        *_address_passwords(text),
        *_assigned_values(text),
    ]
    if not found:
        return taken
    # The sort is stable: of two with the same start the more certain kind, found first, is kept.
    for span in sorted(found, key=lambda each: each.start):
        if not taken or span.start >= taken[-1].end:
            taken.append(span)
    return taken


def _tokens(text: str) -> Iterator[SecretSpan]:
    for token in find_tokens(text):
        if _is_token_text(text[token.rest_start : token.end]):
            start = token.rest_start if token.format.is_label else token.start
            yield SecretSpan(start, token.end, token.format.kind)


def _web_tokens(text: str) -> Iterator[SecretSpan]:
    for token in find_web_tokens(text):
        if _is_token_text(text[token.signature_start : token.end]):
            yield SecretSpan(token.start, token.end, "jwt")


def _address_passwords(text: str) -> Iterator[SecretSpan]:
    if "://" not in text or "@" not in text:
        return
    for match in _address().finditer(text):
        if PLACEHOLDER_START not in match["password"] and not _is_guessable(
            match["user"], match["password"]
        ):
            yield SecretSpan(*match.span("password"), "url_password")


def _assigned_values(text: str) -> Iterator[SecretSpan]:
    if not has_name_part(text):
        return
    for expression in _assignments():
        for match in expression.finditer(text):
            group = "quoted" if match["quoted"] else "bare"
            kind = _kind_of_assigned(text, match, match[group])
            if kind:
                yield SecretSpan(*match.span(group), kind)


def _kind_of_assigned(text: str, match: re.Match[str], value: str) -> str:
    """Return the kind of an assigned value, or an empty string if it is no secret."""
    name = _name_before(text, match.start())
    if not _is_secret_name(name):
        return ""
    is_aws = name.endswith("secretaccesskey") or ("aws" in name and "secret" in name)
    if is_aws and len(value) == _AWS_SECRET_CHARACTERS and not _is_placeholder(value):
        return "aws_secret_key"
    if _exchanged_name().search(name) and _hexadecimal().fullmatch(value):
        return ""
    return "assigned_secret" if _is_random(value) else ""


def _is_secret_name(name: str) -> bool:
    """Return whether a normalised name means a secret; ignore suffixes such as `_value` or `2`."""
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
    """Return the normalised name that a value at a position is assigned to."""
    before = text[max(0, position - _NAME_CHARACTERS) : position].rstrip()
    line = before[before.rfind("\n") + 1 :]
    if line.endswith(_VALUE_NAMES):
        # {"name": "API_KEY", "value": "..."}, on one line or on two
        pairs = _named_pair().findall(before)
        return _squeezed(pairs[-1]) if pairs else ""
    if not has_name_part(line):
        return ""
    match = _assigned_name().match(line[::-1])
    return _squeezed(match["name"][::-1]) if match else ""


def has_name_part(text: str) -> bool:
    """Return whether a text may hold the name of an assigned secret."""
    lowered = text.lower()
    return any(part in lowered for part in NAME_PARTS)


def _squeezed(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(".", "")


@cache
def _address() -> re.Pattern[str]:
    return re.compile(
        r"""://(?P<user>[^\s/@:"'`<>]{0,128}):(?P<password>[^\s/@"'`<>]{1,256})@(?=[\w\[$%{<.-])"""
    )


@cache
def _assignments() -> tuple[re.Pattern[str], ...]:
    """Return one expression per assignment sign, each starting with it."""
    scheme = r"(?>[A-Z][a-z]{3,8} |)"  # of an Authorization header
    # Most values are short or have no digit. These lookaheads reject them early.
    long_with_digit = r"""(?=[^\s"']{12})(?=[^\s"'0-9]{0,60}[0-9])"""
    quoted = rf"""[brfuL]{{0,2}}+["']{scheme}{long_with_digit}(?P<quoted>[^\s"']{{12,256}})["']"""
    first, rest = "[A-Za-z0-9+/]", "A-Za-z0-9+/_.~=-"
    bare = (
        rf"{scheme}(?={first}[{rest}]{{15}}){long_with_digit}"
        rf"(?P<bare>{first}[{rest}]{{15,255}}+)(?=[\s#]|$)"
    )
    return tuple(re.compile(rf"{sign}>?+\s{{0,8}}+(?:{quoted}|{bare})") for sign in ("=", ":"))


@cache
def _assigned_name() -> re.Pattern[str]:
    """Match the name at the end of a line, on the reversed line, so that the match is anchored."""
    annotation = r"(?:[&'\w.<>\[\]|? ]{1,40}:)?"
    return re.compile(
        rf""":?\s{{0,8}}{annotation}\s{{0,8}}["'`\])]{{0,3}}(?P<name>[\w.-]{{1,64}})"""
    )


@cache
def _named_pair() -> re.Pattern[str]:
    return re.compile(r"""(?:name|key)["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z_][\w.-]{0,63})""")


@cache
def _exchanged_name() -> re.Pattern[str]:
    """Match names of protocol values; as hexadecimal they are test vectors of cryptography."""
    return re.compile(
        r"(?:shared|master|premaster|traffic|handshake|early|exporter|resumption)secret"
    )


@cache
def _hexadecimal() -> re.Pattern[str]:
    return re.compile(r"[0-9a-fA-F]+")


def _is_placeholder(value: str) -> bool:
    """Return whether a value, plain or base64-decoded, is a placeholder or a published sample."""
    return value in _PUBLISHED or any(map(_says_so, (value, _decoded(value))))


def _says_so(value: str) -> bool:
    text = value[:_JUDGED_CHARACTERS].lower()
    return any(word in text for word in _placeholder_words()) or bool(_filler().search(text))


def _decoded(value: str) -> str:
    """Return the printable text that a value encodes in base64, or an empty string."""
    if not _base64().fullmatch(value):
        return ""
    digits = value.rstrip("=")
    whole = digits[: len(digits) // 4 * 4]  # four digits are three bytes
    text = binascii.a2b_base64(whole).decode("ascii", "replace")
    return text.strip() if text.strip().isprintable() and text.isascii() else ""


def _is_token_text(value: str) -> bool:
    """Return whether what follows a vendor's prefix is a token, not filler of the same length."""
    return not _is_placeholder(value) and _bits_per_character(value) >= _MIN_TOKEN_BITS


def _is_random(value: str) -> bool:
    """Return whether an assigned literal is random, not written by a person.

    Words, paths, URLs, versions, UUIDs, identifiers and password hashes are not random.
    """
    if _is_placeholder(value) or _not_random().match(value):
        return False
    if _bits_per_character(value) < _MIN_BITS:
        return False
    return _is_random_token(value) or _is_random_password(value)


def _is_guessable(user: str, password: str) -> bool:
    """Return whether a password in a URL is a sample, a word, or a well-known one."""
    bare = _percent_encoded().sub(" ", password.lower())
    words = _alphanumeric().findall(bare)
    return (
        password == user
        or "pass" in bare
        or (len(letters := "".join(words)) < _WORD_CHARACTERS and letters.isalpha())
        or all(map(_well_known_password().fullmatch, words))
        or _is_placeholder(password)
    )


def _bits_per_character(value: str) -> float:
    """Return the Shannon entropy of a value, in bits per character."""
    counts = Counter(value).values()
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in counts)


def _is_random_token(value: str) -> bool:
    """Return whether long runs mix letters and digits more than words and versions do."""
    longest = max(_alphanumeric().findall(value), key=len, default="")
    if len(value) < _TOKEN_CHARACTERS or len(longest) < _TOKEN_CHARACTERS // 2:
        return False
    digit_groups = len(_digits_among_letters().findall(value))
    least = _MIN_DIGIT_GROUPS + bool(_word().search(value))
    return digit_groups >= least or _share_of_changes(value) >= _MIN_CHANGES


def _is_random_password(value: str) -> bool:
    """Return whether symbols are mixed with letters and digits as in a random password or key."""
    if len(value) < _PASSWORD_CHARACTERS or not _sign().search(value):
        return False
    digit_groups = len(_digits_among_letters().findall(value))
    is_key = len(value) >= _KEY_CHARACTERS and digit_groups > _MIN_DIGIT_GROUPS
    return is_key or _share_of_changes(value) >= _MIN_CHANGES


def _share_of_changes(value: str) -> float:
    """Return the share of characters whose class differs from the one before."""
    return len(_change().findall(value)) / len(value)


@cache
def _placeholder_words() -> tuple[str, ...]:
    return tuple(_PLACEHOLDER_WORDS.split())


@cache
def _filler() -> re.Pattern[str]:
    """Match a repeated character, or a template variable."""
    variable = r"[$#]?\{\{?[a-z_ ][^}]*\}|[$%]\([^)]+\)|<[a-z_][^>]*>|\[[a-z_][^\]]*\]|^[$%]\w+%?$"
    return re.compile(rf"(.)\1{{5}}|{variable}")


@cache
def _not_random() -> re.Pattern[str]:
    uuid = r"0x[0-9a-fA-F]{1,16}$|[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
    hashed = r"\$(?:2[abxy]?|argon2\w*|[156y]|s0|scrypt)\$|\{\w+\}|\w+_sha\d+\$|sha\d{3}[-:]|md5:"
    reference = r"[a-z][a-z0-9+.-]*://|arn:|~?\.{0,2}/|data:"
    code = r"[^\[\]\\{}|<>;,]*[\[\]\\{}|<>;,]"
    return re.compile(rf"{uuid}|{hashed}|{reference}|{code}")


@cache
def _base64() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9+/]{12,200}={0,2}")


@cache
def _alphanumeric() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9]+")


@cache
def _digits_among_letters() -> re.Pattern[str]:
    return re.compile(r"(?<=[A-Za-z])[0-9]+|[0-9]+(?=[A-Za-z])")


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[a-z]{6}|[A-Z]{8}")


@cache
def _sign() -> re.Pattern[str]:
    return re.compile(r"[!@#$%^&*?+=~]")


@cache
def _change() -> re.Pattern[str]:
    small, capital, digit = "(?<=[a-z])[^a-z]", "(?<=[A-Z])[^A-Z]", "(?<=[0-9])[^0-9]"
    return re.compile(rf"{small}|{capital}|{digit}|(?<=[^\w-])[A-Za-z0-9]")


@cache
def _percent_encoded() -> re.Pattern[str]:
    return re.compile("%[0-9a-f]{2}")


@cache
def _well_known_password() -> re.Pattern[str]:
    words = "|".join(_KNOWN_PASSWORDS.split())
    return re.compile(rf"[a-z]?|\d{{1,4}}|{words}")
