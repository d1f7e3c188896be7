"""Where one region stands among all that answers a query, and what stands before it."""

from enum import StrEnum
from typing import NamedTuple

from cruxe.model.hits import SearchHit


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
