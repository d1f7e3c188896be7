"""The place of a piece is the same, found in the text or in the table made from it."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.embed.table import Vocabulary

PIECES = st.lists(st.text("ab1", min_size=1, max_size=3), min_size=1, max_size=30)
ENOUGH_FOR_A_TABLE = 200


@given(pieces=PIECES, asked=st.text("ab1", max_size=4))
def test_the_first_place_of_a_piece_is_told_however_often_it_is_asked_for(
    pieces: list[str], asked: str
) -> None:
    vocabulary = Vocabulary("\n".join(pieces).encode())
    place = pieces.index(asked) if asked in pieces else None

    assert {vocabulary.get(asked) for _ in range(ENOUGH_FOR_A_TABLE)} == {place}
    assert (len(vocabulary), vocabulary.longest) == (len(pieces), max(map(len, pieces)))
