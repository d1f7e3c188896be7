"""The signals of the dense channel, and the table that they make with the lexical ones.

The weights of this table are fitted on the dev queries in natural language, repositories left out
(`benchmarks/REPORT.md`, suite `semantic`); a question in words trusts single words less.
"""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.query.dense import LEAST_SIMILARITY, FileSimilarity, Similarities
from cruxe.query.signals import (
    SIGNALS,
    Channel,
    Files,
    Scales,
    Signal,
    SignalTable,
    Values,
    best_chunk,
    rank_values,
)

_NONE: Final = FileSimilarity([], [], 0.0)
# A file of so many lines counts as the largest.
_MOST_SIZE: Final = math.log1p(5_000)


class DenseScales(NamedTuple):
    """What similarities are measured against: the best of this query, and the ordinary.

    The best of a question about nothing here is not near: it counts as far as it comes.
    """

    similarities: Similarities
    best: float
    best_doc: float
    ranks: Mapping[VersionKey, int]  # place in the order of the nearest three chunks

    def of(self, files: Files) -> list[FileSimilarity]:
        """How near files are."""
        found = self.similarities.files
        return [found.get(each.version_key, _NONE) for each in files]

    def above_floor(self, values: list[float], best: float) -> Values:
        """How far similarities rise over the ordinary, of what the best does."""
        floor = self.similarities.floor
        if best <= floor:
            return ()
        return [(value - floor) / (best - floor) if value > floor else 0.0 for value in values]


def measure_dense_scales(similarities: Similarities, files: Files) -> DenseScales:
    """Find the best of the channel among the candidates."""
    near = similarities.files
    found = [(near[each.version_key], each) for each in files if each.version_key in near]
    order = sorted(
        [
            (-own.top, each.place.path, each.version_key)
            for own, each in found
            if own.best > similarities.floor
        ]
    )
    return DenseScales(
        similarities,
        max([LEAST_SIMILARITY, *[own.best for own, _ in found]]),
        max([LEAST_SIMILARITY, *[own.doc for own, _ in found]]),
        {key: rank for rank, (_, _, key) in enumerate(order)},
    )


def _similarity(files: Files, scales: Scales) -> Values:
    dense = scales.dense
    if dense is None:
        return ()
    return dense.above_floor([near.best for near in dense.of(files)], dense.best)


def _similarity_rank(files: Files, scales: Scales) -> Values:
    return () if scales.dense is None else rank_values(files, scales.dense.ranks)


def _doc_similarity(files: Files, scales: Scales) -> Values:
    dense = scales.dense
    if dense is None:
        return ()
    return dense.above_floor([near.doc for near in dense.of(files)], dense.best_doc)


def _file_size(files: Files, scales: Scales) -> Values:
    """How much there is in a file, as far as its best chunk answers the question.

    Of two files whose best chunks say the same, the larger one is more often what is asked about;
    one that says nothing gains nothing by its size.
    """
    if scales.dense is None:
        return ()
    nothing = [0.0] * len(files)
    by_words = best_chunk(files, scales) or nothing
    by_meaning = _similarity(files, scales) or nothing
    sizes = [_size(each.place.line_count) for each in files]
    found = zip(sizes, by_words, by_meaning, strict=True)
    return [size * max(words, meaning) for size, words, meaning in found]


@lru_cache(maxsize=1 << 14)
def _size(line_count: int) -> float:
    return min(1.0, math.log1p(line_count) / _MOST_SIZE)


DENSE_SIGNALS: Final = (
    Signal("semantic_similarity", 1.35, _similarity, Channel.DENSE),
    Signal("semantic_rank", 1.4, _similarity_rank, Channel.DENSE, is_rank=True),
    Signal("semantic_doc", 0.85, _doc_similarity, Channel.DENSE),
)
# What the lexical signals weigh beside these. No question can tell what those of names are worth
# (`exact_match`, `qualified_name`, `file_name`): they weigh what keeps scores where they were.
_BESIDE: Final = {
    "bm25": 1.3,
    "bm25_rank": 1.35,
    "defined_names": 0.7,
    "file_head": 0.7,
    "definition_boost": 1.2,
    "exact_match": 0.4,
    "qualified_name": 0.9,
    "path_affinity": 1.55,
    "file_name": 0.05,
}
_LEXICAL: Final = (
    *(signal._replace(weight=_BESIDE.get(signal.name, signal.weight)) for signal in SIGNALS),
    Signal("file_size", 1.8, _file_size),
)
_LEXICAL_POINTS: Final = sum(signal.weight for signal in _LEXICAL)
_DENSE_POINTS: Final = sum(signal.weight for signal in DENSE_SIGNALS)
# The share of a score that the dense signals give where nothing caps it.
FITTED_RATIO: Final = round(_DENSE_POINTS / (_DENSE_POINTS + _LEXICAL_POINTS), 6)


def hybrid_table(ratio: float) -> SignalTable:
    """Both kinds of signals, the dense ones giving at most such a share of a score."""
    if ratio >= FITTED_RATIO:
        return SignalTable((*_LEXICAL, *DENSE_SIGNALS))
    factor = ratio * _LEXICAL_POINTS / ((1 - ratio) * _DENSE_POINTS)
    capped = (signal._replace(weight=signal.weight * factor) for signal in DENSE_SIGNALS)
    return SignalTable((*_LEXICAL, *capped))
