"""Messages between a server and its indexing process, one line of JSON each."""

from typing import Final, NamedTuple, TypeVar

from cruxe.ingest.sync_options import SyncOutcome
from cruxe.model.errors import EngineError, ErrorValue, InternalError

_Message = TypeVar("_Message")

STOP: Final = b"stop\n"  # stops the running order; its checkpoints are kept


class SyncOrder(NamedTuple):
    """A ref to sync, and how."""

    root: str
    ref: str | None = None
    config_path: str | None = None
    retry_failed: bool = False
    force: bool = False

    @property
    def is_large(self) -> bool:
        """Return whether every file may have to be read."""
        return self.force or self.retry_failed


class Failure(NamedTuple):
    """An error in the form that is sent to the other process."""

    code: str
    message: str
    remedy: str
    data: dict[str, ErrorValue]

    def to_error(self) -> EngineError:
        """Return the error that was raised."""
        by_code = {kind.code.value: kind for kind in EngineError.__subclasses__()}
        kind = by_code.get(self.code, InternalError)
        return kind(self.message, remedy=self.remedy, data=self.data)


class Report(NamedTuple):
    """Progress of an order; the last report has an outcome or a failure."""

    files_done: int = 0
    files_total: int = 0
    is_waiting: bool = False  # for another process's writer lock
    outcome: SyncOutcome | None = None
    failure: Failure | None = None


def failure_of(error: EngineError) -> Failure:
    """Return an error in the form that is sent."""
    return Failure(
        code=error.code.value, message=error.message, remedy=error.remedy, data=dict(error.data)
    )


def to_line(message: SyncOrder | Report) -> bytes:
    """Encode a message as a line."""
    from msgspec.json import encode

    return encode(message) + b"\n"


def from_line(line: bytes, kind: type[_Message]) -> _Message:
    """Decode a message from a line; raise `ValueError` if it is invalid."""
    from msgspec.json import decode

    return decode(line, type=kind)
