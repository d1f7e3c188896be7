"""The progress bar, with a clock that is wound by hand."""

import io

from cruxe.serve.cli.progress import ProgressBar
from cruxe.serve.cli.view import Palette

CLEAR = "\r\x1b[2K"


class Clock:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_bar_is_drawn_ten_times_a_second_at_most_and_always_at_the_end() -> None:
    stream, clock = io.StringIO(), Clock()
    bar = ProgressBar(stream, Palette(is_on=False), clock)

    for done in range(1, 1001):
        clock.now += 0.001
        bar(done, 1000)

    lines = stream.getvalue().split(CLEAR)[1:]
    assert len(lines) == 11
    assert lines[0] == f"indexing {'─' * 28} 1 of 1,000 files"
    assert lines[-1] == f"indexing {'━' * 28} 1,000 of 1,000 files, writing the index"


def test_the_time_left_is_told_once_there_is_a_rate_to_go_by() -> None:
    stream, clock = io.StringIO(), Clock()
    bar = ProgressBar(stream, Palette(is_on=False), clock)

    bar(1, 100)
    clock.now = 5.0
    bar(50, 100)

    assert stream.getvalue().endswith("50 of 100 files, 5 s left")


def test_a_bar_leaves_no_trace_and_one_that_was_never_drawn_writes_nothing() -> None:
    drawn, untouched = io.StringIO(), io.StringIO()
    bar = ProgressBar(drawn, Palette(is_on=False), Clock())
    bar(1, 2)
    bar.clear()
    ProgressBar(untouched, Palette(is_on=False), Clock()).clear()

    assert drawn.getvalue().endswith(CLEAR)
    assert untouched.getvalue() == ""
