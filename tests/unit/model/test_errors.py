"""The error registry: its codes, and what every error tells."""

import errno
import pickle

import pytest

from cruxe.model import errors
from cruxe.model.errors import (
    EngineError,
    ErrorCode,
    IndexDamagedError,
    IndexIncompatibleError,
    InvalidInputError,
    StorageError,
)
from tests.requirements import requirement

REGISTRY = [
    "invalid_input",
    "invalid_strategy",
    "invalid_max_tokens",
    "project_not_found",
    "workspace_not_registered",
    "workspace_not_allowed",
    "workspace_limit_exceeded",
    "index_in_progress",
    "index_not_ready",
    "sync_in_progress",
    "index_stale",
    "index_incompatible",
    "ref_not_indexed",
    "overlay_not_ready",
    "merge_base_failed",
    "symbol_not_found",
    "ambiguous_symbol",
    "file_not_found",
    "result_not_found",
    "no_edges_available",
    "internal_error",
]

ERRORS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, EngineError) and kind is not EngineError
]


@requirement("ERR-REGISTRY")
def test_the_codes_are_those_of_the_registry_and_no_others() -> None:
    assert [str(code) for code in ErrorCode] == REGISTRY
    assert len(REGISTRY) == 21


@requirement("ERR-REGISTRY")
def test_every_code_has_one_error_but_for_storage_failures_and_damage() -> None:
    by_code = [kind.code for kind in ERRORS if kind not in (StorageError, IndexDamagedError)]

    assert sorted(by_code) == sorted(ErrorCode)
    assert StorageError.code is ErrorCode.INTERNAL_ERROR
    assert IndexDamagedError.code is ErrorCode.INDEX_INCOMPATIBLE


@requirement("ERR-REGISTRY")
@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_tells_what_happened_and_what_to_do(kind: type[EngineError]) -> None:
    error = kind("it broke")

    assert error.message == "it broke"
    assert error.remedy
    assert str(error) == f"it broke ({error.remedy})"
    assert error.data == {}


@requirement("ERR-REGISTRY")
def test_the_raiser_can_give_a_better_remedy_and_the_values() -> None:
    given = {"current": 3, "required": 4}

    error = IndexIncompatibleError("schema 3, need 4", remedy="upgrade", data=given)
    given["current"] = 0

    assert str(error) == "schema 3, need 4 (upgrade)"
    assert error.data == {"current": 3, "required": 4}


def test_an_error_survives_a_process_boundary() -> None:
    error = InvalidInputError("bad limit", remedy="use 1..100", data={"field": "limit"})

    copy = pickle.loads(pickle.dumps(error))  # noqa: S301

    assert (type(copy), str(copy), copy.data) == (InvalidInputError, str(error), error.data)


@requirement("ERR-REGISTRY")
@pytest.mark.parametrize(
    ("number", "message", "remedy"),
    [
        (
            errno.ENOSPC,
            "no space left on the disk that holds /data",
            "free some space or move `storage.data_dir`; the last index is still readable",
        ),
        (
            errno.EROFS,
            "/data cannot be written",
            "allow writing there, or set `storage.data_dir` to a place that can be written",
        ),
        (
            errno.EACCES,
            "/data cannot be written",
            "allow writing there, or set `storage.data_dir` to a place that can be written",
        ),
        (errno.EIO, "/data: broken", "check the disk that holds the data directory"),
    ],
)
def test_a_storage_failure_names_its_cause_and_the_place(
    number: int, message: str, remedy: str
) -> None:
    error = StorageError.from_os_error(OSError(number, "broken"), "/data")

    assert (error.message, error.remedy, error.data) == (message, remedy, {"path": "/data"})
