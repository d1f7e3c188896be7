"""What questions come to beside ranked hits: matches of text, readings, reasons for emptiness."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from cruxe.model.filters import NO_FILTERS, Filters
from cruxe.model.hits import SearchHit, StoredSymbol


class EmptyReason(StrEnum):
    """Why a search found nothing."""

    INDEXING = "indexing"  # the first index is still being written
    STALE = "stale"  # what was found is gone, or the index is behind the files
    FILTERED_OUT = "filtered_out"  # filters take everything away
    LANGUAGE_NOT_PARSED = "language_not_parsed"  # the request needs more than is read of a language
    NO_MATCH = "no_match"  # nothing holds the words
    CONFIRMED_ABSENT = "confirmed_absent"  # the one text asked for is in no file
    NOT_PROVEN = "not_proven"  # the time was up before that was certain


class UnrankedReason(StrEnum):
    """Why a line of a file is in no candidate."""

    NOT_INDEXED = "not_indexed"  # the file is known, but left out of the index
    FILTERED_OUT = "filtered_out"  # a filter of the request leaves it out
    NOT_DEMANDED = "not_demanded"  # quotes, minus or AND, OR, NOT leave it out
    NO_TERM = "no_term"  # the file holds no word of the query
    OTHER_REGION = "other_region"  # the file is a candidate by other lines
    BELOW_CUTOFF = "below_cutoff"  # so many others hold the words better that it was not looked at


class RankedRegion(NamedTuple):
    """Lines of the file that are a candidate, and their place among all, from one."""

    line_start: int
    line_end: int
    place: int


class Unranked(NamedTuple):
    """Why a line is in no candidate, with what is known about it."""

    reason: UnrankedReason
    skip_reason: str | None = None
    filters: tuple[str, ...] = ()  # that leave the line out
    regions: tuple[RankedRegion, ...] = ()  # of the same file, best first
    terms: tuple[str, ...] = ()  # of the query, as the index holds them
    held_terms: tuple[str, ...] = ()  # of them, those in the file


class Rival(NamedTuple):
    """A hit before the one asked about, and its place in the list, from one."""

    rank: int
    hit: SearchHit


class Standing(NamedTuple):
    """What can be said of a line and a query; a hit, or why there is none."""

    path: str
    line: int
    total: int  # candidates
    is_changed: bool  # a file is not what was indexed
    hit: SearchHit | None = None
    place: int = 0  # among all candidates, from one
    rank: int | None = None  # in the list as it is shown; absent for a copy, or far down
    duplicate_of: str = ""  # `path:line` of the hit that it is told with
    rivals: tuple[Rival, ...] = ()
    unranked: Unranked | None = None


class PathPlace(NamedTuple):
    """A place as `path`, `path:line` or `path:first-last` names it; lines count from one."""

    path: str
    first: int | None = None  # absent: the whole file
    last: int | None = None  # absent: whatever is around the first line


class Budget(NamedTuple):
    """How much source an answer may hold."""

    max_tokens: int  # of the source
    max_bytes: int  # of the source
    max_answer_bytes: int


class Reading(NamedTuple):
    """A symbol or region with its text."""

    path: str
    language: str
    line_start: int
    line_end: int
    lines: list[str]  # without secrets
    symbol: StoredSymbol | None = None
    symbol_id: str = ""  # empty for a symbol that is not in the index yet
    parent: StoredSymbol | None = None
    match: str = ""  # how a name was found


class CaseRule(StrEnum):
    """Whether letters of different case are the same; smart: unless a capital is written."""

    SMART = "smart"
    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"


class TextSpec(NamedTuple):
    """What to look for, and where."""

    pattern: str
    is_regex: bool = False
    case: CaseRule = CaseRule.SMART
    filters: Filters = NO_FILTERS
    limit: int | None = 50  # absent: all
    offset: int = 0
    context_lines: int = 0


class LineMatch(NamedTuple):
    """A line that holds the pattern; lines and columns count from one, columns in characters."""

    path: str
    line: int
    column: int
    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Searched(NamedTuple):
    """What a search was over."""

    files: int  # text files, whether the index ruled them out or they were read
    changed_files: int  # of them, files that may not be what the index holds
    skipped: dict[str, int]  # files left out, by reason


class AbsenceVerdict(StrEnum):
    """Whether a text occurs in a ref."""

    PRESENT = "present"
    CONFIRMED_ABSENT = "confirmed_absent"
    NOT_PROVEN = "not_proven"  # the time was up


class Absence(NamedTuple):
    """What is known of a text's occurrence, in any case, and what was looked at."""

    verdict: AbsenceVerdict
    searched: Searched


class TextOutcome(NamedTuple):
    """The part of the list that was asked for, by path and line, and the counts of all."""

    matches: list[LineMatch]
    total: int  # lines that hold the pattern
    file_count: int
    filtered_out: int  # lines in files that the filters leave out; counted where nothing is left
    searched: Searched
    is_complete: bool  # whether there was time to look at everything
    case: CaseRule  # as it was applied: sensitive or insensitive


class Emptiness(NamedTuple):
    """Why there is nothing."""

    reason: EmptyReason
    filtered_out: Mapping[str, int] = {}  # what each filter alone takes away
    languages: tuple[str, ...] = ()  # that are not parsed
    literal: str = ""  # the one text that was asked for
    absence: Absence | None = None  # what was looked at for it
