"""Messages between a server and its indexing process, one line of JSON each."""

from typing import Final, NamedTuple, TypeVar

from cruxe.ingest.sync_options import SyncOutcome
from cruxe.model.errors import EngineError, ErrorValue, InternalError, Remedy

_Message = TypeVar("_Message")

STOP: Final = b"stop\n"  # stops the running order; its checkpoints are kept


class UnreadableMessageError(Exception):
    """A line is no message: the other process is damaged, or of another version."""


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
    remedies: Remedy
    data: dict[str, ErrorValue]

    def to_error(self) -> EngineError:
        """Return the error that was raised."""
        by_code = {kind.code.value: kind for kind in EngineError.__subclasses__()}
        kind = by_code.get(self.code, InternalError)
        return kind(self.message, remedy=self.remedies, data=self.data)


class Report(NamedTuple):
    """Progress of an order; the last report has an outcome or a failure."""

    files_done: int = 0
    files_total: int = 0
    is_waiting: bool = False  # for another process's writer lock
    outcome: SyncOutcome | None = None
    failure: Failure | None = None


def failure_of(error: EngineError) -> Failure:
    """Return an error in the form that is sent."""

    def encodable(value: ErrorValue) -> ErrorValue:
        if isinstance(value, tuple):
            return tuple(map(_encodable, value))
        return _encodable(value) if isinstance(value, str) else value

    return Failure(
        code=error.code.value,
        message=_encodable(error.message),
        remedies=Remedy(*map(_encodable, error.remedies)),
        data={name: encodable(value) for name, value in error.data.items()},
    )


def _encodable(text: str) -> str:
    """Replace what JSON cannot hold: a path may have bytes that are not UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def to_line(message: SyncOrder | Report) -> bytes:
    """Encode a message as a line."""
    from msgspec.json import encode

    return encode(message) + b"\n"


def from_line(line: bytes, kind: type[_Message]) -> _Message:
    """Decode a message from a line; raise `UnreadableMessageError` if it is none of that kind."""
    from msgspec import DecodeError
    from msgspec.json import decode

    try:
        return decode(line, type=kind)
    except (DecodeError, ValueError) as error:
        raise UnreadableMessageError(str(error)) from error
