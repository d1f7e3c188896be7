"""The table of a static embedding model: word pieces, and a row of numbers for each.

A folder holds `vocab.txt` (one piece per line), `table.npy` (int8, one row per piece), `scale.npy`
(float16, the factor of each row) and `card.json`. The rows are memory-mapped; a query reads a
handful of them.
"""

import mmap
import os
import re
import struct
from array import array
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cruxe.embed import EmbeddingUnavailableError
from cruxe.model.identity import digest_of
from cruxe.native import kernels
from cruxe.text.identifiers import NameRule, part_table, split_ascii, word_memo

if TYPE_CHECKING:
    from collections.abc import Callable

_SHIPPED: Final = os.path.join(os.path.dirname(__file__), "table")
_VERSION_BYTES: Final = 6
_SCALE_BYTES: Final = 2
# Every 16-bit float is an integer multiple of 1 / SCALE_UNIT.
SCALE_UNIT: Final = 1 << 24


class ModelCard(NamedTuple):
    """The metadata of a model."""

    name: str
    version: str  # of the table's content; vectors of different versions are never compared
    dimensions: int
    pieces: int
    centre: tuple[int, ...]  # of document vectors, as these are stored


class Vocabulary:
    """Index of pieces by name. The first lookups scan the text, later ones use a hash table."""

    def __init__(self, text: bytes) -> None:
        """Take ASCII text with one piece per line, without a final line feed."""
        self.text = text
        self._text = b"\n%b\n" % text
        self._asked = 0
        # Returns the index of a piece; of a duplicate, the first index.
        self.get: Callable[[str], int | None] = self._find

    def __len__(self) -> int:
        """Return the number of pieces."""
        return self._text.count(b"\n") - 1

    @cached_property
    def longest(self) -> int:
        """Return the length of the longest piece in characters."""
        return max(map(len, self._text.split(b"\n")))

    def _find(self, piece: str) -> int | None:
        if self._asked >= _FOUND_IN_TEXT:
            self.get = self._places.get  # indexing needs millions of lookups
            return self.get(piece)
        self._asked += 1
        start = self._text.find(b"\n%b\n" % piece.encode())
        return None if start < 0 else self._text.count(b"\n", 0, start)

    @cached_property
    def _places(self) -> dict[str, int]:
        pieces = self._text.decode("ascii").split("\n")[1:-1]
        # In reverse, so that the first of two duplicates wins.
        return dict(zip(reversed(pieces), range(len(pieces) - 1, -1, -1), strict=True))


class ModelTable(NamedTuple):
    """An open model."""

    card: ModelCard
    vocabulary: Vocabulary
    rows: "mmap.mmap"
    first_row: int  # its offset
    scales: bytes  # of each piece, a 16-bit float

    @property
    def dimensions(self) -> int:
        """Return the number of dimensions of a row."""
        return self.card.dimensions

    def row(self, place: int) -> bytes:
        """Return the numbers of a piece, one signed byte each."""
        start = self.first_row + place * self.dimensions
        return self.rows[start : start + self.dimensions]

    def scale(self, place: int) -> int:
        """Return the factor of a piece's row as an integer, in 1 / SCALE_UNIT."""
        (scale,) = struct.unpack_from("<e", self.scales, place * _SCALE_BYTES)
        return int(scale * SCALE_UNIT)

    def scales_of_all(self) -> list[int]:
        """Return the factors of all rows; twice as fast as calling `scale` for each."""
        scales = struct.unpack(f"<{self.card.pieces}e", self.scales)
        return [int(scale * SCALE_UNIT) for scale in scales]


def shipped_folder() -> str:
    """Return the folder of the package's own model."""
    return _SHIPPED


@cache
def read_card(folder: str) -> ModelCard:
    """Return the metadata of a model, read once per process; no other file is read."""
    from json import loads

    with _explained(folder), open(os.path.join(folder, "card.json"), encoding="utf-8") as file:
        card: dict[str, object] = loads(file.read())
        dimensions = _whole(card["dimensions"])
        given = card.get("centre", [0] * dimensions)
        centre = cast("list[object]", given) if isinstance(given, list) else []
        if len(centre) != dimensions:
            raise ValueError(folder)
        name, version = str(card["name"]), str(card["version"])
        return ModelCard(
            name=name,
            version=version,
            dimensions=dimensions,
            pieces=_whole(card["pieces"]),
            centre=tuple(map(_whole, centre)),
        )


@cache
def open_table(folder: str) -> ModelTable:
    """Open a model."""
    card = read_card(folder)
    with _explained(folder):
        with open(os.path.join(folder, "vocab.txt"), "rb") as file:
            vocabulary = Vocabulary(file.read())
        with open(os.path.join(folder, "table.npy"), "rb") as file:
            rows = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        with open(os.path.join(folder, "scale.npy"), "rb") as file:
            scales = file.read()
        # Both files have a header, followed only by numbers.
        first_row = len(rows) - card.pieces * card.dimensions
        first_scale = len(scales) - card.pieces * _SCALE_BYTES
        if min(first_row, first_scale) < 0 or len(vocabulary) != card.pieces:
            raise ValueError(folder)
    return ModelTable(
        card=card,
        vocabulary=vocabulary,
        rows=rows,
        first_row=first_row,
        scales=scales[first_scale:],
    )


@contextmanager
def _explained(folder: str) -> Generator[None]:
    """Convert errors in a model's files to `EmbeddingUnavailableError`."""
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EmbeddingUnavailableError(f"no embedding model can be read from {folder}") from error


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def content_version(folder: str) -> str:
    """Return the version that a model's card must state: a digest of its files."""
    parts: list[bytes] = []
    for name in ("vocab.txt", "table.npy", "scale.npy"):
        with open(os.path.join(folder, name), "rb") as file:
            parts.append(file.read())
    return digest_of(b"".join(parts), _VERSION_BYTES).hex()


# Lookups that scan the text; one takes a hundredth of the time to build the hash table.
_FOUND_IN_TEXT: Final = 60


_RUN: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9]+")
# Longer runs are cut, as the model was trained: they are data.
_MAX_DIGITS: Final = 4
_MAX_LETTERS: Final = 24
_MAX_NAME_BYTES: Final = 256
_MANY_DIGITS: Final = re.compile(rb"[0-9]{5}")
# Array type of a packed index: C's int, 32 bits on every platform.
PLACE_CODE: Final = "i"


class PieceCounter:
    """Splits words into vocabulary pieces, with a cache of words seen before."""

    def __init__(self, vocabulary: Vocabulary, *, is_for_files: bool = False) -> None:
        """Take a model's vocabulary; for files, a table of all its pieces is built."""
        self._vocabulary = vocabulary
        in_c = kernels() if is_for_files else None
        of_part = in_c.PieceTable(vocabulary.text).pieces_of if in_c else self._pieces_of_part
        self._parts = word_memo(of_part, b"")
        names = NameRule(
            parts=self._parts,
            whole=None,
            most_bytes=_MAX_NAME_BYTES,
            most_part_bytes=_MAX_LETTERS,
            most_digits=_MAX_DIGITS,
            is_ascii=False,  # the model knows no other letters
            table=part_table(),
        )
        self.memo = word_memo(self._pieces_of_run, b"", names)

    def pack(self, spaced: bytes, start: int, end: int, most_words: int) -> bytes:
        """Return the packed vocabulary indexes of the pieces of a text's first words.

        The text must be prepared by `text.identifiers.space_out`. `unpack` reverses the packing.
        """
        return self.memo.join(spaced, start, end, most_words)

    def count(self, words: Iterable[str]) -> dict[int, int]:
        """Return the count of each piece in the words, by its vocabulary index."""
        spaced = " ".join(words).encode("utf-8", "replace")
        return self.count_spaced(spaced, len(spaced))

    def count_spaced(self, spaced: bytes, most_words: int) -> dict[int, int]:
        """Return the counts of `count` for a text prepared by `space_out`."""
        counts: dict[int, int] = {}
        for place in unpack(self.pack(spaced, 0, len(spaced), most_words)):
            counts[place] = counts.get(place, 0) + 1
        return counts

    def _pieces_of_run(self, run: bytes) -> bytes:
        """Return the packed pieces of a run between spaces, which may hold Unicode white space."""
        return b"".join(map(self._pieces_of_word, run.decode("utf-8", "replace").split()))

    def _pieces_of_word(self, word: str) -> bytes:
        spaced = " ".join(parts_of_word(word)).encode()
        return self._parts.join(spaced, 0, len(spaced), len(spaced))

    def _pieces_of_part(self, part: bytes) -> bytes:
        """Return the packed pieces of a part; the fallback for `native/pieces.c`."""
        text = part.decode()
        whole = self._vocabulary.get(text)
        places = self._longest_matches(text) if whole is None else (whole,)
        return array(PLACE_CODE, places).tobytes()

    def _longest_matches(self, part: str) -> list[int]:
        found: list[int] = []
        place_of, longest = self._vocabulary.get, self._vocabulary.longest
        start = 0
        while start < len(part):
            end = min(len(part), start + longest)
            place = None
            while end > start and (place := place_of(part[start:end])) is None:
                end -= 1
            if place is not None:
                found.append(place)
            start = max(end, start + 1)
        return found


def unpack(pieces: bytes) -> "array[int]":
    """Return the vocabulary indexes of packed pieces, one per occurrence."""
    return array(PLACE_CODE, pieces)


def parts_of_word(word: str) -> list[str]:
    """Return the parts of a word in lower case, with letters and digits separated."""
    if word.isascii() and word.islower():  # most words; takes a third of the regexes' time
        if word.isalpha():
            return [word[:_MAX_LETTERS]]
        spaced = word.replace("_", " ")
        if spaced.replace(" ", "").isalpha():
            return [part[:_MAX_LETTERS] for part in spaced.split()]
    if not _MANY_DIGITS.search(word.encode()):
        return [part[:_MAX_LETTERS] for part in split_ascii(word)]
    parts: list[str] = []
    for run in _RUN.findall(word):
        if run[0].isdigit():
            parts.append(run[:_MAX_DIGITS])
        else:
            parts += [part[:_MAX_LETTERS] for part in split_ascii(run)]
    return parts
