"""The signals that a score is the sum of: tables of signals, which the explanation prints.

Each positive signal gives points between 0 and its weight, from a value scaled for the query at
hand to 0..1. The score is the sum of points over the most points that a file can have, so that it
lies in 0..1 too. Penalties take a share of it. The weights are in `policy.py`.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.symbols import SymbolRole, fold_name, split_name
from cruxe.query.rank.policy import (
    COMMON_START_LETTERS,
    COMMON_START_SHARE,
    COMMON_START_VALUE,
    DENSE_POINTS,
    DENSE_WEIGHTS,
    FITTED_RATIO,
    HYBRID_LEXICAL_POINTS,
    HYBRID_LEXICAL_WEIGHTS,
    KNOWN_NAME_WEIGHTS,
    LEAST_SIMILARITY,
    LEXICAL_WEIGHTS,
    MISSPELT_NAME_WEIGHTS,
    NAME_OF_VALUE_SHARE,
    NAMED_ROLE_VALUES,
    NO_CODE_SHARE,
    OTHER_KIND_SHARE,
    OTHER_QUALIFIER_SHARE,
    OTHER_SPELLING_SHARE,
    PATH_MATCH_WEIGHT,
    PLAIN_WORD_SHARE,
    PREFIX_VALUE,
    RANK_SCALE,
    SHORTEST_PREFIX,
    SHORTEST_PREFIX_VALUE,
)
from cruxe.query.retrieve.evidence import Candidates, Evidence, Values
from cruxe.query.retrieve.named_definitions import is_qualified_match
from cruxe.query.retrieve.opened_ref import start_of_word
from cruxe.query.understand.analysis import QueryAnalysis, is_plain_word
from cruxe.text.paths import PathRole, path_roles

if TYPE_CHECKING:
    from cruxe.query.retrieve.pasted_evidence import PastedEvidence


class Channel(StrEnum):
    """The kind of retrieval a signal comes from; fusion may weigh or rank by it."""

    SPARSE = "sparse"
    DENSE = "dense"


class Signal(NamedTuple):
    """One row of the table."""

    name: str
    weight: float  # points at full value
    values: "SignalValues"
    channel: Channel | None = None  # whose score or rank it is
    is_rank: bool = False


SHARE_DIGITS: Final = 6


class SignalTable:
    """The signals of a ranking."""

    def __init__(self, signals: tuple[Signal, ...]) -> None:
        """Take signals; sums of them are computed once."""
        self.signals = signals
        self.weights = {signal.name: signal.weight for signal in signals}
        # The points of a hit with full values.
        self.most = sum([signal.weight for signal in signals])

    @property
    def has_meaning(self) -> bool:
        """Whether vectors are among the channels."""
        return any(signal.channel is Channel.DENSE for signal in self.signals)

    @property
    def dense_share(self) -> float:
        """The largest share of a score that vectors can give."""
        dense = [each.weight for each in self.signals if each.channel is Channel.DENSE]
        return round(sum(dense) / self.most, SHARE_DIGITS) if self.most else 0.0


class DenseScales(NamedTuple):
    """What similarities are scaled by: the best of this query, and the ordinary.

    The best of a question about nothing here is not near: it counts as far as it comes.
    """

    floor: float  # the similarity of ordinary rows
    best: float
    best_doc: float
    ranks: Mapping[VersionKey, float]  # values of ranks by the nearest three chunks

    def above_floor(self, values: Sequence[float], best: float) -> Values:
        """How far similarities rise over the floor, relative to the best."""
        floor = self.floor
        if best <= floor:
            return ()
        return [(value - floor) / (best - floor) if value > floor else 0.0 for value in values]


NONE_ANSWER: Final[Mapping[VersionKey, Sequence[tuple[StoredSymbol, float]]]] = {}


class PastedScales(NamedTuple):
    """What the parts of a pasted text say of files: values from 0 to 1 by version, or by path."""

    ranks: Mapping[str, Mapping[VersionKey, float]]  # by part
    evidence: "PastedEvidence"
    body: "Mentions"  # of words by the whole text
    words: Mapping[str, int]  # of the whole text in lower case, with how often
    # The definitions of leading files that the text is about, best first, each with a value.
    answering: Mapping[VersionKey, Sequence[tuple[StoredSymbol, float]]] = NONE_ANSWER


class Scales(NamedTuple):
    """What values are scaled by: the best of this query."""

    analysis: QueryAnalysis
    table: SignalTable
    best_chunk: float
    best_defines: float
    best_head: float
    ranks: Mapping[VersionKey, float]  # best first: values of ranks by the best three chunks
    most: float  # points of a hit with full values
    mentions: "Mentions"  # by a word of a file's name: how far the query mentions it
    has_paths: bool  # the query names an existing path
    name_weights: Mapping[str, float]  # of the signals of a known name, if the query is one
    is_set_aside: bool  # only tests, examples and the like define that very name
    dense: DenseScales | None = None
    pasted: PastedScales | None = None


# The values of a signal for all candidates.
SignalValues = Callable[[Candidates, Scales], Values]


def measure_scales(analysis: QueryAnalysis, files: Candidates) -> Scales:
    """Find the best of each lexical channel; the table is that of lexical signals."""
    named_by_path = files.evidence.path_matches
    symbols = chain.from_iterable(files.evidence.definitions.values())
    scales = Scales(
        analysis=analysis,
        table=LEXICAL_TABLE,
        best_chunk=max(files.best_chunks, default=0.0),
        best_defines=max(files.defines, default=0.0),
        best_head=max(files.heads, default=0.0),
        ranks=rank_values(files, files.best_first(files.best_chunks, 0.0, files.best_three)),
        most=0.0,
        mentions=Mentions(analysis.weights),
        has_paths=bool(analysis.paths) and any(key in named_by_path for key in files.keys),
        name_weights=_name_weights(analysis, files.evidence),
        is_set_aside=not any(_is_ordinary(each, analysis) for each in symbols),
    )
    return with_table(scales, LEXICAL_TABLE)


def rank_values(files: Candidates, order: Sequence[int]) -> dict[VersionKey, float]:
    """The values of ranks in a channel's list; `order` has indexes of candidates, best first."""
    keys = files.keys
    return {keys[index]: RANK_SCALE / (RANK_SCALE + rank) for rank, index in enumerate(order)}


def _name_weights(analysis: QueryAnalysis, evidence: Evidence) -> Mapping[str, float]:
    if not analysis.is_name or evidence.path_matches:  # a file is named `Makefile`
        return {}
    if evidence.is_misspelt:
        return MISSPELT_NAME_WEIGHTS
    symbols = chain.from_iterable(evidence.definitions.values())
    return KNOWN_NAME_WEIGHTS if any(map(_is_in_code, symbols)) else {}


def _is_ordinary(symbol: StoredSymbol, analysis: QueryAnalysis) -> bool:
    is_asked = symbol.name in analysis.bare_names
    return is_asked and not path_roles(symbol.path, symbol.language)


def with_table(scales: Scales, table: SignalTable) -> Scales:
    """Exchange the table; signals of a known name and of existing paths join it as they apply."""
    weights, signals = scales.name_weights, table.signals
    if weights:
        others = [each for each in signals if each.name not in NAME_SIGNALS]
        named = [each for name, each in NAME_SIGNALS.items() if name in weights]
        signals = (*others, *(each._replace(weight=weights[each.name]) for each in named))
    if scales.has_paths:
        signals = (*signals, PATH_SIGNAL)
    if signals is not table.signals:
        table = SignalTable(signals)
    return scales._replace(table=table, most=table.most)


def measure_dense_scales(files: Candidates, floor: float) -> DenseScales:
    """Find the best similarities among the candidates."""
    return DenseScales(
        floor=floor,
        best=max([LEAST_SIMILARITY, *files.near]),
        best_doc=max([LEAST_SIMILARITY, *files.near_docs]),
        ranks=rank_values(files, files.best_first(files.near, floor, files.near_three)),
    )


def _best_chunk(files: Candidates, scales: Scales) -> Values:
    """The score of the best chunk, relative to the best of all files."""
    return _shares(files.best_chunks, scales.best_chunk)


def _shares(values: list[float], best: float) -> Values:
    return [value / best for value in values] if best > 0 else ()


def _chunk_rank(files: Candidates, scales: Scales) -> Values:
    return values_of(files, scales.ranks)


def values_of(files: Candidates, found: Mapping[VersionKey, float]) -> Values:
    """The value of each candidate, 0 if it has none."""
    return [*map(found.get, files.keys, repeat(0.0))]


def _defined_names(files: Candidates, scales: Scales) -> Values:
    return _shares(files.defines, scales.best_defines)


def _file_head(files: Candidates, scales: Scales) -> Values:
    return _shares(files.heads, scales.best_head)


def _definition(files: Candidates, scales: Scales) -> Values:
    if not scales.analysis.names or files.evidence.is_misspelt:
        return ()
    return values_of(files, dict.fromkeys(files.evidence.definitions, 1.0))


def _exact_match(files: Candidates, scales: Scales) -> Values:
    """The very name, where nothing else was asked."""
    return _name_values(files, scales, lambda value: value.name)


def _kind_match(files: Candidates, scales: Scales) -> Values:
    """The role of the definition of that name, or the kind that the query says."""
    return _name_values(files, scales, lambda value: value.role)


class NameValue(NamedTuple):
    """How far a definition is what a query that is nothing but a name asks for, each 0 to 1."""

    name: float
    role: float

    @property
    def points(self) -> float:
        """Both, weighed."""
        weights = KNOWN_NAME_WEIGHTS
        return self.name * weights["exact_match"] + self.role * weights["kind_match"]


def _name_values(files: Candidates, scales: Scales, part: Callable[[NameValue], float]) -> Values:
    """A value of the best definition in each file."""
    if not scales.analysis.is_name:
        return ()
    definitions = files.evidence.definitions.items()
    found = {
        key: part(max((name_value(each, scales.analysis) for each in symbols), key=_points))
        for key, symbols in definitions
    }
    return values_of(files, found)


def _points(value: NameValue) -> float:
    return value.points


def name_value(symbol: StoredSymbol, analysis: QueryAnalysis) -> NameValue:
    """Return how far a definition is what a query that is nothing but a name asks for."""
    role = NAMED_ROLE_VALUES.get(symbol.role, 0.0)
    if analysis.kinds:
        role = 1.0 if symbol.kind in analysis.kinds else role * OTHER_KIND_SHARE
    name = NAME_OF_VALUE_SHARE if role < NAMED_ROLE_VALUES["callable"] else 1.0
    if symbol.role != SymbolRole.TYPE and _is_plain(analysis):
        name, role = name * PLAIN_WORD_SHARE, role * PLAIN_WORD_SHARE
    if symbol.name not in analysis.bare_names:
        name *= OTHER_SPELLING_SHARE
    is_qualified = any(len(split_name(each)) > 1 for each in analysis.names)
    if is_qualified and not any(is_qualified_match(symbol, each) for each in analysis.names):
        name *= OTHER_QUALIFIER_SHARE
    return NameValue(name, role) if _is_in_code(symbol) else NameValue(name * NO_CODE_SHARE, 0.0)


def _is_plain(analysis: QueryAnalysis) -> bool:
    return not analysis.kinds and all(map(is_plain_word, analysis.names))


def _is_in_code(symbol: StoredSymbol) -> bool:
    return _NO_CODE.isdisjoint(path_roles(symbol.path, symbol.language))


_NO_CODE: Final = frozenset((PathRole.PROSE, PathRole.DATA))


def _qualified_name(files: Candidates, scales: Scales) -> Values:
    # A name without a scope is no qualified name; a text may name hundreds of definitions.
    names = [name for name in scales.analysis.names if len(split_name(name)) > 1]
    if not names:
        return ()
    found = {
        key: float(any(is_qualified_match(each, name) for each in symbols for name in names))
        for key, symbols in files.evidence.definitions.items()
    }
    return values_of(files, found)


def _path_affinity(files: Candidates, scales: Scales) -> Values:
    """The share of the file name's words that the query mentions."""
    mentioned = scales.mentions.__getitem__
    is_far = frozenset(scales.mentions.starts).isdisjoint
    return [
        0.0
        if is_far(each.name_starts)
        else sum(map(mentioned, each.name_terms)) / len(each.name_terms)
        for each in files.facts
    ]


class Mentions(dict[str, float]):
    """How far a query mentions a word, cached: many files share the words of their names."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        """Take the weights of the query's terms."""
        super().__init__()
        self.weights = weights
        # Words that mean the same share a start, and few do.
        self.starts: dict[str, list[str]] = {}
        for term in weights:
            self.starts.setdefault(start_of_word(term), []).append(term)

    def __missing__(self, part: str) -> float:
        """Look for the most similar term."""
        weights, terms = self.weights, self.starts.get(start_of_word(part), ())
        found = max([_likeness(part, term) * weights[term] for term in terms]) if terms else 0.0
        self[part] = found
        return found


def _likeness(part: str, term: str) -> float:
    """How far two stems mean the same word: `auth` and `authent` nearly do."""
    if part == term:
        return 1.0
    shorter = min(len(part), len(term))
    if part.startswith(term) or term.startswith(part):
        if shorter < SHORTEST_PREFIX:
            return 0.0
        return SHORTEST_PREFIX_VALUE if shorter == SHORTEST_PREFIX else PREFIX_VALUE
    common = next((i for i in range(shorter) if part[i] != term[i]), shorter)
    longer = max(len(part), len(term))
    is_close = common >= COMMON_START_LETTERS and common >= COMMON_START_SHARE * longer
    return COMMON_START_VALUE if is_close else 0.0


def _file_name(files: Candidates, scales: Scales) -> Values:
    """The file is called what was asked for."""
    if not scales.analysis.is_name:
        return ()
    asked = _folded_ends(scales.analysis.names)
    return [float(each.folded_stem in asked) for each in files.facts]


def _folded_ends(names: tuple[str, ...]) -> frozenset[str]:
    """The last parts of names in one spelling."""
    return frozenset(fold_name(part) for name in names for part in split_name(name)[-1:])


def _path_match(files: Candidates, scales: Scales) -> Values:
    del scales
    return values_of(files, files.evidence.path_matches)


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
    """The size of a file, as far as its best chunk answers the question.

    Of two files with equally good chunks the larger one is more often what is asked about; a file
    without a good chunk gains nothing by its size.
    """
    if scales.dense is None:
        return ()
    nothing = [0.0] * len(files)
    by_words = files.column(_best_chunk, scales) or nothing
    by_meaning = files.column(_similarity, scales) or nothing
    columns = zip(files.facts, by_words, by_meaning, strict=True)
    return [each.size * max(words, meaning) for each, words, meaning in columns]


def _signal(
    name: str, values: SignalValues, channel: Channel | None = None, *, is_rank: bool = False
) -> Signal:
    weight = DENSE_WEIGHTS[name] if channel is Channel.DENSE else LEXICAL_WEIGHTS[name]
    return Signal(name=name, weight=weight, values=values, channel=channel, is_rank=is_rank)


SIGNALS: Final = (
    _signal("bm25", _best_chunk, Channel.SPARSE),
    _signal("bm25_rank", _chunk_rank, Channel.SPARSE, is_rank=True),
    _signal("defined_names", _defined_names, Channel.SPARSE),
    _signal("file_head", _file_head, Channel.SPARSE),
    _signal("definition_boost", _definition),
    _signal("exact_match", _exact_match),
    _signal("qualified_name", _qualified_name),
    _signal("path_affinity", _path_affinity),
    _signal("file_name", _file_name),
)
PATH_SIGNAL: Final = Signal(name="path_match", weight=PATH_MATCH_WEIGHT, values=_path_match)
# The signals of a query that is nothing but a name; their weights are chosen with the query.
NAME_SIGNALS: Final = {
    "exact_match": Signal(name="exact_match", weight=0.0, values=_exact_match),
    "fuzzy": Signal(name="fuzzy", weight=0.0, values=_exact_match),
    "kind_match": Signal(name="kind_match", weight=0.0, values=_kind_match),
}
LEXICAL_TABLE: Final = SignalTable(SIGNALS)
_HYBRID_LEXICAL: Final = (
    *(signal._replace(weight=HYBRID_LEXICAL_WEIGHTS[signal.name]) for signal in SIGNALS),
    Signal(name="file_size", weight=HYBRID_LEXICAL_WEIGHTS["file_size"], values=_file_size),
)
_DENSE_SIGNALS: Final = (
    _signal("semantic_similarity", _similarity, Channel.DENSE),
    _signal("semantic_rank", _similarity_rank, Channel.DENSE, is_rank=True),
    _signal("semantic_doc", _doc_similarity, Channel.DENSE),
)


@lru_cache(maxsize=8)
def hybrid_table(ratio: float) -> SignalTable:
    """Lexical and dense signals, the dense ones giving at most such a share of a score."""
    if ratio >= FITTED_RATIO:
        return SignalTable((*_HYBRID_LEXICAL, *_DENSE_SIGNALS))
    factor = ratio * HYBRID_LEXICAL_POINTS / ((1 - ratio) * DENSE_POINTS)
    capped = (signal._replace(weight=signal.weight * factor) for signal in _DENSE_SIGNALS)
    return SignalTable((*_HYBRID_LEXICAL, *capped))
