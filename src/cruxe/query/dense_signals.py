"""The signals of the dense channel, and the table that they make with the lexical ones.

The weights of this table are fitted on the dev queries in natural language, repositories left out
(`benchmarks/REPORT.md`, suite `semantic`); a question in words trusts single words less.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.query.dense import LEAST_SIMILARITY, FileSimilarity, Similarities
from cruxe.query.evidence import FileEvidence
from cruxe.query.signals import (
    RANK_SCALE,
    SIGNALS,
    Channel,
    Scales,
    Signal,
    SignalTable,
    best_chunk,
)

_NONE: Final = FileSimilarity([])
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

    def of(self, each: FileEvidence) -> FileSimilarity:
        """How near a file is."""
        return self.similarities.files.get(each.version_key, _NONE)

    def above_floor(self, value: float, best: float) -> float:
        """How far a similarity rises over the ordinary, of what the best does."""
        floor = self.similarities.floor
        return max(0.0, value - floor) / (best - floor) if best > floor else 0.0


def measure_dense_scales(similarities: Similarities, files: Iterable[FileEvidence]) -> DenseScales:
    """Find the best of the channel among the candidates."""
    paths = {each.version_key: each.path for each in files}
    found = {key: each for key, each in similarities.files.items() if key in paths}
    near = [key for key, each in found.items() if each.best > similarities.floor]
    order = sorted(near, key=lambda key: (-found[key].top, paths[key]))
    return DenseScales(
        similarities,
        max((LEAST_SIMILARITY, *(each.best for each in found.values()))),
        max((LEAST_SIMILARITY, *(each.doc for each in found.values()))),
        {key: rank for rank, key in enumerate(order)},
    )


def _similarity(each: FileEvidence, scales: Scales) -> float:
    dense = scales.dense
    return 0.0 if dense is None else dense.above_floor(dense.of(each).best, dense.best)


def _similarity_rank(each: FileEvidence, scales: Scales) -> float:
    rank = None if scales.dense is None else scales.dense.ranks.get(each.version_key)
    return 0.0 if rank is None else RANK_SCALE / (RANK_SCALE + rank)


def _doc_similarity(each: FileEvidence, scales: Scales) -> float:
    dense = scales.dense
    return 0.0 if dense is None else dense.above_floor(dense.of(each).doc, dense.best_doc)


def _file_size(each: FileEvidence, scales: Scales) -> float:
    """How much there is in a file, as far as its best chunk answers the question.

    Of two files whose best chunks say the same, the larger one is more often what is asked about;
    one that says nothing gains nothing by its size.
    """
    if scales.dense is None:
        return 0.0
    size = min(1.0, math.log1p(each.line_count) / _MOST_SIZE)
    return size * max(best_chunk(each, scales), _similarity(each, scales))


DENSE_SIGNALS: Final = (
    Signal("semantic_similarity", 1.6, _similarity, Channel.DENSE),
    Signal("semantic_rank", 1.1, _similarity_rank, Channel.DENSE, is_rank=True),
    Signal("semantic_doc", 0.9, _doc_similarity, Channel.DENSE),
)
# What the lexical signals weigh beside these.
_BESIDE: Final = {
    "bm25": 1.3,
    "bm25_rank": 1.45,
    "defined_names": 0.55,
    "file_head": 0.65,
    "definition_boost": 1.3,
    "exact_match": 0.4,
    "qualified_name": 0.9,
    "path_affinity": 1.75,
    "file_name": 0.05,
}
_LEXICAL: Final = (
    *(signal._replace(weight=_BESIDE.get(signal.name, signal.weight)) for signal in SIGNALS),
    Signal("file_size", 2.1, _file_size),
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
