"""Where failures become answers: every transport sends the envelope that is built here.

Nothing that goes wrong passes this place as an exception, except an order to stop.
"""

import os.path
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from cruxe.model.errors import EngineError, ErrorCode, InternalError
from cruxe.model.levels import ResultCompleteness, SchemaStatus
from cruxe.respond.metadata import Metadata

Answer = dict[str, object]
_Result = TypeVar("_Result")

_WITHOUT_INDEX: Final = frozenset(
    {ErrorCode.INDEX_NOT_READY, ErrorCode.REF_NOT_INDEXED, ErrorCode.PROJECT_NOT_FOUND}
)
_WHILE_WRITING: Final = frozenset({ErrorCode.INDEX_IN_PROGRESS, ErrorCode.SYNC_IN_PROGRESS})


class IndexState(NamedTuple):
    """What is known of the index when a request fails."""

    ref: str  # empty where the request failed before its ref was known
    is_indexed: bool


def attempt(work: Callable[[], _Result]) -> _Result | EngineError:
    """Do the work; what goes wrong, expected or not, is given back as an `EngineError`."""
    try:
        return work()
    except EngineError as error:
        return error
    except Exception as error:  # noqa: BLE001
        return _unexpected(error)


def error_envelope(error: EngineError, state: IndexState) -> Answer:
    """A failure as it is sent."""
    return {
        "error": {
            "code": error.code.value,
            "message": error.message,
            "data": {**error.data, "remediation": error.remedy},
        },
        "metadata": _metadata(error, state).to_mapping(),
    }


def _unexpected(error: Exception) -> InternalError:
    """Log the traceback; the message tells the place but never a value, which may be source."""
    import logging

    logger = logging.getLogger(__name__)
    # Without any handler the traceback would be printed even to those who did not ask for it.
    logger.addHandler(logging.NullHandler())
    logger.error("request failed", exc_info=error)
    return InternalError(
        f"unexpected {type(error).__name__}{_place_of(error)}",
        remedy="run it again with -v for the traceback, and `cruxe doctor` to check the index",
    )


def _place_of(error: Exception) -> str:
    traceback = error.__traceback__
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    file = os.path.basename(traceback.tb_frame.f_code.co_filename)
    return f" at {file}:{traceback.tb_lineno}"


def _metadata(error: EngineError, state: IndexState) -> Metadata:
    if error.code is ErrorCode.INDEX_INCOMPATIBLE:
        status = error.data.get("schema_status", SchemaStatus.REINDEX_REQUIRED)
        return Metadata.of_schema(state.ref, SchemaStatus(str(status)))
    if error.code in _WHILE_WRITING:
        return Metadata.syncing(state.ref)
    if error.code in _WITHOUT_INDEX or not state.is_indexed:
        return Metadata.not_indexed(state.ref)
    # Nobody looked whether it is fresh, so it is not called so.
    unknown = Metadata.ready(state.ref, is_fresh=False)
    return unknown._replace(result_completeness=ResultCompleteness.PARTIAL)
