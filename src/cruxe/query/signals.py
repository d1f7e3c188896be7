"""The signals that a score is the sum of: one table, which the explanation prints.

Each positive signal gives points between nothing and its weight, from a value scaled for the query
at hand to 0..1. The score is the sum over the most that can be had, so that it lies in 0..1 too.
Penalties take a share of what is there. The weights were fitted on the dev queries of the
search-quality benchmark (`benchmarks/REPORT.md`, suite `search_quality`), repositories left out.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cruxe.index.lexical_reader import LexicalHit
from cruxe.model.hits import StoredSymbol
from cruxe.model.named import NamedTuple
from cruxe.query.analysis import QueryAnalysis
from cruxe.query.evidence import FileEvidence, is_qualified_match
from cruxe.query.naming import split_name
from cruxe.query.places import PlaceKind
from cruxe.text.identifiers import part_terms_of_word, words_of
from cruxe.text.paths import stem_of_path
from cruxe.text.spelling import fold_name

if TYPE_CHECKING:
    from cruxe.query.dense_signals import DenseScales

# How fast being further down a channel's list costs: the sixth counts half.
RANK_SCALE: Final = 5.0
_TOP_CHUNK_WEIGHTS: Final = (1.0, 0.5, 0.25)
_KIND_VALUES: Final = {"type": 1.0, "callable": 0.9}
_OTHER_KIND_VALUE: Final = 0.7


class Channel(StrEnum):
    """What asks the index; fusion may weigh or rank what each of them gives."""

    SPARSE = "sparse"
    DENSE = "dense"


class Signal(NamedTuple):
    """One row of the table."""

    name: str
    weight: float  # points at full value
    value: "Callable[[FileEvidence, Scales], float]"
    channel: Channel | None = None  # of which it is the score, or the rank
    is_rank: bool = False


class Penalty(NamedTuple):
    """What a place costs: a share of the score."""

    name: str
    kind: PlaceKind
    share: float


class SignalTable(NamedTuple):
    """The signals of a ranking."""

    signals: tuple[Signal, ...]

    @property
    def most(self) -> float:
        """The points of a hit that has all there is to have."""
        return sum(signal.weight for signal in self.signals)


class Scales(NamedTuple):
    """What values are measured against: the best of this query."""

    analysis: QueryAnalysis
    table: SignalTable
    best_chunk: float
    best_defines: float
    best_head: float
    ranks: Mapping[int, int]  # by version: place in the order of the best three chunks
    most: float  # points to be had
    mentions: Mapping[str, float]  # by a word of a file's name: how far the query mentions it
    dense: "DenseScales | None" = None


def measure_scales(
    analysis: QueryAnalysis, files: list[FileEvidence], table: "SignalTable | None" = None
) -> Scales:
    """Find the best of each lexical channel; the table is that of lexical signals, usually."""
    table = LEXICAL_TABLE if table is None else table
    if analysis.paths and any(each.path_match for each in files):
        table = SignalTable((*table.signals, PATH_SIGNAL))
    order = sorted(
        (-_sum_of_best(each.chunks), each.path, each.version_key)
        for each in files
        if each.chunks and each.chunks[0].score > 0
    )
    return Scales(
        analysis=analysis,
        table=table,
        best_chunk=max([each.chunks[0].score for each in files if each.chunks], default=0.0),
        best_defines=max([each.defines for each in files], default=0.0),
        best_head=max([each.head for each in files], default=0.0),
        ranks={key: rank for rank, (_, _, key) in enumerate(order)},
        most=table.most,
        mentions=_Mentions(analysis.weights),
    )


def _sum_of_best(chunks: list[LexicalHit]) -> float:
    pairs = zip(_TOP_CHUNK_WEIGHTS, chunks, strict=False)
    return sum([weight * hit.score for weight, hit in pairs])


def best_chunk(each: FileEvidence, scales: Scales) -> float:
    """The best chunk's words, of those of the best chunk anywhere."""
    return _share(each.chunks[0].score, scales.best_chunk) if each.chunks else 0.0


def _share(value: float, best: float) -> float:
    return value / best if best > 0 else 0.0


def _chunk_rank(each: FileEvidence, scales: Scales) -> float:
    rank = scales.ranks.get(each.version_key)
    return 0.0 if rank is None else RANK_SCALE / (RANK_SCALE + rank)


def _defined_names(each: FileEvidence, scales: Scales) -> float:
    return _share(each.defines, scales.best_defines)


def _file_head(each: FileEvidence, scales: Scales) -> float:
    return _share(each.head, scales.best_head)


def _definition(each: FileEvidence, scales: Scales) -> float:
    del scales
    return float(bool(each.definitions))


def _exact_match(each: FileEvidence, scales: Scales) -> float:
    """The very name, where nothing else was asked."""
    if not each.definitions or not scales.analysis.is_name:
        return 0.0
    asked = scales.analysis.bare_names
    exact = (symbol for symbol in each.definitions if symbol.name in asked)
    return max((_kind_value(symbol) for symbol in exact), default=0.0)


def _kind_value(symbol: StoredSymbol) -> float:
    return _KIND_VALUES.get(symbol.role, _OTHER_KIND_VALUE)


def _qualified_name(each: FileEvidence, scales: Scales) -> float:
    definitions = each.definitions
    if not definitions:
        return 0.0
    names = scales.analysis.names
    return float(any(is_qualified_match(symbol, name) for symbol in definitions for name in names))


def _path_affinity(each: FileEvidence, scales: Scales) -> float:
    """The share of the file name's words that the query mentions."""
    parts = _name_terms(each.path)
    return sum(map(scales.mentions.__getitem__, parts)) / len(parts) if parts else 0.0


@lru_cache(maxsize=1 << 16)
def _name_terms(path: str) -> tuple[str, ...]:
    words = words_of(stem_of_path(path).encode())
    return tuple(term for word in words for term in part_terms_of_word(word))


class _Mentions(dict[str, float]):
    """How far a query mentions a word: many files share the words of their names."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__()
        self._weights = weights
        # Words that do not start alike are not alike, and few do.
        self._by_letter: dict[str, list[str]] = {}
        for term in weights:
            self._by_letter.setdefault(term[:1], []).append(term)

    def __missing__(self, part: str) -> float:
        weights, terms = self._weights, self._by_letter.get(part[:1], ())
        found = max([_alike(part, term) * weights[term] for term in terms]) if terms else 0.0
        self[part] = found
        return found


def _alike(part: str, term: str) -> float:
    """How far two stems mean the same word: `auth` and `authent` nearly do."""
    if part == term:
        return 1.0
    shorter = min(len(part), len(term))
    if part.startswith(term) or term.startswith(part):
        return 0.0 if shorter < 3 else 0.7 if shorter == 3 else 0.9  # noqa: PLR2004 - letters
    common = next((i for i in range(shorter) if part[i] != term[i]), shorter)
    is_close = common >= 5 and common >= 0.6 * max(len(part), len(term))  # noqa: PLR2004
    return 0.8 if is_close else 0.0


def _file_name(each: FileEvidence, scales: Scales) -> float:
    """The file is called what was asked for."""
    analysis = scales.analysis
    if not analysis.is_name:
        return 0.0
    return float(fold_name(stem_of_path(each.path)) in _folded_ends(analysis.names))


@lru_cache(maxsize=16)
def _folded_ends(names: tuple[str, ...]) -> frozenset[str]:
    """The last parts of names in one spelling; all candidates of a query ask for the same."""
    return frozenset(fold_name(part) for name in names for part in split_name(name)[-1:])


def _path_match(each: FileEvidence, scales: Scales) -> float:
    del scales
    return each.path_match


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
