"""Lines as they come through a pipe, in whatever pieces."""

import os
import threading

from hypothesis import given
from hypothesis import strategies as st

from cruxe.serve.mcp.stdio import read_lines

LIMIT = 12


@given(st.lists(st.binary(max_size=30), max_size=8))
def test_lines_are_the_same_however_they_were_cut(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    expected = whole.split(b"\n")
    if not expected[-1]:
        expected.pop()

    assert read_pieces(pieces) == [line if len(line) <= LIMIT else None for line in expected]


def test_a_line_that_is_too_long_takes_no_room_and_spoils_no_other() -> None:
    assert read_pieces([b"x" * 100_000, b"x" * 100_000 + b"\nafter\n"]) == [None, b"after"]


def read_pieces(pieces: list[bytes]) -> list[bytes | None]:
    """Write pieces into a pipe one by one, and read the lines that come out of it."""
    reading, writing = os.pipe()

    def write() -> None:
        for piece in pieces:
            rest = piece
            while rest:
                rest = rest[os.write(writing, rest) :]
        os.close(writing)

    writer = threading.Thread(target=write)
    writer.start()
    lines = list(read_lines(reading, LIMIT))
    writer.join()
    os.close(reading)
    return lines
