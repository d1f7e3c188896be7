"""Fusion of channels as the settings ask for it, in place of the fitted sum.

The sum has the scores of channels and, beside them, ranks. By reciprocal ranks a channel gives
(k + 1) / (k + rank) of its weight, whatever its scores; by blending, its score over the best one,
times the weight of its kind. Signals of no channel, such as a definition, count as ever.
"""

from typing import Final, assert_never

from cruxe.model.specs import FieldShares, Fusion, FusionMethod
from cruxe.query.rank.signals import Channel, Scales, Signal, SignalTable, values_of
from cruxe.query.retrieve.evidence import Candidates, Values


def fuse(scales: Scales, files: Candidates, fusion: Fusion) -> Scales:
    """The scales with a table that fuses as asked."""
    match fusion.method:
        case FusionMethod.SUM:
            signals = [*scales.table.signals]
        case FusionMethod.RRF:
            signals = [_by_rank(each, scales, files, fusion.k) for each in _scores(scales)]
        case FusionMethod.BLEND:
            signals = [_weighed(each, fusion) for each in _scores(scales)]
        case _:
            assert_never(fusion.method)
    table = SignalTable(tuple(_in_field(each, fusion.fields) for each in signals))
    return scales._replace(table=table, most=table.most)


_FIELDS: Final = {
    **dict.fromkeys(("bm25", "bm25_rank"), "body"),
    **dict.fromkeys(("defined_names", "exact_match", "qualified_name"), "name"),
    "file_head": "doc",
    **dict.fromkeys(("path_affinity", "file_name", "path_match"), "path"),
}


def _in_field(signal: Signal, shares: FieldShares) -> Signal:
    """The signal with its weight as the settings change that of its field."""
    field = _FIELDS.get(signal.name)
    if field is None:
        return signal
    return signal._replace(weight=signal.weight * shares._asdict()[field])


def _scores(scales: Scales) -> list[Signal]:
    """The signals without those that are a channel's rank already."""
    return [signal for signal in scales.table.signals if not signal.is_rank]


def _by_rank(signal: Signal, scales: Scales, files: Candidates, k: int) -> Signal:
    if signal.channel is None:
        return signal
    values = signal.values(files, scales)
    found = files.best_first(values, 0.0, values)
    ranked = {files.keys[index]: (k + 1) / (k + rank) for rank, index in enumerate(found, start=1)}

    def by_rank(files: Candidates, _: Scales) -> Values:
        return values_of(files, ranked)

    return signal._replace(values=by_rank)


def _weighed(signal: Signal, fusion: Fusion) -> Signal:
    if signal.channel is None:
        return signal
    is_sparse = signal.channel is Channel.SPARSE
    share = fusion.sparse_weight if is_sparse else fusion.dense_weight
    return signal._replace(weight=signal.weight * share)
