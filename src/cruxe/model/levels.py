"""Closed choices that requests, settings and metadata share.

Only canonical values are ever written. Values of older versions are read by `read_indexing_status`
and by the configuration's normalisation.
"""

from collections.abc import Collection
from enum import StrEnum
from typing import Final, NamedTuple


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
    """How results are also grouped, beside their list."""

    FILE = "file"


class AnswerFormat(StrEnum):
    """How an answer is written."""

    JSON = "json"
    TEXT = "text"


class FreshnessPolicy(StrEnum):
    """What a query does about a stale index: refuse, answer and sync, or answer."""

    STRICT = "strict"
    BALANCED = "balanced"
    BEST_EFFORT = "best_effort"


class FreshnessStatus(StrEnum):
    """Whether the index equals the current working tree."""

    FRESH = "fresh"
    STALE = "stale"
    SYNCING = "syncing"


class FreshnessBasis(StrEnum):
    """What a freshness status is based on."""

    WATCHER = "watcher"  # no change was seen since the last comparison
    STAT = "stat"  # files were compared by their stamps
    HEAD = "head"  # commits were compared, but not all files


class Lacking(NamedTuple):
    """What of the working tree a stale index is known to lack."""

    files: int = 0  # changed and not indexed yet
    paths: tuple[str, ...] = ()  # the first of them, sorted
    unchecked: int = 0  # files that were not compared


NOTHING_LACKING: Final = Lacking()
# Paths that an answer names.
_MOST_NAMED: Final = 10


def lacking_paths(paths: Collection[str]) -> Lacking:
    """Return what an index lacks that some changed paths are not in."""
    return Lacking(files=len(paths), paths=tuple(sorted(paths)[:_MOST_NAMED]))


class IndexingStatus(StrEnum):
    """Whether there is a usable index."""

    NOT_INDEXED = "not_indexed"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"


class ResultCompleteness(StrEnum):
    """Whether an answer is complete."""

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
    """Read a stored status, canonical or legacy; return None for any other value."""
    legacy = _LEGACY_INDEXING_STATUS.get(text)
    if legacy is not None:
        return legacy
    return next((status for status in IndexingStatus if status == text), None)


class ContentMode(StrEnum):
    """The modes of seed 004, by precedence."""

    CODE = "code"
    EXTRACTED_PROSE = "extractedProse"  # comments and docstrings; not yet distinguished from code
    PROSE = "prose"
    RECORDS = "records"  # not yet ingested


# The prose entries of `parse/languages/`, repeated here because a query does not import them.
PROSE_LANGUAGES: Final = frozenset({"asciidoc", "markdown", "rst", "text"})


def mode_of(language: str) -> ContentMode:
    """Return the mode of files in a language."""
    return ContentMode.PROSE if language in PROSE_LANGUAGES else ContentMode.CODE
