"""How a region's start is shown."""

from cruxe.respond.snippets import PREVIEW_CHARACTERS, PREVIEW_LINES, preview


def test_a_preview_is_whole_within_its_lines_and_characters() -> None:
    short = [f"line {number}" for number in range(PREVIEW_LINES)]

    assert preview(short) == "\n".join(short)
    assert preview([]) == ""


def test_a_preview_ends_with_a_whole_line_and_a_mark_where_more_follows() -> None:
    many = [f"line {number}" for number in range(PREVIEW_LINES + 1)]
    wide = ["x" * 150] * 12

    assert preview(many) == "\n".join([*many[:PREVIEW_LINES], "…"])
    assert preview(wide) == "\n".join([*wide[: PREVIEW_CHARACTERS // 151], "…"])


def test_a_preview_has_a_first_line_of_bearable_length() -> None:
    assert preview(["x" * 5_000]) == "x" * 200 + " …"
