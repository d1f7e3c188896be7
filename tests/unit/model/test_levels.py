"""Values of older versions are read, and only canonical ones are known."""

import pytest

from cruxe.model.levels import IndexingStatus, read_indexing_status
from tests.requirements import requirement


@pytest.mark.parametrize("status", list(IndexingStatus))
def test_a_canonical_status_is_read_as_itself(status: IndexingStatus) -> None:
    assert read_indexing_status(str(status)) is status


@requirement("S001-LEGACY-READ")
@pytest.mark.parametrize("legacy", ["idle", "partial_available"])
def test_a_legacy_status_is_read_as_ready_and_never_written(legacy: str) -> None:
    assert read_indexing_status(legacy) is IndexingStatus.READY
    assert legacy not in set(IndexingStatus)


def test_an_unknown_status_is_nothing() -> None:
    assert read_indexing_status("asleep") is None
