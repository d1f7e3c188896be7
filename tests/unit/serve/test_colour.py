"""When output is coloured, and what may not reach a terminal."""

import io

import pytest

from cruxe.serve.cli.view import Colour, Palette, harmless, wants_colour


class Terminal(io.StringIO):
    """A stream that someone watches."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.mark.parametrize(
    ("environ", "on_terminal", "in_pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"CLICOLOR_FORCE": "0"}, True, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False, False),
    ],
)
@pytest.mark.skipif("sys.platform == 'win32'", reason="asks the console itself there")
def test_the_stream_and_the_environment_decide(
    environ: dict[str, str], *, on_terminal: bool, in_pipe: bool
) -> None:
    assert wants_colour(Terminal(), environ) is on_terminal
    assert wants_colour(io.StringIO(), environ) is in_pipe


def test_paint_marks_text_and_nothing_stays_nothing() -> None:
    assert Palette(is_on=True).paint(Colour.BAD, "x") == "\x1b[1;31mx\x1b[0m"
    assert Palette(is_on=True).paint(Colour.BAD, "") == ""
    assert Palette(is_on=False).paint(Colour.BAD, "x") == "x"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("größe 茶", "größe 茶"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb", "a\\nb"),
        ("a\u202eb", "a\\u202eb"),
        ("\udcff", "\\udcff"),
    ],
)
def test_what_a_terminal_would_act_upon_is_escaped(text: str, shown: str) -> None:
    assert harmless(text) == shown
