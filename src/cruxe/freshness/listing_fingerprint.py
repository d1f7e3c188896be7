"""Whether git would list the same files again, told by stamps and without asking git.

A witness holds the stamps of all that a listing depends on: every folder that git looks into,
every ignore file there, git's index, and the settings and exclude files it reads besides. While
none of them differs, no file has come, gone or changed its name. `witnessing.py` takes witnesses.
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
from cruxe.workspace.stamps import Stamps, begin_look, stamps_of_paths

if TYPE_CHECKING:
    from cruxe.native import StampLook

# Raised when the layout of the file, or what a witness must hold, changes.
_FORMAT: Final = b"cruxe witness 2\n"
_COMPRESSION: Final = 1  # an eighth is left, whatever the effort
_DIGEST_BYTES: Final = 16
_COUNT_BYTES: Final = 4
STAMP_NUMBERS: Final = 4  # of one path: size, mtime, ctime, inode
_NUMBER_BYTES: Final = 8
_ABSENT: Final[Stamps] = (-1, 0, 0, 0)
_HEEDED_VARIABLES: Final = ("HOME", "XDG_CONFIG_HOME", "GIT_EXEC_PATH")
_of_listing: Final = RecentDigest(_DIGEST_BYTES)
_of_body: Final = RecentDigest(_DIGEST_BYTES)


class Witness(NamedTuple):
    """What stood unchanged when git gave a listing."""

    listing: bytes  # digest of the paths
    surroundings: bytes  # digest of the environment variables that git heeds
    outside: list[bytes]  # git's index first, then files it reads besides: full paths, followed
    listed: bytes  # folders and ignore files below the root, each ended by NUL, never followed
    stamps: "array[int]"  # four numbers a path, those outside first

    @property
    def inside(self) -> list[bytes]:
        """The folders and ignore files one by one; the root itself is an empty path."""
        return self.listed.split(b"\0")[:-1]


def listing_digest(listing: bytes) -> bytes:
    """What a witness remembers of a listing."""
    return _of_listing.of(listing)


def begin_to_check(witness: Witness, root: str) -> "StampLook":
    """Begin to look at what the witness saw inside the tree, as `holds` wants it."""
    stamps = witness.stamps[STAMP_NUMBERS * len(witness.outside) :]
    return begin_look(root, witness.listed, stamps)


def holds(witness: Witness, inside: "StampLook", listing: bytes) -> bool:
    """Whether git would list now what it listed when the witness was taken."""
    return is_of_listing(witness, listing) and stands_outside(witness) and not inside.places()


def is_of_listing(witness: Witness, listing: bytes) -> bool:
    """Whether a witness was taken of this listing."""
    return witness.listing == listing_digest(listing)


def stands_outside(witness: Witness) -> bool:
    """Whether what git reads outside the tree, and its environment, are as they were."""
    end = STAMP_NUMBERS * len(witness.outside)
    return witness.surroundings == surroundings() and (
        [*chain.from_iterable(map(_stamps, witness.outside))] == [*witness.stamps[:end]]
    )


def joined(paths: Iterable[bytes]) -> bytes:
    """Some paths, each ended by NUL."""
    return b"".join([b"%b\0" % path for path in paths])


def stamps_now(root: str, outside: Iterable[bytes], inside: Iterable[bytes]) -> Iterator[Stamps]:
    """The stamps of some paths; outside the tree they may be absent, inside it that raises."""
    paths = map((os.fsencode(root) + b"/").__add__, inside)
    return chain(map(_stamps, outside), stamps_of_paths(paths))


def _stamps(path: bytes) -> Stamps:
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return _ABSENT
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def surroundings() -> bytes:
    """A digest of the environment variables by which git finds its settings."""
    heeded = sorted(
        f"{name}={value}"
        for name, value in os.environ.items()
        if name in _HEEDED_VARIABLES or name.startswith("GIT_CONFIG_")
    )
    return digest_of(os.fsencode("\0".join(heeded)), _DIGEST_BYTES)


def read_witness(path: str) -> Witness | None:
    """Read what `write_witness` wrote; nothing where it is absent, damaged or of another form."""
    try:
        with open(path, "rb") as file:
            head, body = file.read(len(_FORMAT) + _DIGEST_BYTES), file.read()
    except OSError:
        return None
    if head != _FORMAT + _of_body.of(body):
        return None
    body = zlib.decompress(body)
    listing, seen = body[:_DIGEST_BYTES], body[_DIGEST_BYTES : 2 * _DIGEST_BYTES]
    start = 2 * _DIGEST_BYTES + 2 * _COUNT_BYTES
    outside_count = int.from_bytes(body[2 * _DIGEST_BYTES : start - _COUNT_BYTES], "little")
    count = int.from_bytes(body[start - _COUNT_BYTES : start], "little")
    end = start + count * STAMP_NUMBERS * _NUMBER_BYTES
    *outside, listed = (body[end:] + b"\0").split(b"\0", outside_count)
    return Witness(listing, seen, outside, listed, _in_order(array("q", body[start:end])))


def write_witness(path: str, witness: Witness) -> None:
    """Keep a witness in place of the one before it; where it cannot be kept, git is asked again."""
    count = len(witness.stamps) // STAMP_NUMBERS
    whole = b"".join(
        (
            witness.listing,
            witness.surroundings,
            len(witness.outside).to_bytes(_COUNT_BYTES, "little"),
            count.to_bytes(_COUNT_BYTES, "little"),
            _in_order(witness.stamps).tobytes(),
            (joined(witness.outside) + witness.listed)[:-1],
        )
    )
    body = zlib.compress(whole, _COMPRESSION)
    draft = f"{path}.{os.getpid()}"
    with suppress(OSError):
        with open(draft, "wb") as file:
            file.write(_FORMAT + digest_of(body, _DIGEST_BYTES) + body)
        os.replace(draft, path)


def _in_order(numbers: "array[int]") -> "array[int]":
    """The numbers with their little end first, or back from that."""
    if sys.byteorder == "little":
        return numbers
    swapped = array("q", numbers)
    swapped.byteswap()
    return swapped
