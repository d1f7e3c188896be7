"""How many tokens a text has, about."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.text.tokens import estimate_tokens


def test_code_costs_about_a_token_for_three_characters() -> None:
    line = "    def find_workspace(directory: str, *, follow: bool = False) -> Workspace:\n"

    assert 20 <= estimate_tokens(line) <= 30


@given(text=st.text(max_size=80))
def test_no_text_but_a_blank_one_is_free(text: str) -> None:
    assert 0 <= estimate_tokens(text) <= len(text)
    assert estimate_tokens(text) > 0 or not text.strip(" ")
