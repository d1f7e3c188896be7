"""The signals that a score is the sum of: one table, which the explanation prints.

Each positive signal gives points between nothing and its weight, from a value scaled for the query
at hand to 0..1. The score is the sum over the most that can be had, so that it lies in 0..1 too.
Penalties take a share of what is there. The weights were fitted on the dev queries of the
search-quality benchmark (`benchmarks/REPORT.md`, suite `search_quality`), repositories left out.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from itertools import repeat
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.query.rank.path_roles import PlaceKind
from cruxe.query.retrieve.candidates import Candidates
from cruxe.query.retrieve.evidence import is_qualified_match
from cruxe.query.retrieve.file_facts import ALIKE_START, start_of_word
from cruxe.query.understand.analysis import QueryAnalysis
from cruxe.query.understand.qualified_names import split_name
from cruxe.text.paths import stem_of_path
from cruxe.text.spelling import fold_name

if TYPE_CHECKING:
    from cruxe.query.rank.dense_signals import DenseScales

# How fast being further down a channel's list costs: the sixth counts half.
RANK_SCALE: Final = 5.0
_KIND_VALUES: Final = {"type": 1.0, "callable": 0.9}
_OTHER_KIND_VALUE: Final = 0.7


class Channel(StrEnum):
    """What asks the index; fusion may weigh or rank what each of them gives."""

    SPARSE = "sparse"
    DENSE = "dense"


# One of each candidate, between 0 and 1; none at all where a signal says nothing about this query.
Values = Sequence[float]


class Signal(NamedTuple):
    """One row of the table."""

    name: str
    weight: float  # points at full value
    values: "SignalValues"
    channel: Channel | None = None  # of which it is the score, or the rank
    is_rank: bool = False


class Penalty(NamedTuple):
    """What a place costs: a share of the score."""

    name: str
    kind: PlaceKind
    share: float


class SignalTable:
    """The signals of a ranking."""

    def __init__(self, signals: tuple[Signal, ...]) -> None:
        """Take signals; what they come to is asked for by every question."""
        self.signals = signals
        self.weights = {signal.name: signal.weight for signal in signals}
        # The points of a hit that has all there is to have.
        self.most = sum([signal.weight for signal in signals])


class Scales(NamedTuple):
    """What values are measured against: the best of this query."""

    analysis: QueryAnalysis
    table: SignalTable
    best_chunk: float
    best_defines: float
    best_head: float
    ranks: Mapping[VersionKey, float]  # best first: what places by the best three chunks are worth
    most: float  # points to be had
    mentions: "Mentions"  # by a word of a file's name: how far the query mentions it
    has_paths: bool  # the query names a path that there is
    dense: "DenseScales | None" = None


# What a signal says of all candidates at once.
SignalValues = Callable[[Candidates, Scales], Values]


def measure_scales(analysis: QueryAnalysis, files: Candidates) -> Scales:
    """Find the best of each lexical channel; the table is that of lexical signals."""
    named_by_path = files.evidence.path_matches
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
    )
    return with_table(scales, LEXICAL_TABLE)


def rank_values(files: Candidates, order: Sequence[int]) -> dict[VersionKey, float]:
    """What places in a channel's list are worth, from where those in it stand, best first."""
    keys = files.keys
    return {keys[place]: RANK_SCALE / (RANK_SCALE + rank) for rank, place in enumerate(order)}


def with_table(scales: Scales, table: SignalTable) -> Scales:
    """The same by another table, which paths join where the query names some that there are."""
    if scales.has_paths:
        table = SignalTable((*table.signals, PATH_SIGNAL))
    return scales._replace(table=table, most=table.most)


def best_chunk(files: Candidates, scales: Scales) -> Values:
    """The best chunk's words, of those of the best chunk anywhere."""
    return _shares(files.best_chunks, scales.best_chunk)


def _shares(values: list[float], best: float) -> Values:
    return [value / best for value in values] if best > 0 else ()


def _chunk_rank(files: Candidates, scales: Scales) -> Values:
    return values_of(files, scales.ranks)


def values_of(files: Candidates, found: Mapping[VersionKey, float]) -> Values:
    """What was found of each; nothing of most."""
    return [*map(found.get, files.keys, repeat(0.0))]


def _defined_names(files: Candidates, scales: Scales) -> Values:
    return _shares(files.defines, scales.best_defines)


def _file_head(files: Candidates, scales: Scales) -> Values:
    return _shares(files.heads, scales.best_head)


def _definition(files: Candidates, scales: Scales) -> Values:
    if not scales.analysis.names:
        return ()
    return values_of(files, dict.fromkeys(files.evidence.definitions, 1.0))


def _exact_match(files: Candidates, scales: Scales) -> Values:
    """The very name, where nothing else was asked."""
    if not scales.analysis.is_name:
        return ()
    asked = scales.analysis.bare_names
    found = {
        key: max([_kind_value(each) for each in symbols if each.name in asked], default=0.0)
        for key, symbols in files.evidence.definitions.items()
    }
    return values_of(files, found)


def _kind_value(symbol: StoredSymbol) -> float:
    return _KIND_VALUES.get(symbol.role, _OTHER_KIND_VALUE)


def _qualified_name(files: Candidates, scales: Scales) -> Values:
    names = scales.analysis.names
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
        if is_far(place.name_starts)
        else sum(map(mentioned, place.name_terms)) / len(place.name_terms)
        for place in files.places
    ]


class Mentions(dict[str, float]):
    """How far a query mentions a word: many files share the words of their names."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        """Take what the query's terms weigh."""
        super().__init__()
        self._weights = weights
        # Words that do not start alike are not alike, and few do.
        self.starts: dict[str, list[str]] = {}
        for term in weights:
            self.starts.setdefault(start_of_word(term), []).append(term)

    def __missing__(self, part: str) -> float:
        """Look for the term that is most like it."""
        weights, terms = self._weights, self.starts.get(start_of_word(part), ())
        found = max([_alike(part, term) * weights[term] for term in terms]) if terms else 0.0
        self[part] = found
        return found


def _alike(part: str, term: str) -> float:
    """How far two stems mean the same word: `auth` and `authent` nearly do."""
    if part == term:
        return 1.0
    shorter = min(len(part), len(term))
    if part.startswith(term) or term.startswith(part):
        return 0.0 if shorter < ALIKE_START else 0.7 if shorter == ALIKE_START else 0.9
    common = next((i for i in range(shorter) if part[i] != term[i]), shorter)
    is_close = common >= 5 and common >= 0.6 * max(len(part), len(term))  # noqa: PLR2004
    return 0.8 if is_close else 0.0


def _file_name(files: Candidates, scales: Scales) -> Values:
    """The file is called what was asked for."""
    if not scales.analysis.is_name:
        return ()
    asked = _folded_ends(scales.analysis.names)
    return [float(fold_name(stem_of_path(place.path)) in asked) for place in files.places]


def _folded_ends(names: tuple[str, ...]) -> frozenset[str]:
    """The last parts of names in one spelling."""
    return frozenset(fold_name(part) for name in names for part in split_name(name)[-1:])


def _path_match(files: Candidates, scales: Scales) -> Values:
    del scales
    return values_of(files, files.evidence.path_matches)


SIGNALS: Final = (
    Signal("bm25", 2.1, best_chunk, Channel.SPARSE),
    Signal("bm25_rank", 3.0, _chunk_rank, Channel.SPARSE, is_rank=True),
    Signal("defined_names", 0.95, _defined_names, Channel.SPARSE),
    Signal("file_head", 0.55, _file_head, Channel.SPARSE),
    Signal("definition_boost", 0.95, _definition),
    Signal("exact_match", 1.7, _exact_match),
    Signal("qualified_name", 1.0, _qualified_name),
    Signal("path_affinity", 2.5, _path_affinity),
    Signal("file_name", 1.2, _file_name),
)
# Joins the others only where the query names a path that there is. It outweighs what words can
# say for other files: whoever names a file wants that one.
PATH_SIGNAL: Final = Signal("path_match", 9.0, _path_match)
PENALTIES: Final = (
    Penalty("test_file_penalty", PlaceKind.TEST, 0.8),
    Penalty("example_penalty", PlaceKind.EXAMPLE, 0.5),
    Penalty("prose_penalty", PlaceKind.PROSE, 0.6),
    Penalty("data_penalty", PlaceKind.DATA, 0.45),
)
LEXICAL_TABLE: Final = SignalTable(SIGNALS)
