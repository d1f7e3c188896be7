"""Where lines start, and text folded to one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.text.lines import fold_white_space, line_starts, lines_at
from tests.support.native import needs_kernels, without_kernels


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


@needs_kernels
@given(
    text=st.text(alphabet="aé日\n", max_size=60).map(str.encode),
    chosen=st.sets(st.integers(0, 60), max_size=8),
)
def test_lines_around_offsets_are_the_same_in_c(text: bytes, chosen: set[int]) -> None:
    starts = [place for place in range(len(text) + 1) if text[place : place + 1] < b"\x80"]
    starts += [place for place in range(len(text)) if text[place] >= 0xC0]
    places = sorted(place for place in starts if place in chosen)
    with without_kernels():
        expected = lines_at(text, places)

    assert lines_at(text, places) == expected
    lines = text.decode().split("\n")
    assert expected.texts == [lines[number - 1] for number in expected.numbers]


@needs_kernels
def test_offsets_outside_of_a_text_are_refused() -> None:
    for places in ([3], [-1], [1, 0]):
        with pytest.raises(ValueError, match="ascend within the text"):
            lines_at(b"ab", places)
