"""What queries find: symbols as stored, hits, outlines and confidence."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.model.identity import VersionKey
from cruxe.model.symbols import split_name


class Provenance(StrEnum):
    """Which channels found a hit."""

    LEXICAL = "lexical"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


class StoredSymbol(NamedTuple):
    """A symbol as stored."""

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

    @property
    def is_renaming(self) -> bool:
        """Whether it only says where something of its name is: `const Ast = std.zig.Ast`."""
        _, equals, named = self.signature.partition("=")
        path = split_name(named.strip(" ;")) if equals else []
        return len(path) > 1 and path[-1] == self.name


class OutlineRow(NamedTuple):
    """A symbol of `symbol_relations` with the columns that an outline needs."""

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
    """How the name of a definition matches the requested one, best first."""

    EXACT = "exact"  # the name, or the whole qualified name, as written
    QUALIFIED = "qualified"  # the end of the qualified name, as written
    CASE_INSENSITIVE = "case_insensitive"  # apart from case and underscores
    SUB_WORD = "sub_word"  # contains all requested words
    FUZZY = "fuzzy"  # within one or two typing errors


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
    """A region that answers a query: a definition with its lines, or a chunk without a name."""

    version_key: VersionKey
    path: str
    language: str
    line_start: int
    line_end: int
    symbol: StoredSymbol | None
    chunk: int | None  # that it was found by; None for a definition that was found by name
    score: float  # 0 to 1: the sum of the contributions
    contributions: Sequence[Contribution]
    match: MatchTier | None = None  # set for a definition that was requested by name
    provenance: Provenance = Provenance.LEXICAL
    around: StoredSymbol | None = None  # the definition with most lines of a chunk without a name

    def showing(self, symbol: StoredSymbol) -> "SearchHit":
        """Return the hit with a definition, and its lines, as its region."""
        first, last = symbol.line_start, symbol.line_end
        return self._replace(line_start=first, line_end=last, symbol=symbol)


class LocateOutcome(NamedTuple):
    """The definitions found, best first, and the counts of all candidates."""

    hits: list[SearchHit]
    counts: dict[MatchTier, int]  # definitions of each tier, best tier first; on all pages
    filtered_out: dict[str, int]  # how many each filter alone excludes
    suppressed: int  # duplicates of the same name at the same location
    next_offset: int | None = None  # of the first definition on the next page, if any

    @property
    def total(self) -> int:
        """Number of definitions found, shown or not."""
        return sum(self.counts.values())


class Confidence(NamedTuple):
    """The figures of seed 003 and the combined value."""

    value: float
    top_score: float
    score_margin: float
    channel_agreement: float
    term_coverage: float


PARTS: Final = 1_000_000
DIGITS: Final = 6
# A product further than this from a whole number counts as halfway, within float precision.
NEARLY_HALF: Final = 0.499999


def rounded(value: float) -> float:
    """Return `round(value, 6)` in a third of the time; a query rounds thousands of values.

    Values halfway between two results go through `round`, because the product may be inexact there.
    """
    product = value * PARTS
    whole = round(product)
    return whole / PARTS if abs(product - whole) < NEARLY_HALF else round(value, DIGITS)
