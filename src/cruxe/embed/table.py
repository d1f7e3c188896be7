"""The table of a static embedding model: pieces of words, and a row of numbers for each.

A folder holds `vocab.txt` (one piece a line), `table.npy` (whole numbers of one byte, a row a
piece), `scale.npy` (what a row is multiplied by) and `card.json`. The rows stay on disk and are
mapped into memory; a query touches a handful of them.
"""

import mmap
import os
import struct
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import Final, NamedTuple, cast

from cruxe.embed.embedding_errors import EmbeddingUnavailableError
from cruxe.embed.vocabulary import Vocabulary
from cruxe.model.identity import digest_of

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
