"""The metadata block of every answer: one builder a state, handlers add only their delta."""

from collections.abc import Mapping
from typing import Final, NamedTuple, cast

from cruxe.model.levels import (
    FreshnessBasis,
    FreshnessStatus,
    IndexingStatus,
    ResultCompleteness,
    SchemaStatus,
)

PROTOCOL_VERSION: Final = "1.0"
# `SemanticSkip.VECTORS_MISSING`, whose module a question without vectors does not import.
_VECTORS_MISSING: Final = "vectors_not_ready"


class Metadata(NamedTuple):
    """The keys that every answer carries."""

    ref: str
    freshness_status: FreshnessStatus
    indexing_status: IndexingStatus
    result_completeness: ResultCompleteness
    schema_status: SchemaStatus
    freshness_basis: FreshnessBasis | None = None  # told where it can differ

    @classmethod
    def ready(cls, ref: str, *, is_fresh: bool, basis: FreshnessBasis | None = None) -> "Metadata":
        """A usable index."""
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
        """No index yet."""
        return cls(
            ref,
            FreshnessStatus.STALE,
            IndexingStatus.NOT_INDEXED,
            ResultCompleteness.PARTIAL,
            SchemaStatus.NOT_INDEXED,
        )

    @classmethod
    def syncing(cls, ref: str) -> "Metadata":
        """An index that is being written."""
        return cls(
            ref,
            FreshnessStatus.SYNCING,
            IndexingStatus.INDEXING,
            ResultCompleteness.PARTIAL,
            SchemaStatus.COMPATIBLE,
        )

    @classmethod
    def reindex_required(cls, ref: str) -> "Metadata":
        """An index of another version."""
        return cls._unusable(ref, SchemaStatus.REINDEX_REQUIRED)

    @classmethod
    def corrupt_manifest(cls, ref: str) -> "Metadata":
        """An index that is damaged."""
        return cls._unusable(ref, SchemaStatus.CORRUPT_MANIFEST)

    @classmethod
    def of_schema(cls, ref: str, status: SchemaStatus) -> "Metadata":
        """The metadata of a store that could not be opened as usual."""
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
        """The same for an answer that leaves something out."""
        return self._replace(result_completeness=ResultCompleteness.TRUNCATED)

    def to_mapping(self) -> dict[str, object]:
        """The block as it is sent."""
        block: dict[str, object] = {
            "codecompass_protocol_version": PROTOCOL_VERSION,
            "freshness_status": self.freshness_status.value,
            "indexing_status": self.indexing_status.value,
            "result_completeness": self.result_completeness.value,
            "ref": self.ref,
            "schema_status": self.schema_status.value,
        }
        if self.freshness_basis is not None:
            block["freshness_basis"] = self.freshness_basis.value
        return block


def lacks_vectors(answer: Mapping[str, object]) -> bool:
    """Whether an answer had to do without vectors that a sync would bring."""
    metadata = cast("Mapping[str, object]", answer["metadata"])
    return metadata.get("semantic_skipped_reason") == _VECTORS_MISSING
