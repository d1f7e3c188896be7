"""Where lines start, and text folded to one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.text.lines import fold_white_space, line_starts


@pytest.mark.parametrize(
    ("data", "starts"),
    [
        (b"", [0]),
        (b"a", [0]),
        (b"a\n", [0]),
        (b"a\nb", [0, 2]),
        (b"\n\n\n", [0, 1, 2]),
        ("é\nb\x0cc\x1cd\u2028e\u0085f".encode(), [0, 3]),
    ],
)
def test_lines_start_after_line_feeds(data: bytes, starts: list[int]) -> None:
    assert line_starts(data) == starts


@given(data=st.binary(max_size=100).map(lambda data: data.replace(b"\r", b"")))
def test_there_are_as_many_lines_as_an_editor_shows(data: bytes) -> None:
    starts = line_starts(data)

    assert len(starts) == data.count(b"\n") + (not data.endswith(b"\n"))
    assert [data[start - 1 : start] for start in starts[1:]] == [b"\n"] * (len(starts) - 1)


def test_white_space_folds_to_single_spaces() -> None:
    assert fold_white_space("  def f(\n\ta,\r\n  b )  ") == "def f( a, b )"
