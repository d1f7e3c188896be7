"""What a store holds: refs and their files, versions, chunks, jobs and rows of hits.

Version keys and stamps of a whole ref are packed into arrays.
"""

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import chain
from typing import Final, NamedTuple

from cruxe.model.errors import IndexDamagedError, IndexIncompatibleError
from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import BlobId, VersionKey
from cruxe.model.source import FileStat, Head, SkipReason
from cruxe.model.symbols import NO_SYMBOL

LineSpan = tuple[VersionKey, int, int]  # a version, first and last line
ChunkName = tuple[VersionKey, int]  # a version and the ordinal of a chunk in it
ChunkSpan = tuple[int, int, int | None]  # first line, last line, ordinal of its symbol
# Negated score, version, chunk, first and last line, so that sorted rows are best first. Plain
# tuples, because hundreds are ranked and only a few are used.
HitRow = tuple[float, VersionKey, int, int, int]
# Similarity of a file's nearest chunk, of its nearest three with decreasing weights, and of all its
# docs together: 1 is the same direction, 0 unrelated or not among the nearest rows.
Nearness = tuple[float, float, float]


class StorePart(StrEnum):
    """What is damaged, and repaired, as a whole."""

    DATABASE = "database"
    LEXICAL = "lexical"
    VECTORS = "vectors"


# Made anew from the working tree and git's objects; the database says of what.
REPAIRABLE: Final = frozenset({StorePart.LEXICAL, StorePart.VECTORS})


class Damage(NamedTuple):
    """A damaged part of a store, and how it was noticed."""

    part: StorePart
    reason: str

    def to_error(self, required_version: str) -> IndexIncompatibleError:
        """Return the error that names it."""
        kind = IndexDamagedError if self.part in REPAIRABLE else IndexIncompatibleError
        return kind(
            f"the index is damaged: {self.reason}",
            data={
                "schema_status": "corrupt_manifest",
                "current_schema_version": "unknown",
                "required_schema_version": required_version,
                "reason": self.reason,
                "part": self.part.value,
            },
        )


def damage_of(error: IndexIncompatibleError) -> Damage | None:
    """Return the damage that an error names; None if the store is of another version."""
    part, reason = error.data.get("part"), error.data.get("reason")
    return None if part is None else Damage(StorePart(str(part)), str(reason))


class StoredFile(NamedTuple):
    """A path of a ref with its version, or the skip reason."""

    path: str
    version_key: VersionKey | None
    language: str | None
    line_count: int | None
    skip_reason: str | None


class StoredVersion(NamedTuple):
    """A file version with the columns that ranking needs."""

    version_key: VersionKey
    path: str
    language: str
    line_count: int
    chunks: str  # JSON without spaces: [[line_start,line_end,symbol],…]

    def chunk(self, ordinal: int) -> ChunkSpan:
        """Return the lines of a chunk and its symbol; the whole file if it has no such chunk."""
        return self.chunks_at([ordinal])[0]

    def chunk_holding(self, line: int) -> int:
        """Return the ordinal of the chunk that has a line; the last if the file is shorter."""
        starts = [int(chunk.partition(",")[0] or 1) for chunk in self.chunks[2:-2].split("],[")]
        return max(0, bisect_right(starts, line) - 1)

    def chunks_at(self, ordinals: Iterable[int]) -> list[ChunkSpan]:
        """Return the lines and symbols of several chunks."""
        # Only a few of hundreds are parsed. A JSON decoder would parse all and takes 2 ms to
        # import.
        chunks = self.chunks[2:-2].split("],[")
        found: list[ChunkSpan] = []
        for ordinal in ordinals:
            numbers = chunks[ordinal] if 0 <= ordinal < len(chunks) else ""
            start, end, symbol = 1, self.line_count, NO_SYMBOL
            if numbers:
                start, end, symbol = map(int, numbers.split(","))
            found.append((start, max(1, end), None if symbol == NO_SYMBOL else symbol))
        return found


class TextVersion(NamedTuple):
    """A file version with the columns that a text search needs."""

    path: str
    version_key: VersionKey
    language: str
    blob_id: str


class LiveVersion(NamedTuple):
    """A version that some ref holds and that has documents."""

    version_key: VersionKey
    path: str
    blob_id: BlobId
    root: str | None  # of a working tree that holds it; None if only commits do


class StoredChunk(NamedTuple):
    """A chunk as an answer shows it."""

    line_start: int
    line_end: int
    symbol: StoredSymbol | None  # the one it shows; it may be larger than the chunk
    inside: tuple[StoredSymbol, ...]  # the symbols within its lines, in file order


class Neighbours(NamedTuple):
    """The symbols around a symbol."""

    parent: StoredSymbol | None = None
    related: tuple[StoredSymbol, ...] = ()  # its siblings, nearest first


class NearWanted(NamedTuple):
    """The parameters of a vector search."""

    rows: int  # minimum number of rows to compare exactly
    known: Container[VersionKey]  # files to report at any similarity
    similarity: float  # other files are reported if their nearest chunk is more similar
    chunks_per_file: int  # of other files, at most
    further_weights: tuple[float, float]  # of the second and third nearest chunk in `near_three`


class NearFiles(NamedTuple):
    """The files that a vector search reports, in no particular order."""

    similarities: dict[VersionKey, Nearness]
    chunks: dict[VersionKey, list[int]]  # of files not in `known`, nearest first
    floor: float  # the median similarity of the rows compared


class LexicalHit(NamedTuple):
    """A matching chunk, or a file by its own document; the score is the field's BM25."""

    score: float
    version_key: VersionKey
    chunk: int
    line_start: int
    line_end: int


class Vectors(NamedTuple):
    """Concatenated vectors and their binary codes, one bit per number."""

    rows: bytes  # one signed byte per number
    codes: bytes


SHORT_COMMIT: Final = 12  # characters of a commit id that are shown


class RefState(NamedTuple):
    """The state of a ref to be published."""

    name: str
    root: str | None  # of a working tree
    branch: str | None
    commit_id: str | None
    settings: str = ""  # digest of the settings that decide what the map holds


class RefRow(NamedTuple):
    """A ref as last published."""

    ref_id: int
    name: str
    root: str | None
    branch: str | None
    commit_id: str | None
    settings: str
    file_count: int
    skipped_count: int
    indexed_at_ns: int


class RefFile(NamedTuple):
    """One path of a ref: its version, or the skip reason."""

    version_key: VersionKey | None
    skip_reason: SkipReason | None
    stat: FileStat | None

    @property
    def content_key(self) -> VersionKey | None:
        """The version, unless the path is skipped."""
        return self.version_key if self.skip_reason is None else None


class MapEdit(NamedTuple):
    """Rows of a ref's map to replace, by path; a path only in `before` is removed."""

    before: Mapping[str, RefFile]  # as published
    after: Mapping[str, RefFile]
    head: Head | None = None  # what is checked out now; None: as published


STAMP_NUMBERS: Final = 4  # of one path: size, mtime, ctime, inode


class PackedKeys:
    """A sorted array of version keys; membership by bisection."""

    def __init__(self, packed: bytes) -> None:
        """Read keys packed by `pack_keys`."""
        self._keys = unpack_numbers("Q", packed)

    def __contains__(self, key: int) -> bool:
        """Return whether a key is in the set."""
        position = bisect_left(self._keys, key)
        return position < len(self._keys) and self._keys[position] == key

    def __iter__(self) -> Iterator[VersionKey]:
        """Iterate over the keys in ascending order."""
        return map(VersionKey, self._keys)

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self._keys)


class PackedStamps(NamedTuple):
    """The sorted paths of a ref and their stamps."""

    listing: bytes  # the paths as git lists them, each followed by NUL
    numbers: "array[int]"  # size, mtime, ctime and inode of each

    def sizes(self) -> "array[int]":
        """Return the size of each path."""
        return self.numbers[::STAMP_NUMBERS]

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Iterate over the stamps, one tuple per path."""
        numbers = iter(self.numbers)
        return zip(numbers, numbers, numbers, numbers, strict=True)

    def at(self, index: int) -> FileStat:
        """Return the stamps of the path at an index."""
        start = index * STAMP_NUMBERS
        return FileStat._make(self.numbers[start : start + STAMP_NUMBERS])

    def at_each(self, indexes: Iterable[int]) -> list[FileStat]:
        """Return the stamps of the paths at some indexes."""
        return [self.at(index) for index in indexes]

    def split_paths(self) -> list[bytes]:
        """Return the paths as a list."""
        return self.listing.split(b"\0")[:-1]


def pack_numbers(numbers: "array[int]") -> bytes:
    """Pack numbers in little-endian order."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def unpack_numbers(code: str, packed: bytes) -> "array[int]":
    """Unpack numbers of a type code of `array`."""
    numbers = array(code, packed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def pack_keys(keys: Iterable[int]) -> bytes:
    """Pack keys, sorted and without duplicates."""
    return pack_numbers(array("Q", sorted(set(keys))))


def pack_sorted_keys(keys: Iterable[int]) -> bytes:
    """Pack keys that are already sorted and distinct."""
    return pack_numbers(array("Q", [*keys]))


def pack_stamps(stamps: Iterable[FileStat]) -> bytes:
    """Pack stamps, one after another."""
    return pack_numbers(array("q", [*chain.from_iterable(stamps)]))
