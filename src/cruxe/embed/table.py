"""The table of a static embedding model: pieces of words, and a row of numbers for each.

A folder holds `vocab.txt` (one piece a line), `table.npy` (whole numbers of one byte, a row a
piece), `scale.npy` (what a row is multiplied by) and `card.json`. The rows stay on disk and are
mapped into memory; a query touches a handful of them.
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

from cruxe.embed.embedding_model import EmbeddingUnavailableError
from cruxe.model.identity import digest_of
from cruxe.native import kernels
from cruxe.text.identifiers import NameRule, part_table, split_ascii, word_memo

if TYPE_CHECKING:
    from collections.abc import Callable

_SHIPPED: Final = os.path.join(os.path.dirname(__file__), "table")
_VERSION_BYTES: Final = 6
_SCALE_BYTES: Final = 2
# Every 16-bit float is a whole multiple of one part in this many.
SCALE_UNIT: Final = 1 << 24


class ModelCard(NamedTuple):
    """What a model says of itself."""

    name: str
    version: str  # of the table's content; vectors of different versions are never compared
    dimensions: int
    pieces: int
    centre: tuple[int, ...]  # of document vectors, as these are stored


class Vocabulary:
    """Pieces by name: the first few are found in the text, later ones in a table made from it."""

    def __init__(self, text: bytes) -> None:
        """Take ASCII text with one piece a line and none after the last line feed."""
        self.text = text
        self._text = b"\n%b\n" % text
        self._asked = 0
        # The place of a piece; of one that is there twice, the first.
        self.get: Callable[[str], int | None] = self._find

    def __len__(self) -> int:
        """How many there are."""
        return self._text.count(b"\n") - 1

    @cached_property
    def longest(self) -> int:
        """The number of characters of the longest."""
        return max(map(len, self._text.split(b"\n")))

    def _find(self, piece: str) -> int | None:
        if self._asked >= _FOUND_IN_TEXT:
            self.get = self._places.get  # an index asks millions of times
            return self.get(piece)
        self._asked += 1
        start = self._text.find(b"\n%b\n" % piece.encode())
        return None if start < 0 else self._text.count(b"\n", 0, start)

    @cached_property
    def _places(self) -> dict[str, int]:
        pieces = self._text.decode("ascii").split("\n")[1:-1]
        # Backwards, so that the first of two stays.
        return dict(zip(reversed(pieces), range(len(pieces) - 1, -1, -1), strict=True))


class ModelTable(NamedTuple):
    """A model, open."""

    card: ModelCard
    vocabulary: Vocabulary
    rows: "mmap.mmap"
    first_row: int  # its offset
    scales: bytes  # of each piece, a 16-bit float

    @property
    def dimensions(self) -> int:
        """Numbers in a row."""
        return self.card.dimensions

    def row(self, place: int) -> bytes:
        """The numbers of a piece, one signed byte each."""
        start = self.first_row + place * self.dimensions
        return self.rows[start : start + self.dimensions]

    def scale(self, place: int) -> int:
        """What a piece's row is multiplied by, in units that make it whole."""
        (scale,) = struct.unpack_from("<e", self.scales, place * _SCALE_BYTES)
        return int(scale * SCALE_UNIT)

    def scales_of_all(self) -> list[int]:
        """The same of every piece; one by one it takes twice as long."""
        scales = struct.unpack(f"<{self.card.pieces}e", self.scales)
        return [int(scale * SCALE_UNIT) for scale in scales]


def shipped_folder() -> str:
    """Where the model lies that comes with the package."""
    return _SHIPPED


@cache
def read_card(folder: str) -> ModelCard:
    """What a model says of itself; nothing else of it is read, and that once a process."""
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
            name, version, dimensions, _whole(card["pieces"]), tuple(map(_whole, centre))
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
        # Both files hold a header, then nothing but numbers.
        first_row = len(rows) - card.pieces * card.dimensions
        first_scale = len(scales) - card.pieces * _SCALE_BYTES
        if min(first_row, first_scale) < 0 or len(vocabulary) != card.pieces:
            raise ValueError(folder)
    return ModelTable(card, vocabulary, rows, first_row, scales[first_scale:])


@contextmanager
def _explained(folder: str) -> Generator[None]:
    """Whatever is wrong with a model's files comes out as one kind of error."""
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EmbeddingUnavailableError(f"no embedding model can be read from {folder}") from error


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def content_version(folder: str) -> str:
    """The version that a model's card must state: a digest of its files."""
    parts: list[bytes] = []
    for name in ("vocab.txt", "table.npy", "scale.npy"):
        with open(os.path.join(folder, name), "rb") as file:
            parts.append(file.read())
    return digest_of(b"".join(parts), _VERSION_BYTES).hex()


# To find one in the text takes a hundredth of the time that a table of all takes to make.
_FOUND_IN_TEXT: Final = 60


_RUN: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9]+")
# As the model was trained: longer runs of digits and letters are data.
_MAX_DIGITS: Final = 4
_MAX_LETTERS: Final = 24
_MAX_NAME_BYTES: Final = 256
_MANY_DIGITS: Final = re.compile(rb"[0-9]{5}")
# How a place is packed: as C's int, of 32 bits wherever Python runs.
PLACE_CODE: Final = "i"


class PieceCounter:
    """Tells the pieces of words; remembers those of words seen before."""

    def __init__(self, vocabulary: Vocabulary, *, is_for_files: bool = False) -> None:
        """Take a model's vocabulary; with files to come, a table of all of it is worth making."""
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
        """The pieces of a text's first words by their places in the vocabulary: see `unpack`.

        The text is one that `text.identifiers.space_out` made ready.
        """
        return self.memo.join(spaced, start, end, most_words)

    def count(self, words: Iterable[str]) -> dict[int, int]:
        """How often each piece occurs in some words, by its place in the vocabulary."""
        spaced = " ".join(words).encode("utf-8", "replace")
        return self.count_spaced(spaced, len(spaced))

    def count_spaced(self, spaced: bytes, most_words: int) -> dict[int, int]:
        """The same of a text that was made ready."""
        counts: dict[int, int] = {}
        for place in unpack(self.pack(spaced, 0, len(spaced), most_words)):
            counts[place] = counts.get(place, 0) + 1
        return counts

    def _pieces_of_run(self, run: bytes) -> bytes:
        """Of what stands between spaces; other white space than ASCII's may be in it."""
        return b"".join(map(self._pieces_of_word, run.decode("utf-8", "replace").split()))

    def _pieces_of_word(self, word: str) -> bytes:
        spaced = " ".join(parts_of_word(word)).encode()
        return self._parts.join(spaced, 0, len(spaced), len(spaced))

    def _pieces_of_part(self, part: bytes) -> bytes:
        """What `native/pieces.c` does."""
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
    """The places of packed pieces, one for each time that one occurs."""
    return array(PLACE_CODE, pieces)


def parts_of_word(word: str) -> list[str]:
    """The parts of a word in lower case, letters and digits apart."""
    if word.isascii() and word.islower():  # most are; a third of the expressions' time
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
