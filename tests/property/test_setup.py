"""Set-up gives every file back byte for byte, whatever it held, and whoever it was written for."""

import json
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from cruxe.setup.apply import carry_out
from cruxe.setup.file_changes import Item, Kind, Status, Wish, plan_change
from cruxe.setup.json_entry import JsonEntry
from cruxe.setup.marks import MarkedBlock
from cruxe.setup.pieces import Piece
from cruxe.setup.receipts import store_in
from cruxe.setup.toml_entry import Fields, TomlEntry
from tests.requirements import requirement
from tests.support.configurations import json_documents, prose, toml_documents

FIELDS: Final[Fields] = {"command": 'C:\\tools\\größe "x"', "args": ["serve-mcp"]}
NEWER: Final[Fields] = {"command": "/opt/new", "args": ["serve-mcp", "--x"]}
STRICT: Final = JsonEntry(("mcpServers", "cruxe"), FIELDS, with_comments=False)
COMMENTED: Final = JsonEntry(("mcpServers", "cruxe"), FIELDS, with_comments=True)
TABLE: Final = TomlEntry(("mcp_servers", "cruxe"), FIELDS)
BLOCK: Final = MarkedBlock("## Title\n\nsome text\n")

PIECES: Final[list[tuple[Piece, Piece]]] = [
    (COMMENTED, COMMENTED._replace(fields=NEWER)),
    (TABLE, TABLE._replace(fields=NEWER)),
    (BLOCK, MarkedBlock("## Title\n\n/opt/new\n")),
]
INSTALL: Final = Wish("claude-code", uninstall=False, force=False)
UNINSTALL: Final = INSTALL._replace(uninstall=True)


@requirement("SETUP-ROUND-TRIP")
@settings(max_examples=50)
@given(json_documents(with_comments=False))
def test_strict_json_comes_back_byte_for_byte(text: str) -> None:
    _check_round_trip(STRICT, STRICT._replace(fields=NEWER), text)


@requirement("SETUP-ROUND-TRIP")
@settings(max_examples=50)
@given(json_documents(with_comments=True))
@example("// only a comment")
@example('{"mcpServers": {}}')
@example('{"mcpServers": {\n}\n,}')
def test_json_with_comments_comes_back_byte_for_byte(text: str) -> None:
    _check_round_trip(COMMENTED, COMMENTED._replace(fields=NEWER), text)


@requirement("SETUP-ROUND-TRIP")
@settings(max_examples=50)
@given(toml_documents())
def test_toml_comes_back_byte_for_byte(text: str) -> None:
    assume(_is_toml(text))
    _check_round_trip(TABLE, TABLE._replace(fields=NEWER), text)


@requirement("SETUP-ROUND-TRIP")
@settings(max_examples=50)
@given(prose())
def test_prose_comes_back_byte_for_byte(text: str) -> None:
    _check_round_trip(BLOCK, BLOCK._replace(body="## Other\n"), text)


@requirement("SETUP-FOREIGN")
@settings(max_examples=30)
@given(json_documents(with_comments=True), toml_documents(), prose())
def test_what_force_replaces_comes_back_byte_for_byte(
    json_text: str, toml_text: str, prose_text: str
) -> None:
    assume(_is_toml(toml_text))
    texts = (json_text, toml_text, prose_text)
    for (piece, newer), text in zip(PIECES, texts, strict=True):
        _check_force(piece, newer, newer.insert(text).apply(text).replace("/opt/new", "/my/own"))


@requirement("SETUP-EDITS")
@given(json_documents(with_comments=True))
def test_an_entry_is_taken_out_of_json_that_someone_wrote_anew(text: str) -> None:
    """As a client does that reads its file and writes it in its own layout."""
    edit = COMMENTED.insert(text)
    read = COMMENTED._read(edit.apply(text)).value
    anew = json.dumps(_plain(read), indent=1, ensure_ascii=False)
    found = COMMENTED.find(anew)
    assert found is not None

    rest = COMMENTED.remove(anew, found, COMMENTED.made_in(text))

    assert COMMENTED.find(rest) is None
    before = COMMENTED._read(text)
    assert COMMENTED._read(rest).value == (() if before.is_blank else before.value)


@requirement("SETUP-EDITS")
@given(json_documents(with_comments=True), st.data())
def test_comments_survive_an_entry_that_is_taken_out(text: str, data: st.DataObject) -> None:
    edit = COMMENTED.insert(text)
    after = edit.apply(text) + data.draw(st.sampled_from(["", "\n// later\n"]))
    found = COMMENTED.find(after)
    assert found is not None

    rest = COMMENTED.remove(after, found, COMMENTED.made_in(text))

    assert _comments(rest) == _comments(after)


def _check_round_trip(piece: Piece, newer: Piece, text: str) -> None:
    """Install, install again, renew, uninstall: on a real file, each time through the receipt."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(text.encode())
        item = Item(Kind.SERVER, str(path), piece, None, is_private=False)
        later = item._replace(piece=newer)
        store = store_in(folder)

        assert [c.status for c in carry_out([item], INSTALL, store)] == [Status.UPDATED]
        written = path.read_bytes()
        assert [c.status for c in carry_out([item], INSTALL, store)] == [Status.UNCHANGED]
        assert path.read_bytes() == written
        assert [c.status for c in carry_out([later], INSTALL, store)] == [Status.UPDATED]
        found = newer.find(path.read_bytes().decode())
        assert found is not None
        assert found.value == newer.value
        assert [c.status for c in carry_out([later], UNINSTALL, store)] == [Status.REMOVED]
        assert path.read_bytes() == text.encode()
        assert plan_change(item, UNINSTALL, store).status is Status.ABSENT
        assert [each.name for each in Path(folder).iterdir()] == ["file"]


def _check_force(piece: Piece, newer: Piece, text: str) -> None:
    """Kept, replaced by force, renewed, and brought back."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(text.encode())
        item = Item(Kind.SERVER, str(path), piece, None, is_private=False)
        store = store_in(folder)

        assert [c.status for c in carry_out([item], INSTALL, store)] == [Status.KEPT]
        assert path.read_bytes() == text.encode()
        forced = INSTALL._replace(force=True)
        assert [c.status for c in carry_out([item], forced, store)] == [Status.UPDATED]
        renewed = item._replace(piece=newer)
        assert [c.status for c in carry_out([renewed], INSTALL, store)] == [Status.UPDATED]
        assert [c.status for c in carry_out([renewed], UNINSTALL, store)] == [Status.REMOVED]
        assert path.read_bytes() == text.encode()


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return {name: _plain(each) for name, each in value}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _comments(text: str) -> list[str]:
    return [text[start:end] for start, end in COMMENTED._read(text).comments]
