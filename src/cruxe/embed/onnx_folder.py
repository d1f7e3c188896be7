"""Inspect the folder of a transformer model without loading the model.

Such a folder has the model's graph as ONNX (or the table of a static model), its tokenizer, and
usually the configuration that it was published with.
"""

import os
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple, cast

from cruxe.model.identity import digest_of

# Names that fastembed and the usual exporters give the graph, in order of preference.
_GRAPHS: Final = tuple(
    f"{folder}{name}"
    for name in ("model.onnx", "model_optimized.onnx", "model_quantized.onnx")
    for folder in ("", "onnx/")
)
_WEIGHT_ENDINGS: Final = (".onnx", ".onnx_data", ".onnx.data", ".safetensors")
_TOKENIZER: Final = "tokenizer.json"
_POOLING: Final = "1_Pooling/config.json"
# Files that, besides the weights, change a text's vector.
_DECIDING: Final = (
    _TOKENIZER,
    "tokenizer_config.json",
    "special_tokens_map.json",
    "config.json",
    "vocab.txt",
    _POOLING,
)
# Keys that publishers use for the number of dimensions.
_SIZE_NAMES: Final = ("hidden_size", "n_embd", "d_model", "dim")
_VERSION_BYTES: Final = 6
# Larger files are digested by samples: different weights differ nearly everywhere, and reading a
# gigabyte before every query would cost a second.
_WHOLE_BYTES: Final = 1 << 20
_SAMPLES: Final = 64
_SAMPLE_BYTES: Final = 4_096


class OnnxFolder(NamedTuple):
    """What is known of the model in a folder."""

    graph: str  # relative path; empty if only fastembed knows the file's name
    version: str
    dimensions: int | None  # from its configuration, if stated
    pooling: str | None  # likewise: CLS, MEAN or LAST_TOKEN


def read_onnx_folder(folder: str) -> OnnxFolder | None:
    """Return what a folder holds, or None if there is no such model."""
    weights = sorted(_weights(folder))
    if not weights or not os.path.isfile(os.path.join(folder, _TOKENIZER)):
        return None
    return OnnxFolder(
        graph=next((name for name in _GRAPHS if name in weights), _only_graph(weights)),
        version=_version(folder, weights),
        dimensions=_dimensions(folder),
        pooling=_pooling(folder),
    )


def _weights(folder: str) -> Iterator[str]:
    for part in ("", "onnx/"):
        try:
            names = os.listdir(os.path.join(folder, part))
        except OSError:
            continue
        yield from (part + name for name in names if name.endswith(_WEIGHT_ENDINGS))


def _only_graph(weights: list[str]) -> str:
    graphs = [name for name in weights if name.endswith(".onnx")]
    return graphs[0] if len(graphs) == 1 else ""


def _version(folder: str, weights: list[str]) -> str:
    parts: list[bytes] = []
    for name in (*weights, *_DECIDING):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            found = os.stat(path)
            digest = _file_digest(path, found.st_size, found.st_mtime_ns)
            parts += (name.encode(), str(found.st_size).encode(), digest)
    return digest_of(b"\0".join(parts), _VERSION_BYTES).hex()


@cache
def _file_digest(path: str, size: int, _: int) -> bytes:
    """Return a digest of a file or of samples of it, cached by size and mtime."""
    with open(path, "rb") as file:
        if size <= _WHOLE_BYTES:
            return digest_of(file.read(), _VERSION_BYTES)
        samples: list[bytes] = []
        for number in range(_SAMPLES):
            file.seek((size - _SAMPLE_BYTES) * number // (_SAMPLES - 1))
            samples.append(file.read(_SAMPLE_BYTES))
        return digest_of(b"".join(samples), _VERSION_BYTES)


def _dimensions(folder: str) -> int | None:
    of_pooling = _read_table(os.path.join(folder, _POOLING)).get("word_embedding_dimension")
    config = _read_table(os.path.join(folder, "config.json"))
    for size in (of_pooling, *(config.get(name) for name in _SIZE_NAMES)):
        if isinstance(size, int) and size > 0:
            return size
    return None


def _pooling(folder: str) -> str | None:
    table = _read_table(os.path.join(folder, _POOLING))
    named = {"cls_token": "CLS", "mean_tokens": "MEAN", "lasttoken": "LAST_TOKEN"}
    return next((kind for name, kind in named.items() if table.get(f"pooling_mode_{name}")), None)


def _read_table(path: str) -> dict[str, object]:
    from json import loads

    try:
        with open(path, encoding="utf-8") as file:
            table: object = loads(file.read())
    except (OSError, ValueError):
        return {}
    return cast("dict[str, object]", table) if isinstance(table, dict) else {}
