"""The definitions in leading files that a pasted text is about."""

from collections.abc import Mapping, Sequence

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.query.rank.policy import (
    PASTED_CHUNKS,
    PASTED_FADING,
    PASTED_RANK_SCALE,
    PASTED_SYMBOL_WEIGHTS,
    PASTED_SYMBOLS_PER_FILE,
)
from cruxe.query.rank.signals import Mentions
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.understand.analysis import QueryAnalysis
from cruxe.store.conditions import OfVersions
from cruxe.text.identifiers import part_terms_of_word

Answering = Mapping[VersionKey, Sequence[tuple[StoredSymbol, float]]]


def answering_symbols(
    query: QueryAnalysis, keys: Sequence[VersionKey], opened: OpenedRef, mentions: Mentions
) -> Answering:
    """Return the best definitions of each file with the share of its score that they lose."""
    values: dict[VersionKey, dict[int, tuple[float, StoredSymbol]]] = {}
    own_value = _OwnValues(query, mentions)
    for symbol, text in _texts_of_symbols(query, keys, opened):
        value = text + own_value.of(symbol)
        values.setdefault(symbol.version_key, {})[symbol.ordinal] = value, symbol
    return {key: _best(found) for key, found in values.items()}


def _best(
    found: Mapping[int, tuple[float, StoredSymbol]],
) -> Sequence[tuple[StoredSymbol, float]]:
    order = sorted(found, key=lambda ordinal: (-found[ordinal][0], ordinal))
    top = found[order[0]][0]
    few = [found[ordinal] for ordinal in order[:PASTED_SYMBOLS_PER_FILE]]
    return [(symbol, PASTED_FADING * (1 - value / top)) for value, symbol in few]


def _texts_of_symbols(
    query: QueryAnalysis, keys: Sequence[VersionKey], opened: OpenedRef
) -> list[tuple[StoredSymbol, float]]:
    """The definitions in the best chunks of some files, each with what its chunk is worth."""
    wanted = OfVersions(tuple(keys))
    found = opened.lexical.search_chunks(
        query.terms, PASTED_CHUNKS, frozenset(keys).__contains__, wanted, per_file=PASTED_CHUNKS
    )
    rows = sorted(row for rows in found.values() for row in rows)
    chunks = opened.chunks.look_up([(row[1], row[2]) for row in rows], opened.snapshot)
    best = -rows[0][0] if rows else 1.0
    values: dict[tuple[VersionKey, int], tuple[StoredSymbol, float]] = {}
    weights = PASTED_SYMBOL_WEIGHTS
    for rank, row in enumerate(rows):
        chunk = chunks[row[1], row[2]]
        value = weights["text"] * -row[0] / best
        value += weights["rank"] * PASTED_RANK_SCALE / (PASTED_RANK_SCALE + rank)
        for symbol in chunk.inside if chunk.symbol is None else (chunk.symbol, *chunk.inside):
            values.setdefault((symbol.version_key, symbol.ordinal), (symbol, value))
    return [*values.values()]


class _OwnValues:
    """What definitions are worth by their names, their roles and the lines of the traceback."""

    def __init__(self, query: QueryAnalysis, mentions: Mentions) -> None:
        self._names = query.bare_names
        self._frames = () if query.pasted is None else query.pasted.frames
        self._mentions = mentions
        self._most = max(mentions.weights.values(), default=1.0)

    def of(self, symbol: StoredSymbol) -> float:
        weights = PASTED_SYMBOL_WEIGHTS
        terms = part_terms_of_word(symbol.name)
        mentioned = sum(min(1.0, self._mentions[term] / self._most) for term in terms)
        value = weights["name"] * (mentioned / max(1, len(terms)))
        value += weights["callable"] * (symbol.role == "callable")
        value += weights["named"] * (symbol.name in self._names)
        return value + weights["frame"] * self._is_in_a_frame(symbol)

    def _is_in_a_frame(self, symbol: StoredSymbol) -> bool:
        return any(
            symbol.line_start <= frame.line <= symbol.line_end
            and symbol.path.endswith(frame.path.rpartition("/")[2])
            for frame in self._frames
        )
