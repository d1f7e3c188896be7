"""The metadata block: one builder for each state."""

import pytest

from cruxe.model.levels import SchemaStatus
from cruxe.respond.metadata import Metadata
from tests.requirements import requirement


@requirement("S001-METADATA-BUILDER")
@pytest.mark.parametrize(
    ("metadata", "values"),
    [
        (Metadata.ready("main", is_fresh=True), "fresh ready complete compatible"),
        (Metadata.ready("main", is_fresh=False), "stale ready complete compatible"),
        (Metadata.ready("main", is_fresh=True).cut(), "fresh ready truncated compatible"),
        (Metadata.not_indexed("main"), "stale not_indexed partial not_indexed"),
        (Metadata.syncing("main"), "syncing indexing partial compatible"),
        (Metadata.reindex_required("main"), "stale failed partial reindex_required"),
        (Metadata.corrupt_manifest("main"), "stale failed partial corrupt_manifest"),
    ],
)
def test_each_state_has_its_canonical_values(metadata: Metadata, values: str) -> None:
    freshness, indexing, completeness, schema = values.split()

    assert metadata.to_mapping() == {
        "codecompass_protocol_version": "1.0",
        "freshness_status": freshness,
        "indexing_status": indexing,
        "result_completeness": completeness,
        "ref": "main",
        "schema_status": schema,
    }


def test_every_status_of_a_store_has_its_metadata() -> None:
    assert {status: Metadata.of_schema("x", status) for status in SchemaStatus} == {
        SchemaStatus.COMPATIBLE: Metadata.ready("x", is_fresh=False),
        SchemaStatus.NOT_INDEXED: Metadata.not_indexed("x"),
        SchemaStatus.REINDEX_REQUIRED: Metadata.reindex_required("x"),
        SchemaStatus.CORRUPT_MANIFEST: Metadata.corrupt_manifest("x"),
    }
