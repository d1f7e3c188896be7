"""Symbols by name, by line, by version and around each other; chunks with their symbols."""

from itertools import pairwise

import pytest

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import Neighbours
from cruxe.store.api import Snapshot, Store
from tests.support.records import BRANCH, key_of, publish, ref_id_of

PORT = '''"""A port."""


class Port:
    """Where ships come in."""

    def open_gate(self):
        return 1

    def closeGate(self):
        return 2

    def ring(self):
        return 3


def open_gate():
    return Port()
'''
SHIP = "def OpenGate():\n    pass\n\n\ndef sail():\n    pass\n"
TEXTS = {"port.py": PORT, "ship.py": SHIP, "notes.md": "# Gate\n\nIt is open.\n"}
PORT_KEY, SHIP_KEY = key_of("port.py", PORT), key_of("ship.py", SHIP)


@pytest.fixture
def filled(backend: Store) -> Store:
    """A store with two files of symbols, in two refs."""
    publish(backend, TEXTS)
    publish(backend, TEXTS, BRANCH)
    return backend


def names(symbols: list[StoredSymbol]) -> list[tuple[str, str, int]]:
    return [(each.path, each.qualified_name, each.line_start) for each in symbols]


def symbols_of(snapshot: Snapshot, key: VersionKey) -> list[StoredSymbol]:
    return dict(snapshot.symbols_of([key])).get(key, [])


def test_names_are_found_in_any_spelling_by_path_and_line(filled: Store) -> None:
    with filled.snapshot() as snapshot:
        found = snapshot.symbols_named(["opengate", "OPEN_GATE", "sail", "nothing", "", "sail"])

    gates = [
        ("port.py", "port.Port.open_gate", 7),
        ("port.py", "port.open_gate", 17),
        ("ship.py", "ship.OpenGate", 1),
    ]
    assert {name: names(symbols) for name, symbols in found.items()} == {
        "opengate": gates,
        "OPEN_GATE": gates,
        "sail": [("ship.py", "ship.sail", 5)],
        "nothing": [],
        "": [],
    }


def test_many_names_are_found_at_once(filled: Store) -> None:
    asked = [f"name{number}" for number in range(150)] + ["ring"]

    with filled.snapshot() as snapshot:
        found = snapshot.symbols_named(asked)
        assert snapshot.symbols_named([]) == {}

    assert list(found) == asked
    assert [name for name, symbols in found.items() if symbols] == ["ring"]


def test_a_symbol_comes_with_all_that_was_parsed(filled: Store) -> None:
    with filled.snapshot() as snapshot:
        (found,) = snapshot.symbols_named(["Port"])["Port"]

    assert found._replace(stable_id="") == StoredSymbol(
        version_key=PORT_KEY,
        ordinal=0,
        path="port.py",
        language="python",
        name="Port",
        qualified_name="port.Port",
        kind="class",
        role="type",
        visibility="public",
        parent=None,
        line_start=4,
        line_end=14,
        name_line=4,
        signature="class Port",
        doc="Where ships come in.",
        stable_id="",
    )
    assert found.stable_id


def test_folded_names_are_those_of_a_length(filled: Store) -> None:
    with filled.snapshot() as snapshot:
        assert sorted(snapshot.folded_names(8, 9)) == ["closegate", "opengate"]
        assert sorted(snapshot.folded_names(20, 30)) == []


def test_names_within_lines_come_span_by_span(filled: Store) -> None:
    spans = [(SHIP_KEY, 1, 4), (PORT_KEY, 7, 10), (PORT_KEY, 1, 3), (VersionKey(5), 1, 99)]

    with filled.snapshot() as snapshot:
        found = snapshot.symbols_named_within(spans)
        assert snapshot.symbols_named_within([]) == []

    assert [each.name for each in found] == ["OpenGate", "open_gate", "closeGate"]


def test_symbols_of_versions_are_in_file_order_by_ordinal(filled: Store) -> None:
    with filled.snapshot() as snapshot:
        found = dict(snapshot.symbols_of([SHIP_KEY, VersionKey(5), PORT_KEY]))
        empty = list(snapshot.symbols_of([]))

    assert list(found) == [SHIP_KEY, PORT_KEY]
    assert empty == []
    assert [each.ordinal for each in found[PORT_KEY]] == [0, 1, 2, 3, 4]
    assert all(one.line_start <= other.line_start for one, other in pairwise(found[PORT_KEY]))


def test_one_symbol_is_found_by_its_ordinal(filled: Store) -> None:
    with filled.snapshot() as snapshot:
        whole = symbols_of(snapshot, PORT_KEY)
        assert [snapshot.symbol_at(PORT_KEY, each.ordinal) for each in whole] == whole
        assert snapshot.symbol_at(PORT_KEY, len(whole)) is None
        assert snapshot.symbol_at(PORT_KEY, -1) is None
        assert snapshot.symbol_at(VersionKey(5), 0) is None


def test_neighbours_are_the_parent_and_the_nearest_siblings(filled: Store) -> None:
    with filled.snapshot() as snapshot:
        port, open_gate, close_gate, ring, function = symbols_of(snapshot, PORT_KEY)
        found = snapshot.neighbours([ring, port, close_gate], 2)
        nearest = snapshot.neighbours([ring, function], 1)
        far = snapshot.neighbours([function], 4)
        assert snapshot.neighbours([], 3) == []

    assert found == [
        Neighbours(port, (close_gate, open_gate)),
        Neighbours(None, ()),
        Neighbours(port, (open_gate, ring)),
    ]
    assert nearest == [Neighbours(port, (close_gate,)), Neighbours(None, ())]
    assert far == [Neighbours(None, (port,))]


def test_an_outline_is_the_symbols_of_a_path(filled: Store) -> None:
    with filled.snapshot() as snapshot:
        ref_id = ref_id_of(snapshot)
        rows = snapshot.outline_rows(ref_id, "port.py", top_only=False)
        top = snapshot.outline_rows(ref_id, "port.py", top_only=True)
        assert snapshot.outline_rows(ref_id, "absent.py", top_only=False) == []

    assert [row.name for row in rows] == ["Port", "open_gate", "closeGate", "ring", "open_gate"]
    assert [row.name for row in top] == ["Port", "open_gate"]
    assert {row.parent_symbol_id for row in rows[1:4]} == {rows[0].symbol_id}


def test_chunks_have_their_lines_and_the_symbols_inside(filled: Store) -> None:
    with filled.snapshot() as snapshot:
        (version,) = snapshot.versions([PORT_KEY, VersionKey(5)])
        count = version.chunks.count("[") - 1
        asked = [(PORT_KEY, number) for number in range(count)] + [(VersionKey(5), 0)]
        found = dict(snapshot.chunks(asked))
        symbols = symbols_of(snapshot, PORT_KEY)
        assert dict(snapshot.chunks([])) == {}

    assert (version.path, version.language, version.line_count) == ("port.py", "python", 18)
    assert list(found) == asked[:-1]
    for (_, number), chunk in found.items():
        first, last, shown = version.chunk(number)
        inside = [each for each in symbols if first <= each.line_start and each.line_end <= last]
        assert (chunk.line_start, chunk.line_end, chunk.inside) == (first, last, tuple(inside))
        assert chunk.symbol == (None if shown is None else symbols[shown])
    assert {each.name for chunk in found.values() for each in chunk.inside} >= {"ring", "open_gate"}
