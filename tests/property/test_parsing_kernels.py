"""What the parser does in C it does alike in Python, whatever the text."""

from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cruxe.model.symbols import ParsedFile
from cruxe.parse.extract import parse_source
from cruxe.parse.language import (
    Language,
)
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from cruxe.workspace.decode import decode_text
from tests.support.garbling import LANGUAGES, MAX_NODES, fixture_paths, garbled_files, read_fixture
from tests.support.native import needs_kernels, without_kernels

pytestmark = needs_kernels

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
