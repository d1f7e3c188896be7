"""Whether git would list the same files again, by stamps and without asking git.

A fingerprint holds the stamps of everything that a listing depends on: each folder that git looks
into, each ignore file there, git's index, and the settings and exclude files outside the tree.
While none of them differs, no file was added, removed or renamed. `take_fingerprint.py` takes them;
this module compares, reads and writes them.
"""

import os
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.identity import RecentDigest, digest_of
from cruxe.model.stored import STAMP_NUMBERS
from cruxe.workspace.read import Stamps, begin_look, stamps_of_paths

if TYPE_CHECKING:
    from cruxe.native import StampLook

# To be raised when the layout of the file, or what a fingerprint holds, changes.
_FORMAT: Final = b"cruxe witness 2\n"
_COMPRESSION: Final = 1  # higher levels give the same eighth
_DIGEST_BYTES: Final = 16
_COUNT_BYTES: Final = 4
_NUMBER_BYTES: Final = 8
_ABSENT: Final[Stamps] = (-1, 0, 0, 0)
_GIT_VARIABLES: Final = ("HOME", "XDG_CONFIG_HOME", "GIT_EXEC_PATH")
_listing_digests: Final = RecentDigest(_DIGEST_BYTES)
_body_digests: Final = RecentDigest(_DIGEST_BYTES)


class ListingFingerprint(NamedTuple):
    """The state of everything that a listing of git depends on."""

    listing: bytes  # digest of the listed paths
    environment: bytes  # digest of the variables by which git finds its settings
    outside: list[bytes]  # git's index, then other files it reads: full paths, links followed
    listed: bytes  # folders and ignore files below the root, NUL-terminated, links not followed
    stamps: "array[int]"  # four numbers a path, those outside first

    @property
    def inside(self) -> list[bytes]:
        """The folders and ignore files one by one; the root is an empty path."""
        return self.listed.split(b"\0")[:-1]

    @property
    def inside_stamps(self) -> "array[int]":
        """The stamps of the folders and ignore files."""
        return self.stamps[STAMP_NUMBERS * len(self.outside) :]


def listing_digest(listing: bytes) -> bytes:
    """Return the digest of a listing, as a fingerprint keeps it."""
    return _listing_digests.of(listing)


def begin_folder_look(fingerprint: ListingFingerprint, root: str) -> "StampLook":
    """Start comparing the folders and ignore files of a tree, for `has_same_listing`."""
    return begin_look(root, fingerprint.listed, fingerprint.inside_stamps)


def has_same_listing(
    fingerprint: ListingFingerprint, folder_look: "StampLook", listing: bytes
) -> bool:
    """Return whether git would give a listing now, as it did when the fingerprint was taken."""
    return (
        is_of_listing(fingerprint, listing)
        and is_same_outside(fingerprint)
        and not folder_look.places()
    )


def is_of_listing(fingerprint: ListingFingerprint, listing: bytes) -> bool:
    """Return whether a fingerprint was taken of this listing."""
    return fingerprint.listing == listing_digest(listing)


def is_same_outside(fingerprint: ListingFingerprint) -> bool:
    """Return whether git's environment and the files it reads outside the tree are the same."""
    end = STAMP_NUMBERS * len(fingerprint.outside)
    return fingerprint.environment == environment_digest() and (
        [*chain.from_iterable(map(_stamps, fingerprint.outside))] == [*fingerprint.stamps[:end]]
    )


def join_paths(paths: Iterable[bytes]) -> bytes:
    """Return paths as one NUL-terminated list."""
    return b"".join([b"%b\0" % path for path in paths])


def stamps_now(root: str, outside: Iterable[bytes], inside: Iterable[bytes]) -> Iterator[Stamps]:
    """Return the stamps of paths. Outside the tree they may be absent; inside that raises."""
    paths = map((os.fsencode(root) + b"/").__add__, inside)
    return chain(map(_stamps, outside), stamps_of_paths(paths))


def _stamps(path: bytes) -> Stamps:
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return _ABSENT
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def environment_digest() -> bytes:
    """Return a digest of the environment variables by which git finds its settings."""
    variables = sorted(
        f"{name}={value}"
        for name, value in os.environ.items()
        if name in _GIT_VARIABLES or name.startswith("GIT_CONFIG_")
    )
    return digest_of(os.fsencode("\0".join(variables)), _DIGEST_BYTES)


def read_fingerprint(path: str) -> ListingFingerprint | None:
    """Read a fingerprint; None if there is none, or it is damaged or of another format."""
    try:
        with open(path, "rb") as file:
            head, body = file.read(len(_FORMAT) + _DIGEST_BYTES), file.read()
    except OSError:
        return None
    if head != _FORMAT + _body_digests.of(body):
        return None
    body = zlib.decompress(body)
    listing, environment = body[:_DIGEST_BYTES], body[_DIGEST_BYTES : 2 * _DIGEST_BYTES]
    start = 2 * _DIGEST_BYTES + 2 * _COUNT_BYTES
    outside_count = int.from_bytes(body[2 * _DIGEST_BYTES : start - _COUNT_BYTES], "little")
    count = int.from_bytes(body[start - _COUNT_BYTES : start], "little")
    end = start + count * STAMP_NUMBERS * _NUMBER_BYTES
    *outside, listed = (body[end:] + b"\0").split(b"\0", outside_count)
    return ListingFingerprint(
        listing=listing,
        environment=environment,
        outside=outside,
        listed=listed,
        stamps=_little_endian(array("q", body[start:end])),
    )


def write_fingerprint(path: str, fingerprint: ListingFingerprint) -> None:
    """Replace the fingerprint in a file; if that fails, the next check asks git."""
    count = len(fingerprint.stamps) // STAMP_NUMBERS
    whole = b"".join(
        (
            fingerprint.listing,
            fingerprint.environment,
            len(fingerprint.outside).to_bytes(_COUNT_BYTES, "little"),
            count.to_bytes(_COUNT_BYTES, "little"),
            _little_endian(fingerprint.stamps).tobytes(),
            (join_paths(fingerprint.outside) + fingerprint.listed)[:-1],
        )
    )
    body = zlib.compress(whole, _COMPRESSION)
    draft = f"{path}.{os.getpid()}"
    with suppress(OSError):
        with open(draft, "wb") as file:
            file.write(_FORMAT + digest_of(body, _DIGEST_BYTES) + body)
        os.replace(draft, path)


def _little_endian(numbers: "array[int]") -> "array[int]":
    """Convert numbers from the byte order of the machine to little-endian, or back."""
    if sys.byteorder == "little":
        return numbers
    swapped = array("q", numbers)
    swapped.byteswap()
    return swapped
