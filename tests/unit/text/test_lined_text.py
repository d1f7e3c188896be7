"""A text read by line ranges gives the same lines folded and unfolded."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.query.select.verify import FileText
from cruxe.text.lines import LinedText


@given(
    text=st.lists(st.sampled_from(["", "a", "été", "a\x0cb\u2028c"]), max_size=6).map("\n".join),
    first=st.integers(1, 8),
    last=st.integers(0, 8),
)
def test_some_lines_of_a_text_are_those_of_all_its_lines(text: str, first: int, last: int) -> None:
    lines, lined = text.split("\n"), LinedText(text)

    unfolded = lined.between(first, last)
    lined.fold()

    assert unfolded == lines[first - 1 : last]
    assert lined.between(first, last) == unfolded
    assert lined.line_count == max(1, len(lines) - text.endswith("\n"))
    assert FileText("a.py", lined, None).whole == text


def test_a_lined_text_takes_little_more_than_its_text() -> None:
    text = "def lantern():\n    return bright\n" * 1_000

    assert len(text) < LinedText(text).size_bytes < 1.4 * len(text)
