"""Small embedding models for tests, in which words of one topic point the same way.

Every topic has axes of its own, and every word a little beside them, so that what is near to what
can be told by looking at the table.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

MODEL_VARIABLE: Final = "CRUXE_SEMANTIC_EMBEDDING_MODEL"
TOPICS: Final = {
    "access": ("login", "password", "credential", "sign", "authenticate"),
    "money": ("invoice", "payment", "charge", "bill", "refund"),
    "storage": ("disk", "file", "save", "persist", "write"),
    "network": ("socket", "packet", "send", "connection", "remote"),
    "time": ("clock", "schedule", "delay", "tomorrow", "wait"),
}
DIMENSIONS: Final = 64
_AXES: Final = 12  # of a topic: no number of a vector is too large to be kept
_FREE_AXES: Final = 4


def write_model(
    folder: Path,
    version: str = "topics-1",
    topics: Mapping[str, tuple[str, ...]] = TOPICS,
    dimensions: int = DIMENSIONS,
) -> str:
    """Write a model of some topics; gives its folder."""
    words = [word for each in topics.values() for word in each]
    table = np.zeros((len(words), dimensions), np.int8)
    row = 0
    for axis, of_topic in enumerate(topics.values()):
        for _ in of_topic:
            table[row, axis * _AXES : (axis + 1) * _AXES] = 100
            table[row, len(topics) * _AXES + row % _FREE_AXES] = 60
            row += 1
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(words), encoding="ascii")
    np.save(folder / "table.npy", table)
    np.save(folder / "scale.npy", np.full(len(words), 0.01, np.float16))
    card = {"name": "topics", "version": version, "dimensions": dimensions, "pieces": len(words)}
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    return os.fspath(folder)
