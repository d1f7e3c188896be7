"""Judge a value alone, whether it is a placeholder, a published sample, filler, or random.

What follows the prefix of a vendor's token is random by itself, so only what cannot be chance
speaks against it: a random token of 36 characters contains some word of four letters once in two
thousand times. A literal that is assigned to a secret name must look random, since every test
suite has `password = "..."`.
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
# Random letters and digits change class at 0.6 of their positions, camelCase at 0.3.
_MIN_CHANGES: Final = 0.45
# 32 random hexadecimal digits have 3.6 bits per character on average and rarely less than 3.1.
# Words of that length, spelled with digits, often have less.
_MIN_BITS: Final = 3.1
_MIN_TOKEN_BITS: Final = 2.7
# A longer random text may contain a word of four letters by chance, so only its start is searched
# for placeholder words.
_JUDGED_CHARACTERS: Final = 64
_COUNTED_CHARACTERS: Final = 256
# Of these in a random token one is chance, two are not.
_CHANCE_WORDS: Final = 1
_CHANCE_CHARACTERS: Final = 5
# Of hexadecimal digits one token in ten thousand has six alike, or six in order.
_MIN_REST: Final = 0.75

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


def is_token_text(value: str) -> bool:
    """Return whether what follows a vendor's prefix is a token, not filler of the same length."""
    return not (value in _PUBLISHED or is_filler(value) or _says_so(_decoded(value)))


def is_filler(value: str) -> bool:
    """Return whether a value has too little variety, or words that random text does not have."""
    if _bits_per_character(value) < _MIN_TOKEN_BITS:
        return True
    judged = value[:_JUDGED_CHARACTERS]
    words = [each for each in _placeholder_words_in(judged) if not _digits().fullmatch(each)]
    if len(words) > _CHANCE_WORDS or any(len(each) > _CHANCE_CHARACTERS for each in words):
        return True
    return len(_patterned().sub("", judged.lower())) < _MIN_REST * len(judged)


def is_placeholder(value: str) -> bool:
    """Return whether a value, plain or base64-decoded, is a placeholder or a published sample."""
    return value in _PUBLISHED or any(map(_says_so, (value, _decoded(value))))


def is_random(value: str) -> bool:
    """Return whether an assigned literal is random, not written by a person.

    Words, paths, URLs, versions, UUIDs, identifiers and password hashes are not random.
    """
    if is_placeholder(value) or _not_random().match(value):
        return False
    if _bits_per_character(value) < _MIN_BITS:
        return False
    return _is_random_token(value) or _is_random_password(value)


def is_guessable(user: str, password: str) -> bool:
    """Return whether a password in a URL is a sample, a word, or a well-known one."""
    bare = _percent_encoded().sub(" ", password.lower())
    words = _alphanumeric().findall(bare)
    return (
        password == user
        or "pass" in bare
        or (len(letters := "".join(words)) < _WORD_CHARACTERS and letters.isalpha())
        or all(map(_well_known_password().fullmatch, words))
        or is_placeholder(password)
    )


def _says_so(value: str) -> bool:
    text = value[:_JUDGED_CHARACTERS]
    return bool(_placeholder_words_in(text)) or bool(_variable().search(text.lower()))


def _placeholder_words_in(value: str) -> list[str]:
    lowered = value.lower()
    return [word for word in _placeholder_words() if word in lowered]


def _decoded(value: str) -> str:
    """Return the printable text that a value encodes in base64, or an empty string."""
    if not _base64().fullmatch(value):
        return ""
    digits = value.rstrip("=")
    whole = digits[: len(digits) // 4 * 4]  # four digits are three bytes
    text = binascii.a2b_base64(whole).decode("ascii", "replace")
    return text.strip() if text.strip().isprintable() and text.isascii() else ""


def _bits_per_character(value: str) -> float:
    """Return the Shannon entropy of a value's start, in bits per character."""
    judged = value[:_COUNTED_CHARACTERS]
    counts, total = Counter(judged).values(), len(judged)
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
def _digits() -> re.Pattern[str]:
    return re.compile(r"[0-9a-f.*]+")


@cache
def _patterned() -> re.Pattern[str]:
    """Match a repeated character, and digits in order."""
    ordered = "|".join(word for word in _placeholder_words() if _digits().fullmatch(word))
    return re.compile(rf"(.)\1{{5,}}|{re.escape(ordered).replace(re.escape('|'), '|')}")


@cache
def _variable() -> re.Pattern[str]:
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
