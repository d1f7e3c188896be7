"""One conversation: a process on the other end of stdio, or a session over HTTP."""

from cruxe.serve.dispatch import ClientSession
from cruxe.serve.mcp.calls import Call
from cruxe.serve.mcp.envelope import Subscription
from cruxe.serve.mcp.messages import Code, ProtocolError, RequestId


class Client:
    """What a client settled on, and what is under way for it."""

    def __init__(self) -> None:
        """Begin without a handshake."""
        self.revision: str | None = None
        self.session = ClientSession()
        self._calls: dict[RequestId, Call] = {}
        self._subscriptions: dict[RequestId, Subscription] = {}

    def begin(self, call: Call) -> Call:
        """Remember a call, so that it can be cancelled by its id."""
        if call.id in self._calls:
            raise ProtocolError(Code.INVALID_REQUEST, "a request with this id is under way")
        self._calls[call.id] = call
        call.on_end = self._end
        return call

    def subscribe(self, subscription: Subscription) -> Subscription:
        """Remember a subscription until it is cancelled."""
        self._subscriptions[subscription.id] = subscription
        return subscription

    def subscriptions(self) -> list[Subscription]:
        """The subscriptions that are open."""
        return list(self._subscriptions.values())

    def cancel(self, request_id: object) -> None:
        """Cancel what is under way; an id that is not, or is none, changes nothing."""
        if not isinstance(request_id, int | str):
            return
        self._subscriptions.pop(request_id, None)
        call = self._calls.get(request_id)
        if call is not None:
            call.cancel()

    def cancel_all(self) -> None:
        """Cancel whatever is under way."""
        for call in list(self._calls.values()):
            call.cancel()

    def _end(self, call: Call) -> None:
        self._calls.pop(call.id, None)
