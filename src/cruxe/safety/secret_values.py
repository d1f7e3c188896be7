"""Whether a value is a secret or only stands where one would: placeholders, samples, randomness.

Takes the value alone, without the name it is assigned to. Knows nothing of token formats.
"""

import binascii
import math
import re
from collections import Counter
from functools import cache
from typing import Final

_TOKEN_CHARACTERS: Final = 16
_PASSWORD_CHARACTERS: Final = 12
_WORD_CHARACTERS: Final = 8
_KEY_CHARACTERS: Final = 32
_MIN_DIGIT_GROUPS: Final = 2
# Letters and digits drawn by chance change class at 0.6 of their places, camelCase at 0.3.
_MIN_CHANGES: Final = 0.45
# Thirty-two random hexadecimal digits have 3.6 bits a character on average and hardly ever under
# 3.1; words of that length, spelled with digits, often have less.
_MIN_BITS: Final = 3.1
_MIN_TOKEN_BITS: Final = 2.7
# A random text of this many characters may hold a word of four letters by chance; only its first
# part is searched for them.
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
# Published by vendors and standards as samples; they open nothing.
_PUBLISHED: Final = frozenset(
    {
        # The account key that every Azure storage emulator has.
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
        "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",  # RFC 7617, "Aladdin:open sesame"
        "cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4=",  # the specification of Fernet
        "JBSWY3DPEHPK3PXP",  # the usual one-time password sample
        "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",  # RFC 6238
    }
)


def is_placeholder(value: str) -> bool:
    """Tell whether a value is there to be replaced, as it is or in base64, or is published."""
    return value in _PUBLISHED or any(map(_says_so, (value, _decoded(value))))


def _says_so(value: str) -> bool:
    text = value[:_JUDGED_CHARACTERS].lower()
    return any(word in text for word in _placeholder_words()) or bool(_filler().search(text))


def _decoded(value: str) -> str:
    """The text that a value has in base64; empty where it has none that can be read."""
    if not _base64().fullmatch(value):
        return ""
    digits = value.rstrip("=")
    whole = digits[: len(digits) // 4 * 4]  # four digits are three bytes
    text = binascii.a2b_base64(whole).decode("ascii", "replace")
    return text.strip() if text.strip().isprintable() and text.isascii() else ""


def is_token_text(value: str) -> bool:
    """Tell whether what follows a vendor's prefix is a token, not a filler of the same length."""
    return not is_placeholder(value) and bits_a_character(value) >= _MIN_TOKEN_BITS


def is_random(value: str) -> bool:
    """Tell whether an assigned literal was drawn by chance, not written by a person.

    A word, path, address, version, UUID, identifier or hashed password is not.
    """
    if is_placeholder(value) or _not_random().match(value) or bits_a_character(value) < _MIN_BITS:
        return False
    return _is_random_token(value) or _is_random_password(value)


def is_guessable(user: str, password: str) -> bool:
    """Tell whether a password in an address is a sample, a word, or one that everybody knows."""
    bare = _percent_encoded().sub(" ", password.lower())
    words = _alphanumeric().findall(bare)
    return (
        password == user
        or "pass" in bare
        or (len(letters := "".join(words)) < _WORD_CHARACTERS and letters.isalpha())
        or all(map(_well_known_password().fullmatch, words))
        or is_placeholder(password)
    )


def bits_a_character(value: str) -> float:
    """Give the Shannon entropy of the characters of a value."""
    counts = Counter(value).values()
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in counts)


def _is_random_token(value: str) -> bool:
    """Long runs of letters and digits that change places as words and versions do not."""
    longest = max(_alphanumeric().findall(value), key=len, default="")
    if len(value) < _TOKEN_CHARACTERS or len(longest) < _TOKEN_CHARACTERS // 2:
        return False
    digit_groups = len(_digits_among_letters().findall(value))
    least = _MIN_DIGIT_GROUPS + bool(_word().search(value))
    return digit_groups >= least or _share_of_changes(value) >= _MIN_CHANGES


def _is_random_password(value: str) -> bool:
    """Signs among letters and digits: changing all the time, or as many as in a key."""
    if len(value) < _PASSWORD_CHARACTERS or not _sign().search(value):
        return False
    digit_groups = len(_digits_among_letters().findall(value))
    is_key = len(value) >= _KEY_CHARACTERS and digit_groups > _MIN_DIGIT_GROUPS
    return is_key or _share_of_changes(value) >= _MIN_CHANGES


def _share_of_changes(value: str) -> float:
    """How often a character is of another class than the one before it."""
    return len(_change().findall(value)) / len(value)


@cache
def _placeholder_words() -> tuple[str, ...]:
    return tuple(_PLACEHOLDER_WORDS.split())


@cache
def _filler() -> re.Pattern[str]:
    """One character over and over, or the name of a variable that is put in there."""
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
