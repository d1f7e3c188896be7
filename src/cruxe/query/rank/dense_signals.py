"""The signals of the dense channel, and the table that they make with the lexical ones.

The weights of this table are fitted on the dev queries in natural language, repositories left out
(`benchmarks/REPORT.md`, suite `semantic`); a question in words trusts single words less.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from cruxe.model.identity import VersionKey
from cruxe.query.rank.signals import (
    SIGNALS,
    Channel,
    Scales,
    Signal,
    SignalTable,
    Values,
    best_chunk,
    rank_values,
    values_of,
)
from cruxe.query.retrieve.candidates import Candidates
from cruxe.query.retrieve.dense import LEAST_SIMILARITY


class DenseScales(NamedTuple):
    """What similarities are measured against: the best of this query, and the ordinary.

    The best of a question about nothing here is not near: it counts as far as it comes.
    """

    floor: float  # no more than ordinary
    best: float
    best_doc: float
    ranks: Mapping[VersionKey, float]  # what places by the nearest three chunks are worth

    def above_floor(self, values: Sequence[float], best: float) -> Values:
        """How far similarities rise over the ordinary, of what the best does."""
        floor = self.floor
        if best <= floor:
            return ()
        return [(value - floor) / (best - floor) if value > floor else 0.0 for value in values]


def measure_dense_scales(files: Candidates, floor: float) -> DenseScales:
    """Find the best of the channel among the candidates."""
    return DenseScales(
        floor,
        max([LEAST_SIMILARITY, *files.near]),
        max([LEAST_SIMILARITY, *files.near_docs]),
        rank_values(files, files.best_first(files.near, floor, files.near_three)),
    )


def _similarity(files: Candidates, scales: Scales) -> Values:
    dense = scales.dense
    if dense is None:
        return ()
    return dense.above_floor(files.near, dense.best)


def _similarity_rank(files: Candidates, scales: Scales) -> Values:
    return () if scales.dense is None else values_of(files, scales.dense.ranks)


def _doc_similarity(files: Candidates, scales: Scales) -> Values:
    dense = scales.dense
    if dense is None:
        return ()
    return dense.above_floor(files.near_docs, dense.best_doc)


def _file_size(files: Candidates, scales: Scales) -> Values:
    """How much there is in a file, as far as its best chunk answers the question.

    Of two files whose best chunks say the same, the larger one is more often what is asked about;
    one that says nothing gains nothing by its size.
    """
    if scales.dense is None:
        return ()
    nothing = [0.0] * len(files)
    by_words = files.column(best_chunk, scales) or nothing
    by_meaning = files.column(_similarity, scales) or nothing
    said = zip(files.places, by_words, by_meaning, strict=True)
    return [place.size * (max(words, meaning)) for place, words, meaning in said]


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


@lru_cache(maxsize=8)
def hybrid_table(ratio: float) -> SignalTable:
    """Both kinds of signals, the dense ones giving at most such a share of a score."""
    if ratio >= FITTED_RATIO:
        return SignalTable((*_LEXICAL, *DENSE_SIGNALS))
    factor = ratio * _LEXICAL_POINTS / ((1 - ratio) * _DENSE_POINTS)
    capped = (signal._replace(weight=signal.weight * factor) for signal in DENSE_SIGNALS)
    return SignalTable((*_LEXICAL, *capped))
