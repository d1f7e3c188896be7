"""How long a call may take: time that runs out shortens an answer, and the answer says so."""

from time import monotonic


class Deadline:
    """A moment after which nothing more is begun."""

    def __init__(self, budget_ms: int) -> None:
        """Let the time run from now on."""
        self._end = monotonic() + budget_ms / 1000

    @property
    def has_passed(self) -> bool:
        """Whether the time is up."""
        return monotonic() >= self._end
