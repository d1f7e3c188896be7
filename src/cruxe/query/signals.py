"""The signals that a score is the sum of: one table, which the explanation prints.

Each positive signal gives points between nothing and its weight, from a value scaled for the query
at hand to 0..1. The score is the sum over the most that can be had, so that it lies in 0..1 too.
Penalties take a share of what is there. The weights were fitted on the dev queries of the
search-quality benchmark (`benchmarks/REPORT.md`, suite `search_quality`), repositories left out.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cruxe.index.lexical_reader import LexicalHit
from cruxe.model.enums import StrEnum
from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.named import NamedTuple
from cruxe.query.analysis import QueryAnalysis
from cruxe.query.evidence import FileEvidence, is_qualified_match
from cruxe.query.file_places import ALIKE_START, start_of_word
from cruxe.query.naming import split_name
from cruxe.query.places import PlaceKind
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


Files = Sequence[FileEvidence]
# One of each file, between 0 and 1; none at all where a signal says nothing about this query.
Values = Sequence[float]


class Signal(NamedTuple):
    """One row of the table."""

    name: str
    weight: float  # points at full value
    values: "Callable[[Files, Scales], Values]"  # of all at once: one call a file takes longer
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
    ranks: Mapping[VersionKey, int]  # best first: place in the order of the best three chunks
    most: float  # points to be had
    mentions: "Mentions"  # by a word of a file's name: how far the query mentions it
    has_paths: bool  # the query names a path that there is
    dense: "DenseScales | None" = None


def measure_scales(analysis: QueryAnalysis, files: Files) -> Scales:
    """Find the best of each lexical channel; the table is that of lexical signals."""
    scored = [(each.chunks, each) for each in files if each.chunks]
    order = sorted(
        [
            (-_sum_of_best(chunks), each.place.path, each.version_key)
            for chunks, each in scored
            if chunks[0].score > 0
        ]
    )
    scales = Scales(
        analysis=analysis,
        table=LEXICAL_TABLE,
        best_chunk=max([chunks[0].score for chunks, _ in scored], default=0.0),
        best_defines=max([each.defines for each in files], default=0.0),
        best_head=max([each.head for each in files], default=0.0),
        ranks={key: rank for rank, (_, _, key) in enumerate(order)},
        most=0.0,
        mentions=Mentions(analysis.weights),
        has_paths=bool(analysis.paths) and any(each.path_match for each in files),
    )
    return with_table(scales, LEXICAL_TABLE)


def with_table(scales: Scales, table: SignalTable) -> Scales:
    """The same by another table, which paths join where the query names some that there are."""
    if scales.has_paths:
        table = SignalTable((*table.signals, PATH_SIGNAL))
    return scales._replace(table=table, most=table.most)


def _sum_of_best(chunks: list[LexicalHit]) -> float:
    if len(chunks) == 1:
        return chunks[0].score
    pairs = zip(_TOP_CHUNK_WEIGHTS, chunks, strict=False)
    return sum([weight * hit[0] for weight, hit in pairs])


def best_chunk(files: Files, scales: Scales) -> Values:
    """The best chunk's words, of those of the best chunk anywhere."""
    return _shares(
        [each.chunks[0].score if each.chunks else 0.0 for each in files], scales.best_chunk
    )


def _shares(values: list[float], best: float) -> Values:
    return [value / best for value in values] if best > 0 else ()


def _chunk_rank(files: Files, scales: Scales) -> Values:
    return rank_values(files, scales.ranks)


def rank_values(files: Files, ranks: Mapping[VersionKey, int]) -> Values:
    """What places in a channel's list are worth."""
    found = [ranks.get(each.version_key) for each in files]
    return [0.0 if rank is None else RANK_SCALE / (RANK_SCALE + rank) for rank in found]


def _defined_names(files: Files, scales: Scales) -> Values:
    return _shares([each.defines for each in files], scales.best_defines)


def _file_head(files: Files, scales: Scales) -> Values:
    return _shares([each.head for each in files], scales.best_head)


def _definition(files: Files, scales: Scales) -> Values:
    return [float(bool(each.definitions)) for each in files] if scales.analysis.names else ()


def _exact_match(files: Files, scales: Scales) -> Values:
    """The very name, where nothing else was asked."""
    if not scales.analysis.is_name:
        return ()
    asked = scales.analysis.bare_names
    return [
        max(
            [_kind_value(symbol) for symbol in each.definitions if symbol.name in asked],
            default=0.0,
        )
        for each in files
    ]


def _kind_value(symbol: StoredSymbol) -> float:
    return _KIND_VALUES.get(symbol.role, _OTHER_KIND_VALUE)


def _qualified_name(files: Files, scales: Scales) -> Values:
    names = scales.analysis.names
    if not names:
        return ()
    return [
        float(
            any(is_qualified_match(symbol, name) for symbol in each.definitions for name in names)
        )
        for each in files
    ]


def _path_affinity(files: Files, scales: Scales) -> Values:
    """The share of the file name's words that the query mentions."""
    mentioned = scales.mentions.__getitem__
    is_far = frozenset(scales.mentions.starts).isdisjoint
    return [
        0.0
        if is_far(place.name_starts)
        else sum(map(mentioned, place.name_terms)) / len(place.name_terms)
        for place in [each.place for each in files]
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


def _file_name(files: Files, scales: Scales) -> Values:
    """The file is called what was asked for."""
    if not scales.analysis.is_name:
        return ()
    asked = _folded_ends(scales.analysis.names)
    return [float(fold_name(stem_of_path(each.path)) in asked) for each in files]


def _folded_ends(names: tuple[str, ...]) -> frozenset[str]:
    """The last parts of names in one spelling."""
    return frozenset(fold_name(part) for name in names for part in split_name(name)[-1:])


def _path_match(files: Files, scales: Scales) -> Values:
    del scales
    return [each.path_match for each in files]


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
