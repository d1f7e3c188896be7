"""What questions find: symbols as the store holds them, and the outcomes of the queries."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.model.identity import VersionKey


class Provenance(StrEnum):
    """Which channels found a hit."""

    LEXICAL = "lexical"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


class StoredSymbol(NamedTuple):
    """A symbol as the store holds it."""

    version_key: VersionKey
    ordinal: int
    path: str
    language: str
    name: str
    qualified_name: str
    kind: str
    role: str
    visibility: str
    parent: int | None
    line_start: int
    line_end: int
    name_line: int
    signature: str
    doc: str
    stable_id: str


class OutlineRow(NamedTuple):
    """A symbol of `symbol_relations`, as an outline needs it."""

    symbol_id: str
    symbol_stable_id: str
    parent_symbol_id: str | None
    name: str
    qualified_name: str
    kind: str
    language: str
    line_start: int
    line_end: int
    signature: str
    visibility: str


class MatchTier(StrEnum):
    """How a definition's name answers the one asked for, best first."""

    EXACT = "exact"  # the name, or the whole qualified name, as written
    QUALIFIED = "qualified"  # the end of the qualified name, as written
    CASE_INSENSITIVE = "case_insensitive"  # but for case and underscores, which are spelling
    SUB_WORD = "sub_word"  # all words that were asked for are among those of the name
    FUZZY = "fuzzy"  # but for a typing error or two


class OutlineNode(NamedTuple):
    """A symbol with the symbols inside it, in file order."""

    row: OutlineRow
    children: list["OutlineNode"]


class OutlineOutcome(NamedTuple):
    """A file's outline."""

    path: str
    language: str | None
    skip_reason: str | None  # the file is known, but its content is not indexed
    roots: list[OutlineNode]
    symbol_count: int


class Contribution(NamedTuple):
    """What one signal adds to a score."""

    signal: str
    raw: float  # as found, in points
    clamped: float  # within the signal's budget
    effective: float  # on the scale of the score


class SearchHit(NamedTuple):
    """A region that answers a query: a definition, or a part of a file."""

    version_key: VersionKey
    path: str
    language: str
    line_start: int
    line_end: int
    symbol: StoredSymbol | None
    chunk: int | None  # absent for a definition that was found by name
    score: float  # 0 to 1: the sum of the contributions
    contributions: Sequence[Contribution]
    match: MatchTier | None = None  # of a definition that was asked for by name
    provenance: Provenance = Provenance.LEXICAL

    def showing(self, symbol: StoredSymbol) -> "SearchHit":
        """The same, of which only a definition in it is shown."""
        first, last = symbol.line_start, symbol.line_end
        return self._replace(line_start=first, line_end=last, symbol=symbol)


class LocateOutcome(NamedTuple):
    """The definitions found, best first, and what they were chosen from."""

    hits: list[SearchHit]
    counts: dict[MatchTier, int]  # definitions of each tier, best tier first; on all pages
    filtered_out: dict[str, int]  # how many each filter alone takes away
    suppressed: int  # that stand where another of the same name does
    next_offset: int | None = None  # of the first definition after these, where there is one

    @property
    def total(self) -> int:
        """Definitions found, shown or not."""
        return sum(self.counts.values())


class Confidence(NamedTuple):
    """The figures of seed 003, and the value that they come to."""

    value: float
    top_score: float
    score_margin: float
    channel_agreement: float
    term_coverage: float


PARTS: Final = 1_000_000
DIGITS: Final = 6
# What is further than this from both its neighbours is halfway, as far as a product can tell.
NEARLY_HALF: Final = 0.499999


def rounded(value: float) -> float:
    """The same as `round(value, 6)`, in a third of the time: a question rounds thousands.

    What is halfway between two figures is rounded by its digits: there a product may be off.
    """
    product = value * PARTS
    whole = round(product)
    return whole / PARTS if abs(product - whole) < NEARLY_HALF else round(value, DIGITS)


def sum_of_parts(values: Iterable[float]) -> int:
    """The sum of rounded figures in millionths: whole numbers, which add up exactly."""
    total = 0
    for value in values:
        product = value * PARTS
        whole = round(product)
        is_sure = abs(product - whole) < NEARLY_HALF
        total += whole if is_sure else round(round(value, DIGITS) * PARTS)
    return total
