"""What must hold of every parsed file is noticed where it does not."""

from msgspec.json import encode

from benchmarks.suites.quality.parsing.invariants import misfits
from cruxe.model.symbols import (
    NO_SITES,
    Chunk,
    ParsedFile,
    SiteKind,
    Symbol,
    SymbolKind,
    Visibility,
)
from cruxe.parse.source_text import SourceText

SOURCE = SourceText("a.go", b"type T struct {\n}\n\nfunc (t T) m() {\n}\n")
NOTHING = ParsedFile("go", 5, (), NO_SITES, (), (Chunk(1, 5, -1),), (), (), ())


def symbol(name: str, lines: tuple[int, int], parent: int = -1) -> Symbol:
    kind = SymbolKind.STRUCT if name[0].isupper() else SymbolKind.FUNCTION
    start, end = lines
    return Symbol(name, "", kind, Visibility.PUBLIC, parent, start, end, start, name, "", name)


def told(*symbols: Symbol) -> list[str]:
    return misfits(SOURCE, NOTHING._replace(symbols=symbols))


def test_a_file_that_holds_is_told_nothing_of() -> None:
    assert told(symbol("T", (1, 2)), symbol("m", (4, 5), parent=0)) == []


def test_a_member_may_stand_outside_a_type_that_comes_first_but_outside_nothing_else() -> None:
    assert told(symbol("f", (1, 2)), symbol("g", (4, 5), parent=0)) == [
        "symbol 1 'g' at 4-5 is outside its parent 'f'"
    ]


def test_a_child_comes_after_its_parent() -> None:
    assert told(symbol("m", (4, 5), parent=1), symbol("T", (1, 2))) == [
        "symbol 0 'm' at 4-5 comes before its parent 1"
    ]


def test_a_symbol_is_within_the_lines_of_its_file() -> None:
    assert told(symbol("f", (4, 6))) == ["symbol 0 'f' at 4-6, named at 4, is not within 5 lines"]


def test_no_two_symbols_share_an_id() -> None:
    assert told(symbol("f", (1, 2)), symbol("f", (4, 5))) == ["2 symbols share the id f"]


def test_chunks_cover_every_line_once() -> None:
    gap = NOTHING._replace(chunks=(Chunk(1, 2, -1), Chunk(4, 5, -1)))
    short = NOTHING._replace(chunks=(Chunk(1, 4, -1),))

    assert misfits(SOURCE, gap) == [f"{Chunk(4, 5, -1)} does not follow line 2"]
    assert misfits(SOURCE, short) == ["the chunks end at line 4 of 5"]


def test_sites_and_prose_are_in_the_file() -> None:
    site = (SiteKind.CALL, "f", "", 9, -1)

    written = encode({"call": {"f": {"": [(9, -1)]}}})
    misfit = NOTHING._replace(written_sites=written, doc_spans=((0, 999),))

    assert misfits(SOURCE, misfit) == [
        f"{site} is not in the file",
        "the text from 0 to 999 is not in the file",
    ]
