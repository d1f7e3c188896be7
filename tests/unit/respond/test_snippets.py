"""Which lines of a text hold a term."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.respond.snippets import PREVIEW_CHARACTERS, PREVIEW_LINES, TermLines, preview
from cruxe.text.identifiers import terms_of_text

WORDS = ("parse", "parser", "parsed_line", "reParse", "using", "use", "sky", "skies", "Müll", "x")
LINES = st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), max_size=8)


@given(LINES, st.sampled_from(WORDS))
def test_a_line_holds_a_term_if_it_is_one_of_its_own(lines: list[str], word: str) -> None:
    term = terms_of_text(word).split()[0]

    held = TermLines("\n".join(lines)).holding(term)

    assert held == [
        place for place, line in enumerate(lines) if term in terms_of_text(line).split()
    ]


def test_a_long_line_holds_its_terms_too() -> None:
    text = TermLines("first\n" + "word " * 100 + "lantern")

    assert [text.holding("lantern") for _ in range(2)] == [[1], [1]]


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
