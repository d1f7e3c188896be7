"""Outcomes other than ranked hits: text matches, readings, explanations, empty reasons."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.model.specs import NO_FILTERS, Filters


class EmptyReason(StrEnum):
    """Why a list is empty."""

    NOT_INDEXED = "not_indexed"  # the content of the file, or of any ref, is not in the index
    INDEXING = "indexing"  # the first index is still being written
    STALE = "stale"  # the hits are gone, or the index is behind the files
    FILTERED_OUT = "filtered_out"  # the filters exclude everything
    LANGUAGE_NOT_PARSED = "language_not_parsed"  # the request needs more than the parser extracts
    NO_MATCH = "no_match"  # nothing contains the terms
    CONFIRMED_ABSENT = "confirmed_absent"  # the requested text is in no file
    NOT_PROVEN = "not_proven"  # the deadline passed first


class UnrankedReason(StrEnum):
    """Why a line is in no candidate region."""

    NOT_INDEXED = "not_indexed"  # the file is known but skipped
    FILTERED_OUT = "filtered_out"  # a filter of the request excludes it
    NOT_DEMANDED = "not_demanded"  # quotes, minus or AND, OR, NOT exclude it
    NO_TERM = "no_term"  # the file contains no term of the query
    OTHER_REGION = "other_region"  # other lines of the file are a candidate
    BELOW_CUTOFF = "below_cutoff"  # too many others match better, so it was not examined


class RankedRegion(NamedTuple):
    """A candidate region of the file and its 1-based rank among all candidates."""

    line_start: int
    line_end: int
    place: int


class Unranked(NamedTuple):
    """Why a line is in no candidate region, with details."""

    reason: UnrankedReason
    skip_reason: str | None = None
    filters: tuple[str, ...] = ()  # that exclude the line
    regions: tuple[RankedRegion, ...] = ()  # of the same file, best first
    terms: tuple[str, ...] = ()  # of the query, as the index holds them
    held_terms: tuple[str, ...] = ()  # those of them that are in the file


class Rival(NamedTuple):
    """A hit that ranks before the explained one, with its 1-based rank."""

    rank: int
    hit: SearchHit


class Standing(NamedTuple):
    """The rank of a line for a query: a hit, or why there is none."""

    path: str
    line: int
    total: int  # candidates
    is_changed: bool  # a file differs from what was indexed
    hit: SearchHit | None = None
    place: int = 0  # 1-based rank among all candidates
    rank: int | None = None  # in the list as shown; None for a duplicate or beyond the depth
    duplicate_of: str = ""  # `path:line` of the hit that is shown instead
    rivals: tuple[Rival, ...] = ()
    unranked: Unranked | None = None


class PathPlace(NamedTuple):
    """A location given as `path`, `path:line` or `path:first-last`; lines are 1-based."""

    path: str
    first: int | None = None  # None: the whole file
    last: int | None = None  # None: the symbol or lines around the first line


class Budget(NamedTuple):
    """How much source an answer may contain."""

    max_tokens: int  # of the source
    max_bytes: int  # of the source
    max_answer_bytes: int


class Reading(NamedTuple):
    """A symbol or region with its text."""

    path: str
    language: str
    line_start: int
    line_end: int
    lines: list[str]  # with secrets redacted
    symbol: StoredSymbol | None = None
    symbol_id: str = ""  # empty for a symbol that is not indexed yet
    parent: StoredSymbol | None = None
    match: str = ""  # how the name matched
    passed_over: tuple[str, ...] = ()  # place, kind and qualified name of others of the name


class CaseRule(StrEnum):
    """Whether case matters; smart: only if the pattern has a capital."""

    SMART = "smart"
    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"


class TextSpec(NamedTuple):
    """What to search for, and where."""

    pattern: str
    is_regex: bool = False
    case: CaseRule = CaseRule.SMART
    filters: Filters = NO_FILTERS
    limit: int | None = 50  # None: all
    offset: int = 0
    context_lines: int = 0


class FileMatches(NamedTuple):
    """The lines of a file that match the pattern, as columns: there may be a hundred thousand."""

    path: str
    numbers: list[int]  # of the lines, 1-based
    columns: list[int]  # of the matches, 1-based, in characters
    texts: list[str]
    context: "list[LineContext] | None" = None  # if it was asked for


class LineContext(NamedTuple):
    """The lines around a line."""

    before: list[str]
    after: list[str]


class UnsearchedReason(StrEnum):
    """Why a text was not searched though it could be read; beside `SkipReason`."""

    TIME_UP = "time_up"  # the deadline passed first
    TOO_COSTLY = "too_costly"  # a large expression on a very long line


class Searched(NamedTuple):
    """What a search covered."""

    files: int  # text files, read or ruled out by the index
    changed_files: int  # those of them that may differ from the index
    skipped: dict[str, int]  # excluded files by reason; as `redacted` excluded secrets


class AbsenceVerdict(StrEnum):
    """Whether a text occurs in a ref."""

    PRESENT = "present"
    CONFIRMED_ABSENT = "confirmed_absent"
    NOT_PROVEN = "not_proven"  # the deadline passed


class Absence(NamedTuple):
    """Whether a text occurs in any case, and what was searched."""

    verdict: AbsenceVerdict
    searched: Searched


class TextOutcome(NamedTuple):
    """One page of matches, by path and line, and the counts of all matches."""

    matches: list[FileMatches]
    total: int  # matching lines
    file_count: int
    filtered_out: int  # matching lines in files that the filters exclude; 0 if `total` is not
    searched: Searched
    is_complete: bool  # False if the deadline passed
    case: CaseRule  # as applied: sensitive or insensitive


class Emptiness(NamedTuple):
    """Why an answer is empty."""

    reason: EmptyReason
    filtered_out: Mapping[str, int] = {}  # what each filter alone excludes
    languages: tuple[str, ...] = ()  # that are not parsed
    literal: str = ""  # the requested text
    absence: Absence | None = None  # the proof for it
