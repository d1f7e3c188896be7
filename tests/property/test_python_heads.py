"""Heads and docstrings of Python that an expression reads are what the tree says they are."""

from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cruxe.model.symbols import ParsedFile
from cruxe.parse.extract import parse_source
from cruxe.parse.source_text import SourceText
from tests.support.garbling import LANGUAGES, MAX_NODES

# What heads and docstrings of Python are made of, plain or not.
PIECES: Final = st.sampled_from(
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


def parsed(data: bytes) -> ParsedFile:
    return parse_source(SourceText("a.py", data), LANGUAGES["python"], MAX_NODES)


@given(head=st.lists(PIECES, max_size=8), body=st.lists(PIECES, max_size=12))
@example(head=["(", "a", ",", "\n", "b: int", ")", "->", "a"], body=['"""', "say", '"""'])
@example(head=[], body=["r", "'", "say", "'", "\n    ", "pass"])
@example(head=["(", 'd="#"', ")"], body=['"', "say", '"', " ", '"', "say", '"'])
@example(head=["(", ")"], body=["r", "=", '"', "say", '"'])
@example(head=["(", ")"], body=["(", '"', "say", '"', ")"])
@example(head=[], body=["(", "a", "#", ":", "say"])  # a bracket that is never closed
@example(head=["("] * 6 + [")"] * 6, body=["pass"])  # deeper than the expression looks
@example(head=["(", "a", ")"], body=['"', '"', '"', '"', "say", '"""', '"'])
def test_plain_heads_are_what_the_tree_says(head: list[str], body: list[str]) -> None:
    words = f"{''.join(head)}:\n    {''.join(body)}\n"
    data = f"class A{words}def f{words}\nx = 1\n{''.join(body)}\n".encode()
    read = parsed(data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cruxe.parse.languages.python.read_plain_head", lambda *_: None)
        assert parsed(data) == read
