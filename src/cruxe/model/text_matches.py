"""Searching for text: what is looked for, the lines that hold it, and how far the search went."""

from enum import StrEnum
from typing import NamedTuple

from cruxe.model.filters import NO_FILTERS, Filters


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
