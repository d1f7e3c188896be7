"""What requests ask for, resolved: specs with defaults filled in, and the table of filters.

Nothing depends on the wire. Specs are constructed with keywords only. A cursor contains a digest of
its spec's `repr`.

A new filter is a row of `FILTERS` plus the field that it tests: an attribute of the filtered object
and, for an exact filter on files, a field of the same name in the lexical index.
`tests/contract/test_filters.py` checks tool schemas and command options against the table.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.model.levels import DetailLevel, GroupBy, RankingExplainLevel

MAX_LIMIT: Final = 100  # results in one answer
MAX_TOKENS: Final = 200_000  # budget of one answer


class MatchRule(StrEnum):
    """How a value matches a filter."""

    EXACT = "exact"
    PATH = "path"  # a glob, or a part of the path in any case


class Filter(NamedTuple):
    """One filter."""

    name: str  # on the wire, in the Python API and in `filtered_out`
    options: tuple[str, ...]  # on the command line
    tools: tuple[str, ...]  # that take it
    rule: MatchRule
    field: str  # the attribute of a file or symbol that it tests
    is_on_symbols: bool  # else on files
    label: str  # in a sentence that explains an exclusion
    read: Callable[[str], str]  # parses the given value to the canonical one; may raise


def _as_given(value: str) -> str:
    return value


def _read_kind(value: str) -> str:
    # Imported on demand: defining the kinds costs more than answering most requests.
    from cruxe.model.choices import read_choice
    from cruxe.model.symbols import SymbolKind

    return read_choice("kind", value, SymbolKind)


def _read_role(value: str) -> str:
    from cruxe.model.choices import read_choice
    from cruxe.model.symbols import SymbolRole

    return read_choice("role", value, SymbolRole)


FILTERS: Final = (
    Filter(
        name="language",
        options=("--language", "--lang"),
        tools=(
            *("search_code", "locate_symbol", "search_text", "explain_ranking"),
            "get_file_outline",
        ),
        rule=MatchRule.EXACT,
        field="language",
        is_on_symbols=False,
        label="language",
        read=_as_given,
    ),
    Filter(
        name="kind",
        options=("--kind",),
        tools=("search_code", "locate_symbol", "explain_ranking"),
        rule=MatchRule.EXACT,
        field="kind",
        is_on_symbols=True,
        label="kind",
        read=_read_kind,
    ),
    Filter(
        name="role",
        options=("--role",),
        tools=("search_code", "locate_symbol", "explain_ranking"),
        rule=MatchRule.EXACT,
        field="role",
        is_on_symbols=True,
        label="role",
        read=_read_role,
    ),
    Filter(
        name="path",
        options=("--path",),
        tools=("search_code", "search_text", "explain_ranking"),
        rule=MatchRule.PATH,
        field="path",
        is_on_symbols=False,
        label="path",
        read=_as_given,
    ),
)
FILTERS_BY_NAME: Final = {each.name: each for each in FILTERS}


class Filters(NamedTuple):
    """The filters of one request; falsy if there are none."""

    values: tuple[tuple[str, str], ...] = ()  # canonical, by name, in the order of the table

    def __bool__(self) -> bool:
        """Return whether anything is filtered."""
        return bool(self.values)

    def get(self, name: str) -> str | None:
        """Return the value of a filter, or None if it is not given."""
        return next((value for own, value in self.values if own == name), None)

    def rows(self) -> Iterator[tuple[Filter, str]]:
        """Yield the table rows of the given filters with their values."""
        for name, value in self.values:
            yield FILTERS_BY_NAME[name], value

    @property
    def on_files(self) -> "Filters":
        """The filters on files."""
        return Filters(tuple((row.name, value) for row, value in self.rows() if _is_on_file(row)))

    @property
    def on_symbols(self) -> "Filters":
        """The filters on symbols."""
        return Filters(tuple((row.name, value) for row, value in self.rows() if row.is_on_symbols))

    @property
    def alone(self) -> "dict[str, Filters]":
        """Each filter by itself, by name."""
        return {name: Filters(((name, value),)) for name, value in self.values}


def _is_on_file(row: Filter) -> bool:
    return not row.is_on_symbols


NO_FILTERS: Final = Filters()


def read_filters(**given: str | None) -> Filters:
    """Read the filters of a request by their names; raise if a value is not a choice."""
    named = {name: value for name, value in given.items() if value is not None}
    if not named:
        return NO_FILTERS
    return Filters(
        tuple((row.name, row.read(named[row.name])) for row in FILTERS if row.name in named)
    )


class FusionMethod(StrEnum):
    """How the scores of channels become one score."""

    SUM = "sum"  # the fitted table: scores and ranks together
    RRF = "rrf"  # each channel by reciprocal ranks only
    BLEND = "score_blend"  # each channel by its scaled scores only, weighted by kind


class FieldShares(NamedTuple):
    """What the signals of each field of a file count for, in proportion to their weights."""

    name: float = 1.0
    doc: float = 1.0
    body: float = 1.0
    path: float = 1.0


class Fusion(NamedTuple):
    """A fusion method and its parameters."""

    method: FusionMethod = FusionMethod.SUM
    k: int = 60
    sparse_weight: float = 1.0
    dense_weight: float = 1.0
    fields: FieldShares = FieldShares()

    @property
    def is_usual(self) -> bool:
        """Whether scores are the fitted sum, without changes."""
        return self.method is FusionMethod.SUM and self.fields == FieldShares()


class LocateSpec(NamedTuple):
    """Which definitions to find."""

    name: str
    filters: Filters = NO_FILTERS
    limit: int = 10
    offset: int = 0


class OutlineSpec(NamedTuple):
    """Which file to outline."""

    path: str
    filters: Filters = NO_FILTERS
    top_only: bool = False


class SearchSpec(NamedTuple):
    """What to search for, independent of how the answer is written."""

    query: str
    limit: int = 10
    offset: int = 0
    filters: Filters = NO_FILTERS
    semantic_ratio: float | None = None  # a cap; None: as in the settings
    fusion: Fusion = Fusion()

    @property
    def is_blank(self) -> bool:
        """Whether there are no words: then everything that passes the filters is listed."""
        return not self.query.strip()


class ResponseSpec(NamedTuple):
    """How the answer is written."""

    detail: DetailLevel = DetailLevel.SIGNATURE
    is_compact: bool = False
    explain: RankingExplainLevel = RankingExplainLevel.OFF
    max_bytes: int = 65_536
    group_by: GroupBy | None = None

    @property
    def has_context(self) -> bool:
        """Whether results show their text and the symbols around them."""
        return self.detail is DetailLevel.CONTEXT and not self.is_compact
