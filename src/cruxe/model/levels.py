"""Closed choices that requests, settings and metadata share.

Only canonical values are ever written. Values of older versions are read by `read_indexing_status`
and by the configuration's normalisation.
"""

from enum import StrEnum
from typing import Final


class RankingExplainLevel(StrEnum):
    """How much of the score an answer explains."""

    OFF = "off"
    BASIC = "basic"
    FULL = "full"


class DetailLevel(StrEnum):
    """How much of each result an answer shows."""

    LOCATION = "location"
    SIGNATURE = "signature"
    CONTEXT = "context"


class GroupBy(StrEnum):
    """What results are put together by, beside their list."""

    FILE = "file"


class FreshnessPolicy(StrEnum):
    """What a query does about a stale index: refuse, answer and sync, or answer."""

    STRICT = "strict"
    BALANCED = "balanced"
    BEST_EFFORT = "best_effort"


class FreshnessStatus(StrEnum):
    """Whether the index holds the working tree as it is."""

    FRESH = "fresh"
    STALE = "stale"
    SYNCING = "syncing"


class FreshnessBasis(StrEnum):
    """What a statement about freshness rests on."""

    WATCHER = "watcher"  # no change was seen since the last comparison
    STAT = "stat"  # files were compared by their stamps
    HEAD = "head"  # commits were compared, and of the files not all


class IndexingStatus(StrEnum):
    """Whether there is an index to answer from."""

    NOT_INDEXED = "not_indexed"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"


class ResultCompleteness(StrEnum):
    """Whether an answer holds all there is to say."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    TRUNCATED = "truncated"


class SchemaStatus(StrEnum):
    """Whether this version can read the index on disk."""

    COMPATIBLE = "compatible"
    NOT_INDEXED = "not_indexed"
    REINDEX_REQUIRED = "reindex_required"
    CORRUPT_MANIFEST = "corrupt_manifest"


class SemanticMode(StrEnum):
    """What vectors and rerankers may do for a query."""

    OFF = "off"
    RERANK_ONLY = "rerank_only"
    HYBRID = "hybrid"


_LEGACY_INDEXING_STATUS: Final = {
    "idle": IndexingStatus.READY,
    "partial_available": IndexingStatus.READY,
}


def read_indexing_status(text: str) -> IndexingStatus | None:
    """Read a stored status, canonical or of an older version; nothing where it is neither."""
    legacy = _LEGACY_INDEXING_STATUS.get(text)
    if legacy is not None:
        return legacy
    return next((status for status in IndexingStatus if status == text), None)


class ContentMode(StrEnum):
    """The modes of seed 004, in their precedence."""

    CODE = "code"
    EXTRACTED_PROSE = "extractedProse"  # comments, docstrings: told apart from code by nothing yet
    PROSE = "prose"
    RECORDS = "records"  # none is taken in yet


# The entries of `parse/languages/` that call themselves prose: a question does not import them all.
PROSE_LANGUAGES: Final = frozenset({"asciidoc", "markdown", "rst", "text"})


def mode_of(language: str) -> ContentMode:
    """The mode of a file in a language."""
    return ContentMode.PROSE if language in PROSE_LANGUAGES else ContentMode.CODE
