"""What a server and its indexing process say to each other, a line of JSON each."""

from typing import Final, NamedTuple, TypeVar

from cruxe.ingest.sync_options import SyncOutcome
from cruxe.model.errors import EngineError, ErrorValue, InternalError

_Message = TypeVar("_Message")

STOP: Final = b"stop\n"  # the order under way; what it has done so far is kept


class SyncOrder(NamedTuple):
    """What to bring up to date."""

    root: str
    ref: str | None = None
    config_path: str | None = None
    retry_failed: bool = False
    force: bool = False

    @property
    def is_large(self) -> bool:
        """Whether every file may have to be read."""
        return self.force or self.retry_failed


class Failure(NamedTuple):
    """An error on its way to the other process."""

    code: str
    message: str
    remedy: str
    data: dict[str, ErrorValue]

    def to_error(self) -> EngineError:
        """The failure as it was raised."""
        by_code = {kind.code.value: kind for kind in EngineError.__subclasses__()}
        kind = by_code.get(self.code, InternalError)
        return kind(self.message, remedy=self.remedy, data=self.data)


class Report(NamedTuple):
    """How far an order is; the last one has an outcome or a failure."""

    files_done: int = 0
    files_total: int = 0
    is_waiting: bool = False  # for another process that writes
    outcome: SyncOutcome | None = None
    failure: Failure | None = None


def failure_of(error: EngineError) -> Failure:
    """An error as it is sent."""
    return Failure(error.code.value, error.message, error.remedy, dict(error.data))


def to_line(message: SyncOrder | Report) -> bytes:
    """A message as it is sent."""
    from msgspec.json import encode

    return encode(message) + b"\n"


def from_line(line: bytes, kind: type[_Message]) -> _Message:
    """A message as it was sent; raises `ValueError` for what is none."""
    from msgspec.json import decode

    return decode(line, type=kind)
