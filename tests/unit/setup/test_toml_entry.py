"""A table in TOML is marked and stands at the end; else the document means what it meant."""

from typing import Final

import pytest

from cruxe.setup.pieces import UnusableTextError
from cruxe.setup.toml_entry import TomlEntry
from tests.requirements import requirement

ENTRY: Final = TomlEntry(
    ("mcp_servers", "cruxe"), {"command": 'C:\\größe "x"', "args": ["serve-mcp"]}
)
OTHER: Final = "[mcp_servers.other]\ncommand = 'x'\n"


def test_a_table_is_appended_with_its_mark() -> None:
    assert ENTRY.insert("a = 1").apply("a = 1") == (
        "a = 1\n\n[mcp_servers.cruxe]  # cruxe setup: 586b2146\n"
        'command = "C:\\\\größe \\"x\\""\nargs = ["serve-mcp"]\n'
    )


def test_a_table_is_known_by_its_digest() -> None:
    text = ENTRY.insert(OTHER).apply(OTHER)
    found = ENTRY.find(text)
    assert found is not None
    assert (found.value, found.is_marked) == (ENTRY.value, True)

    changed = ENTRY.find(text.replace("serve-mcp", "serve"))
    assert changed is not None
    assert (changed.value == ENTRY.value, changed.is_marked) == (False, False)


REFUSED: Final = {
    "a key without value": ("a =", "is not valid TOML"),
    "servers in line": (
        "mcp_servers = { a = { command = 'x' } }\n",
        "writes mcp_servers in a form",
    ),
    "a list of servers": ("[[mcp_servers]]\nname = 'x'\n", "cannot be edited without touching"),
}


@requirement("SETUP-REFUSE")
@pytest.mark.parametrize("what", REFUSED)
def test_toml_that_cannot_be_edited_is_refused(what: str) -> None:
    text, why = REFUSED[what]

    with pytest.raises(UnusableTextError) as raised:
        _find_or_insert(text)

    assert str(raised.value).startswith(why)


# A table without marks: the document, and the document without it.
UNMARKED: Final = {
    "at the end": (f"{OTHER}\n[mcp_servers.cruxe]\ncommand = 'mine'\n", f"{OTHER}"),
    "before another": (
        f"[mcp_servers.cruxe]\ncommand = 'mine'\n\n# the other\n{OTHER}",
        f"\n# the other\n{OTHER}",
    ),
    "quoted, with brackets inside": (
        f"[mcp_servers.'cruxe']\na = [\n[1],\n]\n# [x]\n{OTHER}",
        f"# [x]\n{OTHER}",
    ),
    "behind a string that looks like it": (
        f"a = '''\n[mcp_servers.cruxe]\n'''\n[mcp_servers.cruxe]\ncommand = 'mine'\n{OTHER}",
        f"a = '''\n[mcp_servers.cruxe]\n'''\n{OTHER}",
    ),
    "with a table inside": (
        f"[mcp_servers.cruxe]\ncommand = 'mine'\n[mcp_servers.cruxe.env]\nA = '1'\n{OTHER}",
        OTHER,
    ),
}


@requirement("SETUP-FOREIGN")
@pytest.mark.parametrize("what", UNMARKED)
def test_a_table_that_someone_wrote_can_be_taken_out(what: str) -> None:
    text, rest = UNMARKED[what]
    found = ENTRY.find(text)
    assert found is not None
    assert not found.is_marked

    assert ENTRY.remove(text, found, 0) == rest


@requirement("SETUP-FOREIGN")
def test_a_table_whose_end_is_not_certain_is_not_taken_out() -> None:
    text = "mcp_servers.cruxe.command = 'mine'\n"
    found = ENTRY.find(text)
    assert found is not None

    with pytest.raises(UnusableTextError, match="cannot be edited safely"):
        ENTRY.remove(text, found, 0)


def _find_or_insert(text: str) -> None:
    if ENTRY.find(text) is None:
        ENTRY.insert(text)
