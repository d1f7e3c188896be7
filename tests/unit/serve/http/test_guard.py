"""Who may ask: names of hosts as clients write them, and which addresses are our own."""

import pytest

from cruxe.serve.http.exchange import Status
from cruxe.serve.http.guard import guard_of, host_name, is_everywhere, is_loopback


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("localhost", "localhost"),
        ("LocalHost:9100", "localhost"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:9100", "::1"),
        ("[::1]", "::1"),
        ("[0:0::1]", "::1"),
        ("::1", None),
        ("[::1].evil.example", None),
        ("[::1]evil", None),
        ("[::1", None),
        ("[localhost", None),
        ("[localhost]", None),
        ("localhost]", None),
        ("user@localhost", None),
        ("localhost/x", None),
        ("localhost evil", None),
        ("host:port", None),
        ("localhost:", None),
        ("", None),
    ],
)
def test_the_name_of_a_host_stands_before_its_port(place: str, name: str | None) -> None:
    assert host_name(place) == name


def test_loopback_is_told_from_what_others_reach() -> None:
    reached = ("localhost", "127.0.0.1", "127.8.8.8", "::1", "0.0.0.0", "192.0.2.7", "example.org")  # noqa: S104

    assert [host for host in reached if is_loopback(host)] == list(reached[:4])
    assert [host for host in reached if is_everywhere(host)] == ["0.0.0.0"]  # noqa: S104


@pytest.mark.parametrize(
    ("listening", "names", "host", "status"),
    [
        ("127.0.0.1", [], "localhost:9100", None),
        ("127.0.0.1", [], "code.example.org", Status.MISDIRECTED_REQUEST),
        ("127.0.0.1", ["code.example.org"], "code.example.org", None),
        ("192.0.2.7", [], "192.0.2.7:9100", None),
        ("192.0.2.7", [], "localhost", Status.MISDIRECTED_REQUEST),
        ("0.0.0.0", [], "127.0.0.1", None),  # noqa: S104
        ("::1", [], "[::1]:9100", None),
        ("127.0.0.1", ["[2001:DB8::7]", "fe80::1"], "[2001:db8::7]", None),
        ("127.0.0.1", ["fe80::1"], "[fe80:0::1]:80", None),
        ("0.0.0.0", ["code.example.org"], "code.example.org:443", None),  # noqa: S104
    ],
)
def test_a_server_answers_to_its_address_and_the_names_it_was_given(
    listening: str, names: list[str], host: str, status: Status | None
) -> None:
    guard = guard_of(listening, names, None)
    refusal = guard.refusal_of({"host": host})

    assert (None if refusal is None else refusal.status) == status


def test_a_request_without_a_host_is_turned_away() -> None:
    refusal = guard_of("127.0.0.1", [], None).refusal_of({})

    assert refusal is not None
    assert refusal.status is Status.MISDIRECTED_REQUEST
