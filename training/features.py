"""Pairs as numbers: places in the vocabulary, in flat arrays with offsets."""

import hashlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cruxe.embed.table import PieceCounter, Vocabulary
from cruxe.text.identifiers import words_of
from cruxe.text.paths import stem_of_path
from training.mine import Pair, PairKind

Ints = NDArray[np.int64]

KINDS: Final = tuple(PairKind)
_LONGEST_QUESTION: Final = 60  # words
_FEWEST_CODE_PIECES: Final = 8
_COMPARED_CHARACTERS: Final = 600
_MOST_EQUAL_QUESTIONS: Final = 3


class Ragged(NamedTuple):
    """Rows of different lengths: row i is `values[starts[i]:starts[i + 1]]`."""

    starts: Ints
    places: NDArray[np.uint16]
    counts: NDArray[np.uint8]


class Features(NamedTuple):
    """All pairs, encoded; row i of each field is pair i."""

    question: Ragged  # in the order of the words
    name: Ragged
    code: Ragged
    path: Ragged
    stem: Ragged
    kind: NDArray[np.uint8]  # place in KINDS


class _Growing:
    """Collects the rows of one field."""

    def __init__(self) -> None:
        self._starts, self._places, self._counts = array("q", [0]), array("H"), array("B")

    def add(self, row: Collection[tuple[int, int]]) -> None:
        places, counts = zip(*row, strict=True) if row else ((), ())
        self._places.extend(places)
        self._counts.extend([min(count, 255) for count in counts])
        self._starts.append(len(self._places))

    def finish(self) -> Ragged:
        return Ragged(
            np.array(self._starts, np.int64),
            np.array(self._places, np.uint16),
            np.array(self._counts, np.uint8),
        )


def encode_pairs(pairs: Iterable[Pair], vocabulary: Sequence[str]) -> Features:
    """Encode pairs, without those that say again what others said."""
    counter = PieceCounter(Vocabulary("\n".join(vocabulary).encode()))
    order = _WordOrder(counter)
    question, name, code, path, stem = (_Growing() for _ in range(5))
    kinds = array("B")
    for pair in _without_repeats(pairs):
        counts = _count(counter, pair.code)
        if len(counts) < _FEWEST_CODE_PIECES:
            continue
        question.add(order.pieces(pair.question))
        name.add(order.pieces(pair.name))
        code.add(counts.items())
        path.add(_count(counter, pair.path).items())
        stem.add(_count(counter, stem_of_path(pair.path)).items())
        kinds.append(KINDS.index(pair.kind))
    return Features(
        question.finish(),
        name.finish(),
        code.finish(),
        path.finish(),
        stem.finish(),
        np.array(kinds, np.uint8),
    )


def save_features(features: Features, file: str) -> None:
    """Write to one file."""
    arrays: dict[str, NDArray[np.generic]] = {"kind": features.kind}
    for field in Features._fields[:5]:
        ragged: Ragged = getattr(features, field)
        arrays |= {f"{field}.{part}": value for part, value in ragged._asdict().items()}
    np.savez(file, allow_pickle=False, **arrays)


def load_features(file: str) -> Features:
    """Read what was written."""
    with np.load(file) as stored:
        question, name, code, path, stem = (
            Ragged(*(stored[f"{field}.{part}"] for part in Ragged._fields))
            for field in Features._fields[:5]
        )
        return Features(question, name, code, path, stem, stored["kind"])


def _without_repeats(pairs: Iterable[Pair]) -> Iterator[Pair]:
    seen: set[bytes] = set()
    asked: dict[str, int] = {}
    for pair in pairs:
        squeezed = "".join(pair.code.split())[:_COMPARED_CHARACTERS]
        key = hashlib.blake2b(f"{pair.kind}{squeezed}".encode(), digest_size=12).digest()
        opening = pair.question[:80].lower()
        asked[opening] = asked.get(opening, 0) + 1
        if key not in seen and asked[opening] <= _MOST_EQUAL_QUESTIONS:
            seen.add(key)
            yield pair


def _count(counter: PieceCounter, text: str) -> Mapping[int, int]:
    return counter.count(words_of(text.encode()))


class _WordOrder:
    """The pieces of texts in the order of their words; each word is split once."""

    def __init__(self, counter: PieceCounter) -> None:
        self._counter = counter
        self._memo: dict[str, list[tuple[int, int]]] = {}

    def pieces(self, text: str) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for word in words_of(text.encode())[:_LONGEST_QUESTION]:
            known = self._memo.get(word)
            if known is None:
                known = self._memo[word] = [*self._counter.count([word]).items()]
            found += known
        return found
