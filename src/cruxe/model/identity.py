"""Identities: keys of file versions and the short handles that callers pass back.

A version key is a digest of path and content, so it is the same in every store, run and ref.
A handle packs a version key with an ordinal inside the file; resolving it needs no extra index.
"""

from typing import Final, NamedTuple, NewType

VersionKey = NewType("VersionKey", int)  # never negative
BlobId = NewType("BlobId", str)
SymbolId = NewType("SymbolId", str)
SymbolStableId = NewType("SymbolStableId", str)
ResultId = NewType("ResultId", str)

# Six bits a character: nine characters of key, three of ordinal and kind. Two of a million
# versions share a key with a probability of 3e-5; then the second has no rows, never the first's.
VERSION_KEY_BITS: Final = 54
ORDINAL_BITS: Final = 17
MAX_ORDINAL: Final = (1 << ORDINAL_BITS) - 1
HANDLE_LENGTH: Final = 12
CHARACTER_BITS: Final = 6
# Safe in a shell, in JSON and beside the separators of qualified names.
HANDLE_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_@"


class DatabaseOptions(NamedTuple):
    """How a local database is opened: `storage.busy_timeout_ms` and `storage.cache_size`."""

    busy_timeout_ms: int
    cache_size: int  # of the connection that writes; pages, or KiB if negative


class StoreLocation(NamedTuple):
    """The location of one repository's index, and the options to open it."""

    data_dir: str
    repository_id: str
    database: DatabaseOptions


class Handle(NamedTuple):
    """A parsed handle: a symbol or a chunk of a file version."""

    version_key: VersionKey
    ordinal: int
    is_symbol: bool


def version_key_of(path: str, blob_id: str, rules: str) -> VersionKey:
    """Derive the key of one path with one content, extracted by some rules.

    `rules` is a digest of the settings that decide what is extracted from the same bytes.
    """
    digest = digest_of(f"{path}\0{blob_id}\0{rules}".encode(), 8)
    return VersionKey(int.from_bytes(digest, "big") >> (64 - VERSION_KEY_BITS))


def symbol_id_of(version_key: VersionKey, ordinal: int) -> SymbolId:
    """Return the id of a symbol by its ordinal in a file version; stable for the same content."""
    return SymbolId(_encode(version_key, ordinal << 1 | 1))


def result_id_of(version_key: VersionKey, ordinal: int) -> ResultId:
    """Return the id of a chunk by its ordinal in a file version; stable for the same content."""
    return ResultId(_encode(version_key, ordinal << 1))


def parse_handle(text: str) -> Handle | None:
    """Parse a handle, or return None if the text cannot be one."""
    digits = [HANDLE_ALPHABET.find(character) for character in text]
    if len(digits) != HANDLE_LENGTH or min(digits) < 0:
        return None
    number = 0
    for digit in digits:
        number = number << CHARACTER_BITS | digit
    return Handle(
        version_key=VersionKey(number >> (ORDINAL_BITS + 1)),
        ordinal=number >> 1 & MAX_ORDINAL,
        is_symbol=bool(number & 1),
    )


class StableIds:
    """Ids of a file's symbols that survive edits: moved lines, changes of other symbols."""

    def __init__(self, path: str) -> None:
        """Hash the path, which all ids share."""
        self._of_path = blake2b(f"{path}\0".encode(), digest_size=8)

    def of(self, kind: str, qualified_name: str, variant: str) -> SymbolStableId:
        """Return an id; `variant` tells symbols of one kind and qualified name apart."""
        state = self._of_path.copy()  # takes two thirds of the time of a new hash
        # An f-string would call the enum's `__format__`, which is slow.
        state.update("\0".join((kind, qualified_name, variant)).encode())  # noqa: FLY002
        return SymbolStableId(state.hexdigest())


def _encode(version_key: VersionKey, place: int) -> str:
    number = version_key << (ORDINAL_BITS + 1) | place
    shifts = range(CHARACTER_BITS * (HANDLE_LENGTH - 1), -1, -CHARACTER_BITS)
    return "".join([HANDLE_ALPHABET[number >> shift & 63] for shift in shifts])


__all__ = ["RecentDigest", "blake2b", "digest_of"]

try:
    # The same function without OpenSSL, which takes a fifth of a bare interpreter start to load.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def digest_of(data: bytes, size_bytes: int) -> bytes:
    """Return the BLAKE2b digest of some bytes."""
    return blake2b(data, digest_size=size_bytes).digest()


class RecentDigest:
    """A one-entry cache of digests: comparing the input takes a fiftieth of hashing it."""

    def __init__(self, size_bytes: int) -> None:
        """Start with an empty cache."""
        self._size_bytes = size_bytes
        self._recent: tuple[bytes, bytes] | None = None  # one tuple: consistent across threads

    def of(self, data: bytes) -> bytes:
        """Return the digest of some bytes."""
        recent = self._recent
        if recent is None or recent[0] != data:
            self._recent = recent = data, digest_of(data, self._size_bytes)
        return recent[1]
