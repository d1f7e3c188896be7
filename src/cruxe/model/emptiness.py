"""An answer with nothing in it: why that is so, and what is known about it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from cruxe.model.text_matches import Absence


class EmptyReason(StrEnum):
    """Why a search found nothing."""

    INDEXING = "indexing"  # the first index is still being written
    STALE = "stale"  # what was found is gone, or the index is behind the files
    FILTERED_OUT = "filtered_out"  # filters take everything away
    LANGUAGE_NOT_PARSED = "language_not_parsed"  # the request needs more than is read of a language
    NO_MATCH = "no_match"  # nothing holds the words
    CONFIRMED_ABSENT = "confirmed_absent"  # the one text asked for is in no file
    NOT_PROVEN = "not_proven"  # the time was up before that was certain


class Emptiness(NamedTuple):
    """Why there is nothing."""

    reason: EmptyReason
    filtered_out: Mapping[str, int] = {}  # what each filter alone takes away
    languages: tuple[str, ...] = ()  # that are not parsed
    literal: str = ""  # the one text that was asked for
    absence: Absence | None = None  # what was looked at for it
