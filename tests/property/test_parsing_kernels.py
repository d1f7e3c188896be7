"""What the parser does in C it does alike in Python, whatever the text."""

from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cruxe.model.identity import VersionKey
from cruxe.model.symbols import ParsedFile, Symbol, SymbolKind, Visibility
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.parse.extract import parse_source
from cruxe.parse.keyword_scan import count_each, words_in
from cruxe.parse.language import (
    Language,
    fold_value,
    head_between,
    trim_signature,
    value_between,
)
from cruxe.parse.languages import registry
from cruxe.parse.languages.c.macros import blank_macros
from cruxe.parse.source_text import SourceText
from cruxe.store.records import parsed_record
from cruxe.workspace.decode import decode_text
from tests.support.garbling import LANGUAGES, MAX_NODES, fixture_paths, garbled_files, read_fixture
from tests.support.native import needs_kernels, without_kernels

pytestmark = needs_kernels

# Markers, frames and rules; letters and white space that only Python reads.
COMMENTS: Final = st.text(" \t\n*/#-=;%<!>|@a1(~_\r\x0b\x1c\xe9\u2028", max_size=30)
HEADS: Final = st.text(" \t\n=>{:;ab\r\x0c\xe9\u3000", max_size=40)
BROKEN_HEADS: Final = st.lists(
    st.sampled_from([*"()[]{}<>,_a1 \n\n\n=é", "f(", ",\n)", "(\n", "(" * 33]), max_size=40
).map("".join)
WORDS: Final = st.sampled_from(
    (
        *("API", "Q_OBJECT", "int", "f", "class", "A", "TEST(a, b)", "x9", "B_C(", "DD:", "\xe9"),
        *("if", "(", ")", "{", "}", ";", "=", ",", "*", ">", ":", " ", "  ", "\n", "\t", "#"),
        "\\\n",
    )
)
TOKENS: Final = st.sampled_from(
    (
        "a",
        "Vec",
        "T",
        "S",
        "::",
        "(x)",
        "()",
        ".go",
        ".map",
        "\n",
        " ",
        ";",
        "<T>",
        "{",
        "}",
        "\xe9",
    )
)
# What heads and docstrings of Python are made of, plain or not.
PYTHON: Final = st.sampled_from(
    (
        *("a", "b: int", "c='x'", 'd="#"', "(", ")", "[", "]", "{", "}", ",", " ", ":", "->", "#"),
        *(
            "\n",
            "\n    ",
            "\n\n    ",
            "\\\n",
            "\t",
            '"',
            "'",
            '"""',
            "'''",
            "r",
            "u",
            "f",
            "b",
            ";",
        ),
        *("say", "pass", "\\n", "@a\n", "lambda: 0", "=", "\xe9", "\x0c", "async ", "\ndef g"),
    )
)
SIGNS: Final = (b"ab", b"abc", b" a", b"a b", b"\n@")
SYMBOLS: Final = st.builds(
    Symbol,
    name=st.text("aB_9\xdf\u0130", max_size=4) | st.text(max_size=300),
    scope=st.sampled_from(["", "a.", "a.B::"]) | st.text(max_size=40),
    kind=st.sampled_from(SymbolKind),
    visibility=st.sampled_from(Visibility),
    parent=st.integers(-1, 1 << 17),
    line_start=st.sampled_from([0, 127, 128, 255, 256, 65_535, 65_536, (1 << 32) - 1, 1 << 32]),
    line_end=st.integers(0, 1 << 40),
    name_line=st.integers(0, 1 << 40),
    signature=st.text(max_size=40) | st.sampled_from(["x" * 255, "x" * 256, "x" * 70_000]),
    doc=st.text(max_size=40),
    stable_id=st.binary(min_size=8, max_size=8).map(bytes.hex),
)


def parsed(path: str, data: bytes, language: Language) -> ParsedFile:
    return parse_source(SourceText(path, decode_text(data).utf8), language, MAX_NODES)


@pytest.mark.parametrize("path", fixture_paths())
def test_a_fixture_is_parsed_alike(path: str) -> None:
    data, inner = read_fixture(path), path.partition("/")[2]
    language = registry().detect(inner, data)

    in_c = parsed(inner, data, language)

    with without_kernels():
        assert parsed(inner, data, language) == in_c


@pytest.mark.parametrize("name", LANGUAGES)
def test_garbled_files_are_parsed_alike(name: str) -> None:
    for data in garbled_files(name, "kernels", 12):
        in_c = parsed("some/place.c", data, LANGUAGES[name])

        with without_kernels():
            assert parsed("some/place.c", data, LANGUAGES[name]) == in_c, data


@given(tokens=st.lists(TOKENS, max_size=25))
@example(tokens=["std::", "mem::", "T::", "take", "(x)", ".iter()\n", ".map", "(f)"])
@example(tokens=["long_name::" * 9, "go", "()"])
def test_mentions_and_their_paths_are_placed_alike(tokens: list[str]) -> None:
    data = f"fn f<T: Copy>(x: T) {{ {''.join(tokens)} }}\nstruct S;".encode()
    in_c = parsed("src/a.rs", data, LANGUAGES["rust"])

    with without_kernels():
        assert parsed("src/a.rs", data, LANGUAGES["rust"]) == in_c


@given(text=st.text('a"\\\0\x01\x1f\x7f\t\r\b\f\xe9\u2028\U0001f600', max_size=20))
def test_mentions_are_written_alike(text: str) -> None:
    data = f"a['{text}'].go()\n{text}.go({text})\nfrom b import {text}\n".encode()
    in_c = parsed("a.py", data, LANGUAGES["python"])

    with without_kernels():
        assert parsed("a.py", data, LANGUAGES["python"]) == in_c


@given(
    mentions=st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 3), st.integers(0, 9)), max_size=700
    )
)
@example(mentions=[(number, 0, 0) for number in range(500)] * 2)
def test_mentions_of_many_names_are_gathered_alike(mentions: list[tuple[int, int, int]]) -> None:
    lines = [f"q{receiver}.name{name}{'()' * kind}" for name, kind, receiver in mentions]
    data = "\n".join(lines).encode()
    in_c = parsed("a.py", data, LANGUAGES["python"])

    with without_kernels():
        assert parsed("a.py", data, LANGUAGES["python"]) == in_c


@given(symbols=st.lists(SYMBOLS, max_size=20), key=st.integers(0, (1 << 64) - 1))
def test_symbols_are_packed_alike(symbols: list[Symbol], key: int) -> None:
    file = parsed("a.txt", b"", LANGUAGES["text"])._replace(symbols=tuple(symbols))
    in_c = parsed_record(VersionKey(key), "a", "b", 1, file)

    with without_kernels():
        assert parsed_record(VersionKey(key), "a", "b", 1, file) == in_c


@given(symbol=SYMBOLS)
def test_a_key_that_no_number_of_64_bits_holds_is_refused_alike(symbol: Symbol) -> None:
    file = parsed("a.txt", b"", LANGUAGES["text"])._replace(symbols=(symbol,))

    with pytest.raises(OverflowError):
        parsed_record(VersionKey(1 << 64), "a", "b", 1, file)
    with without_kernels(), pytest.raises(OverflowError):
        parsed_record(VersionKey(1 << 64), "a", "b", 1, file)


@given(comments=st.lists(COMMENTS, max_size=3))
@example(comments=["/** One\n * two **/"])
@example(comments=["/**/", "//! a", "--| b", "<!-- c -->", "# ---"])
@example(comments=["/* " + "long " * 900 + "*/"])
def test_comments_say_the_same(comments: list[str]) -> None:
    in_c = strip_comment_markers(comments)

    with without_kernels():
        assert strip_comment_markers(comments) == in_c


@given(text=HEADS, start=st.integers(0, 50), end=st.integers(0, 90))
@example(text="int f(a,\n   b) => {", start=0, end=90)
@example(text="word " * 1_000 + "{", start=3, end=9_000)
def test_heads_are_the_same(text: str, start: int, end: int) -> None:
    source = SourceText("a", text.encode())
    in_c = head_between(source, start, end), value_between(source, start, end)

    with without_kernels():
        assert (head_between(source, start, end), value_between(source, start, end)) == in_c


@given(text=BROKEN_HEADS)
@example(text="f(\n  a: (A,),\n  b: (\n    Map<K, V>,\n  ),\n)")
@example(text="(" * 40 + "\n1,\n2,\n" + ")" * 40)
@example(text=")\n(\n)\n)")
def test_heads_of_several_lines_are_the_same(text: str) -> None:
    in_c = trim_signature(text), fold_value(text)

    with without_kernels():
        assert (trim_signature(text), fold_value(text)) == in_c


@given(head=st.lists(PYTHON, max_size=8), body=st.lists(PYTHON, max_size=12))
@example(head=["(", "a", ",", "\n", "b: int", ")", "->", "a"], body=['"""', "say", '"""'])
@example(head=[], body=["r", "'", "say", "'", "\n    ", "pass"])
@example(head=["(", 'd="#"', ")"], body=['"', "say", '"', " ", '"', "say", '"'])
@example(head=["(", ")"], body=["r", "=", '"', "say", '"'])
@example(head=["(", ")"], body=["(", '"', "say", '"', ")"])
@example(head=[], body=["(", "a", "#", ":", "say"])  # a bracket that is never closed
def test_heads_and_docstrings_of_python_are_the_same(head: list[str], body: list[str]) -> None:
    words = f"{''.join(head)}:\n    {''.join(body)}\n"
    data = f"class A{words}def f{words}\nx = 1\n{''.join(body)}\n".encode()
    in_c = parsed("a.py", data, LANGUAGES["python"])

    with without_kernels():
        assert parsed("a.py", data, LANGUAGES["python"]) == in_c


@given(text=st.text("ab\n\xe9", max_size=40))
@example(text="")
@example(text="\n")
def test_lines_start_at_the_same_places(text: str) -> None:
    in_c = SourceText("a", text.encode()).line_starts

    with without_kernels():
        assert SourceText("a", text.encode()).line_starts == in_c


@given(words=st.lists(WORDS, max_size=30))
@example(words=["class", " ", "API", " ", "A", "{"])
@example(words=["int", " ", "f", "(", ")", " ", "TEST(a, b)", ";"])
def test_the_same_macros_are_blanked(words: list[str]) -> None:
    text = "".join(words).encode()
    in_c = blank_macros(text)

    with without_kernels():
        assert blank_macros(text) == in_c


@given(text=st.text("ab c\n@\xe9", max_size=30))
def test_the_same_words_and_signs_are_found(text: str) -> None:
    data = text.encode()
    in_c = words_in(data, SIGNS), count_each(data, b"ab \xc3")

    with without_kernels():
        assert (words_in(data, SIGNS), count_each(data, b"ab \xc3")) == in_c
