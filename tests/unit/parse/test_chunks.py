"""Which definition a chunk is told as: one that has at least half of its lines, or none."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.symbols import NO_SYMBOL, Chunk, ParsedFile, Symbol, SymbolKind, Visibility
from cruxe.parse.chunks import cut_chunks
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from cruxe.parse.symbol_building import FileSymbols
from tests.requirements import requirement

LONG = 60  # characters of a line of which some twenty are a chunk


def told(text: str, path: str = "lamp.py") -> list[tuple[int, int, str]]:
    """The chunks of a file: first and last line, and what each is told as."""
    source = SourceText(path, text.encode())
    parsed = parse_source(source, registry().detect(path, source.data), max_nodes=100_000)
    return [(start, end, _name(parsed, symbol)) for start, end, symbol in parsed.chunks]


def _name(parsed: ParsedFile, symbol: int) -> str:
    return "" if symbol == NO_SYMBOL else parsed.symbols[symbol].name


def lines(count: int, indent: str = "    ") -> str:
    """So many statements, each of them long."""
    return "".join(f"{indent}{f'burn({number})'.ljust(LONG, '#')}\n" for number in range(count))


@requirement("PARSE-CHUNKS")
def test_a_chunk_is_told_as_the_definition_that_it_starts_with() -> None:
    assert told(f"def light():\n{lines(3)}") == [(1, 4, "light")]
    assert told("# Sets it on fire.\n# Mind the wick.\ndef light():\n    burn()\n") == [
        (1, 4, "light")
    ]


@requirement("PARSE-CHUNKS")
def test_a_class_is_told_and_not_the_method_that_is_most_of_it() -> None:
    assert told("WICK = 1\n\nclass Lamp:\n    def light():\n        burn()\n") == [(1, 5, "Lamp")]


@requirement("PARSE-CHUNKS")
def test_what_comes_before_a_definition_with_half_of_the_lines_does_not_name_the_chunk() -> None:
    text = "from oil import burn\n\nT = 1\n\n\ndef light():\n    a()\n    b()\n    c()\n    d()\n"

    assert told(text) == [(1, 10, "light")]


@requirement("PARSE-CHUNKS")
@pytest.mark.parametrize(
    "text",
    [
        "import oil\nimport wick\n\nT = 1\n",
        "A = 1\nB = 2\nC = 3\n",
        "def a():\n    pass\n\ndef b():\n    pass\n\ndef c():\n    pass\n",
    ],
    ids=["head of a module", "list of constants", "several small functions"],
)
def test_a_chunk_of_which_no_definition_has_half_is_a_region(text: str) -> None:
    assert told(text) == [(1, text.count("\n"), "")]


@requirement("PARSE-CHUNKS")
def test_the_end_of_a_definition_is_told_as_it_though_the_next_one_starts_there() -> None:
    inner = f"        def wick():\n{lines(25, ' ' * 12)}"
    text = f"class Lamp:\n    def light():\n{lines(30, ' ' * 8)}    def dim():\n{inner}"
    ends = [(end, name) for _, end, name in told(text)]

    # The head of `dim` stands in a piece of its own, which joins what comes before it.
    assert (33, "light") in ends
    assert ends[-1] == (59, "wick")


@requirement("PARSE-CHUNKS")
def test_small_members_are_a_region_and_the_first_of_them_are_their_class() -> None:
    members = "".join(f"    def m{number}():\n{lines(3, ' ' * 8)}\n" for number in range(12))
    first, *others = (name for _, _, name in told(f"class Lamp:\n{members}"))

    assert first == "Lamp"
    assert len(others) > 1
    assert {*others} == {""}


@requirement("PARSE-CHUNKS")
def test_the_values_of_a_class_are_told_as_the_class() -> None:
    values = "".join(f"    W{number} = {'1'.ljust(LONG, '0')}\n" for number in range(60))
    found = told(f"class Lamp:\n{values}")

    assert len(found) > 2
    assert {name for _, _, name in found} == {"Lamp"}


@requirement("PARSE-CHUNKS")
def test_the_parts_of_a_long_definition_are_told_as_it() -> None:
    found = told(f"def light():\n{lines(60)}")

    assert len(found) > 2
    assert {name for _, _, name in found} == {"light"}


class _Lines(NamedTuple):
    """A definition of a made-up file: where its doc comment starts, itself, and where it ends."""

    region: int
    start: int
    end: int
    kind: SymbolKind


_KINDS = st.sampled_from([SymbolKind.FUNCTION, SymbolKind.CONSTANT])


@st.composite
def _files(draw: st.DrawFn) -> tuple[int, list[_Lines]]:
    """A number of lines, and definitions in file order that are nested or apart."""
    count = draw(st.integers(1, 150))
    made: list[_Lines] = []

    def fill(first: int, last: int, depth: int) -> None:
        line = first
        while line <= last and len(made) < 40:
            region = draw(st.integers(line, last))
            start = min(last, region + draw(st.integers(0, 3)))
            end = draw(st.integers(start, last))
            made.append(_Lines(region, start, end, draw(_KINDS)))
            if depth and draw(st.booleans()):
                fill(min(start + draw(st.integers(0, 2)), end), end, depth - 1)
            line = end + 1 + draw(st.integers(0, 10))

    fill(1, count, 3)
    return count, made


@requirement("PARSE-CHUNKS")
@given(made=_files(), width=st.integers(0, 120))
def test_each_chunk_is_told_as_the_rule_says(made: tuple[int, list[_Lines]], width: int) -> None:
    count, symbols = made
    source = SourceText("a.py", (b"x" * width + b"\n") * count)

    for start, end, symbol in cut_chunks(source, _built(symbols)):
        assert symbol == _expected(start, end, symbols)


def _expected(start: int, end: int, symbols: list[_Lines]) -> int:
    """The first to start in a chunk and have half of it, else the last that started before."""
    starting = [number for number, each in enumerate(symbols) if start <= each.region <= end]
    before = [number for number, each in enumerate(symbols) if each.region < start]

    def has_half(number: int, last: int) -> bool:
        each = symbols[number]
        return 2 * (min(last, each.end) - max(start, each.region) + 1) >= end - start + 1

    cuts = [symbols[each].region for each in starting if symbols[each].kind is SymbolKind.FUNCTION]
    until = min([*cuts, end + 1]) - 1
    first = [number for number in starting if has_half(number, end)]
    around = [number for number in before if has_half(number, until)]
    return (first or around[-1:] or [NO_SYMBOL])[0]


def _built(symbols: list[_Lines]) -> FileSymbols:
    made = [
        Symbol("f", "", kind, Visibility.PUBLIC, NO_SYMBOL, start, end, start, "def f()", "", "")
        for _, start, end, kind in symbols
    ]
    return FileSymbols(tuple(made), [], [], [each.region for each in symbols], [], ())


_WRITTEN_LINES = st.lists(
    st.sampled_from([b"x" * 20, b"x" * 90, b"x" * 700, b"x" * 2100, b"", b"", b" \t\f", b"\x1c"]),
    min_size=1,
    max_size=150,
)


@st.composite
def _any_files(draw: st.DrawFn) -> tuple[SourceText, FileSymbols]:
    """Lines long, short and blank; definitions anywhere, even behind the last line."""
    written = b"\n".join(draw(_WRITTEN_LINES)) + draw(st.sampled_from([b"", b"\n"]))
    source = SourceText("a.py", written)
    numbers = st.integers(1, source.line_count + 1)
    symbols = draw(st.lists(st.builds(_Lines, numbers, numbers, numbers, _KINDS), max_size=30))
    built = _built(symbols)
    parents = [draw(st.integers(NO_SYMBOL, 0)) for _ in symbols]
    pairs = zip(built.symbols, parents, strict=True)
    inside = tuple(each._replace(parent=parent) for each, parent in pairs)
    return source, built._replace(symbols=inside)


@given(file=_any_files())
def test_chunks_cover_all_lines_once_and_in_order(file: tuple[SourceText, FileSymbols]) -> None:
    chunks = cut_chunks(*file)

    lines = [line for first, last, _ in chunks for line in range(first, last + 1)]
    assert lines == [*range(1, file[0].line_count + 1)]
    assert {type(each) for each in chunks} <= {Chunk}
