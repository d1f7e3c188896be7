"""Lines between marks are found, known and taken out, and other lines are never touched."""

from typing import Final

import pytest

from cruxe.setup.marks import MarkedBlock
from cruxe.setup.own_file import OwnFile
from cruxe.setup.pieces import UnusableTextError
from tests.requirements import requirement

BLOCK: Final = MarkedBlock("## Tea\n\n- pour\n")
LINES: Final = "<!-- cruxe setup: begin 56cf93e8 -->\n## Tea\n\n- pour\n<!-- cruxe setup: end -->\n"
FILE: Final = OwnFile("# Tea\n")


def test_a_block_stands_apart_at_the_end() -> None:
    assert BLOCK.insert("# A\n").apply("# A\n") == f"# A\n\n{LINES}"
    assert BLOCK.insert("# A").apply("# A") == f"# A\n\n{LINES}"
    assert BLOCK.insert("").apply("") == LINES


def test_a_block_is_known_whatever_its_line_breaks() -> None:
    found = BLOCK.find(f"# A\r\n\r\n{LINES}".replace("\n", "\r\n"))

    assert found is not None
    assert (found.value, found.is_marked) == (BLOCK.body, True)


def test_a_block_that_someone_changed_is_not_ours() -> None:
    found = BLOCK.find(LINES.replace("pour", "sip"))

    assert found is not None
    assert (found.value, found.is_marked) == ("## Tea\n\n- sip\n", False)


def test_a_mark_inside_a_line_is_prose() -> None:
    text = "Setup writes `<!-- cruxe setup: begin 56cf93e8 -->` and `<!-- cruxe setup: end -->`.\n"

    assert BLOCK.find(text) is None


@requirement("SETUP-REFUSE")
@pytest.mark.parametrize(
    "text", [LINES + LINES, LINES.partition("\n")[0], "<!-- cruxe setup: end -->"]
)
def test_marks_that_do_not_pair_are_refused(text: str) -> None:
    with pytest.raises(UnusableTextError, match="twice, or one without the other"):
        BLOCK.find(text)


@requirement("SETUP-EDITS")
def test_a_block_leaves_what_was_written_behind_it() -> None:
    text = f"# A\n\n{LINES}\n# B\n"
    found = BLOCK.find(text)
    assert found is not None

    assert BLOCK.remove(text, found, 0) == "# A\n\n# B\n"


def test_a_file_of_ours_is_known_by_its_last_line() -> None:
    text = FILE.insert("").apply("")
    found, changed = FILE.find(text.replace("\n", "\r\n")), FILE.find(text.replace("Tea", "T"))

    assert text == "# Tea\n<!-- written by cruxe setup 4c5166dd -->\n"
    assert found is not None
    assert changed is not None
    assert (found.value, found.is_marked, changed.is_marked) == (text, True, False)
