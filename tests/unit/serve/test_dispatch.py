"""Failures as envelopes."""

import logging

import pytest

from cruxe.model.errors import (
    EngineError,
    FileNotFoundInRefError,
    IndexIncompatibleError,
    IndexInProgressError,
    IndexNotReadyError,
    InternalError,
    InvalidInputError,
)
from cruxe.respond.metadata import Metadata
from cruxe.serve.dispatch import attempt, error_envelope
from tests.requirements import requirement

READY = Metadata.ready("main", is_fresh=True)


@requirement("ERR-REGISTRY")
def test_an_envelope_has_code_message_values_and_the_way_out() -> None:
    error = InvalidInputError("limit is 0", remedy="use 1", data={"field": "limit"})

    assert error_envelope(error, READY) == {
        "error": {
            "code": "invalid_input",
            "message": "limit is 0",
            "data": {"field": "limit", "remediation": "use 1"},
        },
        "metadata": {
            "codecompass_protocol_version": "1.0",
            "freshness_status": "fresh",
            "indexing_status": "ready",
            "result_completeness": "complete",
            "ref": "main",
            "schema_status": "compatible",
        },
    }


@pytest.mark.parametrize(
    ("error", "indexing", "schema"),
    [
        (IndexNotReadyError("none"), "not_indexed", "not_indexed"),
        (IndexInProgressError("busy"), "indexing", "compatible"),
        (IndexIncompatibleError("old"), "failed", "reindex_required"),
        (
            IndexIncompatibleError("bad", data={"schema_status": "corrupt_manifest"}),
            "failed",
            "corrupt_manifest",
        ),
        (FileNotFoundInRefError("gone"), "ready", "compatible"),
    ],
)
def test_the_metadata_of_a_failure_says_what_the_failure_tells_of_the_index(
    error: EngineError, indexing: str, schema: str
) -> None:
    metadata = error_envelope(error, READY)["metadata"]

    assert isinstance(metadata, dict)
    assert (metadata["indexing_status"], metadata["schema_status"]) == (indexing, schema)


def test_a_failure_before_any_index_claims_none() -> None:
    metadata = error_envelope(InvalidInputError("bad"), Metadata.not_indexed(""))["metadata"]

    assert isinstance(metadata, dict)
    assert (metadata["indexing_status"], metadata["ref"]) == ("not_indexed", "")


def test_work_that_succeeds_gives_its_result() -> None:
    assert attempt(lambda: 3) == 3


def test_an_expected_failure_is_given_back_as_it_is() -> None:
    error = IndexNotReadyError("none")

    assert attempt(lambda: _fail(error)) is error


@requirement("STORE-NO-FOREIGN-TEXT")
def test_an_unexpected_failure_tells_its_place_but_no_value_and_logs_the_traceback(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("cruxe").setLevel(logging.DEBUG)

    given = attempt(lambda: _fail(KeyError("a line of the user's source")))

    assert isinstance(given, InternalError)
    assert given.message.startswith("unexpected KeyError at test_dispatch.py:")
    assert "source" not in str(given)
    assert [record.getMessage() for record in caplog.records] == ["request failed"]
    assert caplog.records[0].exc_info is not None
    assert capfd.readouterr().err == ""


def test_an_order_to_stop_is_no_failure() -> None:
    with pytest.raises(KeyboardInterrupt):
        attempt(lambda: _fail(KeyboardInterrupt()))


def _fail(error: BaseException) -> None:
    raise error
