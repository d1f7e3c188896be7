"""Sessions are found by ids that nobody can guess, and old ones give way."""

import pytest

from cruxe.serve.http import sessions
from cruxe.serve.http.sessions import Sessions
from cruxe.serve.mcp.calls import Call, Client


def test_a_session_is_found_until_it_is_ended() -> None:
    kept, client = Sessions(), Client()
    session_id = kept.open(client)

    assert kept.find(session_id) is client
    assert kept.end(session_id)
    assert kept.find(session_id) is None
    assert not kept.end(session_id)


def test_ids_differ_and_are_plain() -> None:
    kept = Sessions()
    ids = {kept.open(Client()) for _ in range(100)}

    assert len(ids) == 100
    assert all(len(each) >= 32 and each.isascii() and each.isprintable() for each in ids)


def test_the_one_not_used_longest_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_MOST", 2)
    kept = Sessions()
    first, second = kept.open(Client()), kept.open(Client())
    kept.find(first)
    third = kept.open(Client())

    assert [kept.find(each) is not None for each in (first, second, third)] == [True, False, True]


def test_one_that_was_idle_for_long_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Sessions()
    session_id = kept.open(Client())
    monkeypatch.setattr(sessions, "_IDLE_SECONDS", -1.0)

    assert kept.find(session_id) is None


def test_ending_a_session_cancels_what_is_under_way_in_it() -> None:
    kept, client = Sessions(), Client()
    call = client.begin(Call(1, lambda _: "{}", None))
    kept.end(kept.open(client))

    assert call.is_cancelled
