"""Long-running requests: run by a worker thread, cancelled from the thread that reads messages."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from cruxe.model.deadlines import CallCancelledError, cancellable, stop_if_cancelled
from cruxe.serve.dispatch import ClientSession
from cruxe.serve.mcp.messages import (
    Code,
    ProtocolError,
    RequestId,
    Subscription,
    batch_of,
    notification_of,
    result_of,
)

Notify = Callable[[bytes], None]
Progress = Callable[[int, int], None]

_BETWEEN_REPORTS_SECONDS: Final = 0.1


class Call:
    """A running request; its work returns the result as JSON."""

    def __init__(
        self, request_id: RequestId, work: Callable[[Progress], str], token: RequestId | None
    ) -> None:
        """Prepare the call; progress is reported only if the client sent a token."""
        self.id = request_id
        self.token = token
        self._work = work
        self.is_cancelled = False
        self.on_end: Callable[[Call], None] | None = None

    def cancel(self) -> None:
        """Stop at the work's next cancellation check; no response is sent."""
        self.is_cancelled = True

    def run(self, notify: Notify) -> bytes | None:
        """Run the work and return the response, or None if the call was cancelled."""
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
    """The calls of a batch, with the responses that are ready already."""

    def __init__(self, parts: "list[bytes | Call]") -> None:
        """Prepare to run the calls one after the other."""
        self._parts = parts

    def cancel(self) -> None:
        """Cancel all calls of the batch."""
        for part in self._parts:
            if isinstance(part, Call):
                part.cancel()

    def run(self, notify: Notify) -> bytes | None:
        """Run the calls and return all responses as one message, or None if there are none."""
        responses = [part if isinstance(part, bytes) else part.run(notify) for part in self._parts]
        sent = [response for response in responses if response is not None]
        return batch_of(sent) if sent else None


class _Reporter:
    """Sends throttled progress notifications, and checks for cancellation at each report."""

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


class Client:
    """A client's revision, session, running calls and subscriptions."""

    def __init__(self) -> None:
        """Start before any handshake."""
        self.revision: str | None = None
        self.session = ClientSession()
        self._calls: dict[RequestId, Call] = {}
        self._subscriptions: dict[RequestId, Subscription] = {}

    def begin(self, call: Call) -> Call:
        """Register a call so that it can be cancelled by its id."""
        if call.id in self._calls:
            raise ProtocolError(Code.INVALID_REQUEST, "a request with this id is under way")
        self._calls[call.id] = call
        call.on_end = self._end
        return call

    def subscribe(self, subscription: Subscription) -> Subscription:
        """Register a subscription until it is cancelled."""
        self._subscriptions[subscription.id] = subscription
        return subscription

    def subscriptions(self) -> list[Subscription]:
        """Return the open subscriptions."""
        return list(self._subscriptions.values())

    def cancel(self, request_id: object) -> None:
        """Cancel the call or subscription with this id; ignore an unknown or invalid id."""
        if not isinstance(request_id, int | str):
            return
        self._subscriptions.pop(request_id, None)
        call = self._calls.get(request_id)
        if call is not None:
            call.cancel()

    def cancel_all(self) -> None:
        """Cancel all running calls."""
        for call in list(self._calls.values()):
            call.cancel()

    def _end(self, call: Call) -> None:
        self._calls.pop(call.id, None)
