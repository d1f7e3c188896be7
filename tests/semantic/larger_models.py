"""Folders with larger models, as people have them on disk: a graph, a tokenizer, a configuration.

Their graph is real ONNX where `onnx` is installed, else what the stand-in for fastembed in
`tests/fixtures/extra` reads. Words of one topic point the same way in both.
"""

import json
import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.support.models import TOPICS

_AXES: Final = 12
_PAD: Final = "[PAD]"
_UNKNOWN: Final = "[UNK]"
_SPECIAL: Final = (_PAD, _UNKNOWN)


def write_stand_in(
    folder: Path,
    *,
    rank: int = 3,
    dimensions: int = 64,
    topics: Mapping[str, tuple[str, ...]] = TOPICS,
    file: str = "model.onnx",
) -> str:
    """Write a model that only the stand-in reads; gives its folder."""
    _write_tokenizer(folder, topics)
    _write_json(folder / "config.json", {"hidden_size": dimensions})
    graph = {"rank": rank, "dimensions": dimensions, "topics": topics}
    _write_json(folder / file, graph)
    return os.fspath(folder)


def write_onnx(folder: Path, *, is_pooled: bool = False, dimensions: int = 64) -> str:
    """Write a true model: every token's row of a table, or the mean of them; gives its folder."""
    _write_tokenizer(folder, TOPICS)
    _write_json(folder / "config.json", {"hidden_size": dimensions, "pad_token_id": 0})
    onnx = import_module("onnx")
    helper = import_module("onnx.helper")
    numpy_helper = import_module("onnx.numpy_helper")
    output = "pooled" if is_pooled else "rows"
    shape = ["batch", dimensions] if is_pooled else ["batch", "tokens", dimensions]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["rows"], axis=0)]
    constants = [numpy_helper.from_array(_rows(dimensions), "table")]
    if is_pooled:
        constants.append(numpy_helper.from_array(np.array([1], np.int64), "axes"))
        nodes.append(helper.make_node("ReduceMean", ["rows", "axes"], ["pooled"], keepdims=0))
    graph = helper.make_graph(
        nodes,
        "topics",
        [helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, ["batch", "tokens"])],
        [helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, shape)],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    model.ir_version = 9
    onnx.save(model, os.fspath(folder / "model.onnx"))
    return os.fspath(folder)


def _rows(dimensions: int) -> NDArray[np.float32]:
    rows = np.full((len(_vocabulary(TOPICS)), dimensions), 0.02, np.float32)
    row = len(_SPECIAL)
    for axis, of_topic in enumerate(TOPICS.values()):
        for _ in of_topic:
            rows[row, axis * _AXES : (axis + 1) * _AXES] = 1.0
            row += 1
    return rows


def _vocabulary(topics: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    words = [*_SPECIAL, *(word for of_topic in topics.values() for word in of_topic)]
    return {word: place for place, word in enumerate(words)}


def _write_tokenizer(folder: Path, topics: Mapping[str, tuple[str, ...]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": _vocabulary(topics), "unk_token": _UNKNOWN},
    }
    _write_json(folder / "tokenizer.json", tokenizer)
    _write_json(folder / "tokenizer_config.json", {"model_max_length": 128, "pad_token": _PAD})


def _write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")
