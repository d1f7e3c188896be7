"""Which lines of a text hold a term."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.text.identifiers import terms_of_text
from cruxe.text.lines import TermLines

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
