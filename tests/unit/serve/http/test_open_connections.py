"""Who makes room where there is none."""

import pytest

from cruxe.serve.http.open_connections import OpenConnections, Stage
from tests.requirements import requirement


class Client:
    """A connection that notes whether it was closed."""

    def __init__(self) -> None:
        self.stage = Stage.IDLE
        self.held_bytes = 0
        self.is_closed = False

    def close(self) -> None:
        """Note it."""
        self.is_closed = True


def admitted(among: OpenConnections, count: int) -> list[Client]:
    """So many connections, admitted in this order."""
    clients = [Client() for _ in range(count)]
    assert all(among.admit(each) for each in clients)
    return clients


@requirement("MCP-HTTP-LIMITS")
def test_the_connection_that_waits_longest_makes_room() -> None:
    among = OpenConnections(most=3)
    first, second, third = admitted(among, 3)
    among.enter(first, Stage.ANSWERING)
    among.enter(first, Stage.IDLE)  # begins to wait anew
    among.enter(third, Stage.ARRIVING)

    admitted(among, 2)

    assert [each.is_closed for each in (first, second, third)] == [False, True, True]


@requirement("MCP-HTTP-LIMITS")
def test_what_is_answered_stays() -> None:
    among = OpenConnections(most=2)
    for each in admitted(among, 2):
        among.enter(each, Stage.ANSWERING)

    assert not among.admit(Client())


@requirement("MCP-HTTP-LIMITS")
@pytest.mark.parametrize("stage", [Stage.IDLE, Stage.ARRIVING, Stage.ANSWERING])
def test_a_connection_that_leaves_frees_its_slot_and_its_bytes(stage: Stage) -> None:
    among = OpenConnections(most=1, most_body_bytes=10)
    (leaving,) = admitted(among, 1)
    among.enter(leaving, stage)
    assert among.take_bytes(leaving, 10)

    among.leave(leaving)
    among.leave(leaving)

    (coming,) = admitted(among, 1)
    assert among.take_bytes(coming, 10)
    assert not among.take_bytes(coming, 1)


@requirement("MCP-HTTP-LIMITS")
def test_bodies_that_arrive_slowly_make_room_for_others() -> None:
    among = OpenConnections(most_body_bytes=10)
    slow, answered, coming, empty = admitted(among, 4)
    assert among.take_bytes(slow, 4)
    assert among.take_bytes(answered, 4)
    among.enter(answered, Stage.ANSWERING)

    assert among.take_bytes(coming, 6)
    assert not among.take_bytes(coming, 1)

    assert [each.is_closed for each in (slow, answered, empty)] == [True, False, False]
