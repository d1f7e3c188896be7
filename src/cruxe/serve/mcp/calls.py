"""Requests that take time: run by a worker, cancelled by whoever reads the next message."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from cruxe.model.deadlines import CallCancelledError, cancellable, stop_if_cancelled
from cruxe.serve.mcp.messages import RequestId, batch_of, notification_of, result_of

Notify = Callable[[bytes], None]
Progress = Callable[[int, int], None]

_BETWEEN_REPORTS_SECONDS: Final = 0.1


class Call:
    """One request under way; its work gives the result as JSON."""

    def __init__(
        self, request_id: RequestId, work: Callable[[Progress], str], token: RequestId | None
    ) -> None:
        """Prepare to work; the client hears of progress under its token, if it gave one."""
        self.id = request_id
        self.token = token
        self._work = work
        self.is_cancelled = False
        self.on_end: Callable[[Call], None] | None = None

    def cancel(self) -> None:
        """Stop as soon as the work looks up; nothing is answered any more."""
        self.is_cancelled = True

    def run(self, notify: Notify) -> bytes | None:
        """Work, and give the response; nothing where the call was cancelled."""
        try:
            with cancellable(lambda: self.is_cancelled):
                stop_if_cancelled()
                result = self._work(_Reporter(self.token, notify))
        except CallCancelledError:
            return None
        finally:
            if self.on_end is not None:
                self.on_end(self)
        return None if self.is_cancelled else result_of(self.id, result)


class BatchCall:
    """The calls of a batch, with the responses that are known already."""

    def __init__(self, parts: "list[bytes | Call]") -> None:
        """Prepare to work on them one after the other."""
        self._parts = parts

    def cancel(self) -> None:
        """Stop all of them."""
        for part in self._parts:
            if isinstance(part, Call):
                part.cancel()

    def run(self, notify: Notify) -> bytes | None:
        """Work, and give all responses as one message."""
        responses = [part if isinstance(part, bytes) else part.run(notify) for part in self._parts]
        sent = [response for response in responses if response is not None]
        return batch_of(sent) if sent else None


class _Reporter:
    """Tells the client how far the work is, not too often; the way for an order to stop."""

    def __init__(self, token: RequestId | None, notify: Notify) -> None:
        self._token = token
        self._notify = notify
        self._told = 0
        self._told_at = 0.0

    def __call__(self, done: int, total: int) -> None:
        stop_if_cancelled()
        now = monotonic()
        is_due = done == total or now - self._told_at >= _BETWEEN_REPORTS_SECONDS
        if self._token is None or done <= self._told or not is_due:
            return
        self._told, self._told_at = done, now
        params: dict[str, object] = {
            "progressToken": self._token,
            "progress": done,
            "total": total,
            "message": f"{done} of {total} files",
        }
        self._notify(notification_of("notifications/progress", params))
