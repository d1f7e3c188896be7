"""The metadata block of every answer: one constructor per state, tools add only their delta."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.levels import (
    NOTHING_LACKING,
    FreshnessBasis,
    FreshnessStatus,
    IndexingStatus,
    Lacking,
    ResultCompleteness,
    SchemaStatus,
)

if TYPE_CHECKING:
    from cruxe.contract.result_parts import MetadataBlock, PendingChanges, ScannedFiles

PROTOCOL_VERSION: Final = "1.0"
# `SemanticSkip.VECTORS_MISSING`. Its module is not imported by queries without vectors.
_VECTORS_MISSING: Final = "vectors_not_ready"
_VECTORS_DAMAGED: Final = "vectors_damaged"


class Metadata(NamedTuple):
    """The fields that every answer has."""

    ref: str
    freshness_status: FreshnessStatus
    indexing_status: IndexingStatus
    result_completeness: ResultCompleteness
    schema_status: SchemaStatus
    freshness_basis: FreshnessBasis | None = None  # set where it can vary
    lacking: Lacking = NOTHING_LACKING

    @classmethod
    def ready(cls, ref: str, *, is_fresh: bool, basis: FreshnessBasis | None = None) -> "Metadata":
        """Describe a usable index."""
        return cls(
            ref,
            FreshnessStatus.FRESH if is_fresh else FreshnessStatus.STALE,
            IndexingStatus.READY,
            ResultCompleteness.COMPLETE,
            SchemaStatus.COMPATIBLE,
            basis,
        )

    @classmethod
    def not_indexed(cls, ref: str) -> "Metadata":
        """Describe a ref without an index."""
        return cls(
            ref,
            FreshnessStatus.STALE,
            IndexingStatus.NOT_INDEXED,
            ResultCompleteness.PARTIAL,
            SchemaStatus.NOT_INDEXED,
        )

    @classmethod
    def syncing(cls, ref: str) -> "Metadata":
        """Describe an index that is being written."""
        return cls(
            ref,
            FreshnessStatus.SYNCING,
            IndexingStatus.INDEXING,
            ResultCompleteness.PARTIAL,
            SchemaStatus.COMPATIBLE,
        )

    @classmethod
    def reindex_required(cls, ref: str) -> "Metadata":
        """Describe an index of another schema version."""
        return cls._unusable(ref, SchemaStatus.REINDEX_REQUIRED)

    @classmethod
    def corrupt_manifest(cls, ref: str) -> "Metadata":
        """Describe a damaged index."""
        return cls._unusable(ref, SchemaStatus.CORRUPT_MANIFEST)

    @classmethod
    def of_schema(cls, ref: str, status: SchemaStatus) -> "Metadata":
        """Describe a store that could not be opened normally."""
        if status is SchemaStatus.NOT_INDEXED:
            return cls.not_indexed(ref)
        if status is SchemaStatus.COMPATIBLE:
            return cls.ready(ref, is_fresh=False)
        return cls._unusable(ref, status)

    @classmethod
    def _unusable(cls, ref: str, status: SchemaStatus) -> "Metadata":
        return cls(
            ref,
            FreshnessStatus.STALE,
            IndexingStatus.FAILED,
            ResultCompleteness.PARTIAL,
            status,
        )

    def cut(self) -> "Metadata":
        """Return the metadata of an answer that was truncated."""
        return self._replace(result_completeness=ResultCompleteness.TRUNCATED)

    def to_mapping(self) -> "MetadataBlock":
        """Return the block as sent."""
        block: MetadataBlock = {
            "codecompass_protocol_version": PROTOCOL_VERSION,
            "freshness_status": self.freshness_status,
            "indexing_status": self.indexing_status,
            "result_completeness": self.result_completeness,
            "ref": self.ref,
            "schema_status": self.schema_status,
        }
        if self.freshness_basis is not None:
            block["freshness_basis"] = self.freshness_basis
        if self.lacking != NOTHING_LACKING:
            block["pending_changes"] = _pending_changes(self.lacking)
        return block


def _pending_changes(lacking: Lacking) -> "PendingChanges":
    changes: PendingChanges = {}
    if lacking.files:
        changes["files"] = lacking.files
        changes["paths"] = [*lacking.paths]
    if lacking.unchecked:
        changes["unchecked_files"] = lacking.unchecked
    return changes


def mark_provisional(block: "MetadataBlock", ref: str, scanned: "ScannedFiles") -> None:
    """Mark an answer as provisional: from a scan of some files, before the first index exists."""
    block.update(Metadata.syncing(ref).to_mapping())
    block["answered_from"] = "scan"
    block["scanned"] = scanned


def lacks_vectors(answer: Mapping[str, object]) -> bool:
    """Return whether an answer was made without vectors that a sync would add."""
    match answer:
        case {"metadata": {"semantic_skipped_reason": str(reason)}}:
            return reason in (_VECTORS_MISSING, _VECTORS_DAMAGED)
        case _:
            return False
