"""Vectors of words: what is near, and that every machine and both arithmetics give the same."""

import mmap
import sys
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cruxe.embed import EmbeddingUnavailableError
from cruxe.embed import encoding as mixing
from cruxe.embed.encoding import Encoder, FilePieces
from cruxe.embed.quantise import QUERY_LENGTH
from cruxe.embed.table import (
    ModelTable,
    PieceCounter,
    Vocabulary,
    open_table,
    parts_of_word,
    read_card,
)
from tests.support.models import TOPICS, write_model
from tests.support.native import in_c, needs_kernels, without_kernels

if TYPE_CHECKING:
    from cruxe.native import MixingTable

WORDS = [word for each in TOPICS.values() for word in each]
# Pieces by place, each a number of times.
counts = st.dictionaries(st.integers(0, len(WORDS) - 1), st.integers(1, 5_000), max_size=4)
pieces = counts.map(
    lambda found: b"".join(array("i", [place]).tobytes() * found[place] for place in found)
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> ModelTable:
    return open_table(write_model(tmp_path_factory.mktemp("model")))


files = st.builds(FilePieces, st.lists(pieces, max_size=4), pieces, pieces, pieces)


@needs_kernels
@given(file=files)
def test_c_gives_the_very_bits_that_python_does(table: ModelTable, file: FilePieces) -> None:
    assert Encoder(table).file_vectors(file) == mixing.file_vectors(table, file)


@needs_kernels
@example({})
@given(counts)
def test_c_gives_a_question_the_direction_that_python_does(
    table: ModelTable, found: dict[int, int]
) -> None:
    vector = mixing.query_vector(table, found)

    with without_kernels():
        assert mixing.query_vector(table, found) == vector


@needs_kernels
@example([0, 0, 0, 0])
@example([127, -128, 1, -1])
@given(st.lists(st.integers(-128, 127), min_size=1, max_size=300))
def test_it_does_so_for_rows_of_any_numbers(table: ModelTable, numbers: list[int]) -> None:
    large = mmap.mmap(-1, 2 * len(numbers))
    large[:] = array("b", [*numbers, *reversed(numbers)]).tobytes()
    card = table.card._replace(dimensions=len(numbers), pieces=2)
    strange = table._replace(card=card, rows=large, first_row=0)
    vector = mixing.query_vector(strange, {0: 2, 1: 1})

    with without_kernels():
        assert mixing.query_vector(strange, {0: 2, 1: 1}) == vector


@needs_kernels
@pytest.mark.parametrize(
    ("shape", "places", "factors"),
    [
        ((0, 64), [-1], [1]),
        ((0, 64), [1 << 40], [1]),
        ((-1, 64), [0], [1]),
        ((1 << 40, 64), [0], [1]),
        ((0, 0), [0], [1]),
        ((0, 1 << 40), [0], [1]),
        ((0, 64), [0, 1], [1]),
    ],
)
def test_rows_that_are_not_in_the_table_are_refused(
    table: ModelTable, shape: tuple[int, int], places: list[int], factors: list[int]
) -> None:
    rows, length = (table.rows, *shape), QUERY_LENGTH

    with pytest.raises(ValueError, match=r"not in the table|do not fit"):
        in_c().directed(rows, array("q", places), array("q", factors), 1.0, length)


@needs_kernels
def test_c_gives_them_for_a_table_of_large_numbers_too(tmp_path: Path) -> None:
    table = open_table(write_model(tmp_path))
    numbers = len(table.rows) - table.first_row
    large = mmap.mmap(-1, len(table.rows))
    large[table.first_row :] = bytes([127, 129] * (numbers // 2))
    table = table._replace(rows=large)
    file = FilePieces([array("i", [0, 1, 1]).tobytes()], b"", b"", array("i", [2]).tobytes())

    assert Encoder(table).file_vectors(file) == mixing.file_vectors(table, file)


@needs_kernels
@pytest.mark.parametrize("place", [-1, len(WORDS)])
def test_a_piece_outside_of_the_table_is_refused(table: ModelTable, place: int) -> None:
    strange = array("i", [place]).tobytes()

    with pytest.raises(ValueError, match="not in the table"):
        Encoder(table).file_vectors(FilePieces([strange], b"", b"", b""))


@needs_kernels
def test_parts_of_a_table_that_do_not_fit_are_refused(table: ModelTable) -> None:
    rows, scales, damped, centre, *weights = mixing.mixing_table(table)
    wrong = [
        (rows[1:], scales, damped, centre),
        (rows, scales, array("q"), centre),
        (rows, scales, damped, centre[1:]),
        (rows, scales, damped, array("b")),
    ]

    for parts in wrong:
        with pytest.raises(ValueError, match="do not fit"):
            in_c().file_vectors(cast("MixingTable", (*parts, *weights)), [], b"", b"", b"")


@needs_kernels
@pytest.mark.parametrize("total", [0, -1, (1 << 17) + 1, 1 << 62])
def test_weights_that_floats_cannot_add_exactly_are_refused(table: ModelTable, total: int) -> None:
    *parts, _, path, stem, fractions, length = mixing.mixing_table(table)
    strange = cast("MixingTable", (*parts, total, path, stem, fractions, length))

    with pytest.raises(ValueError, match="do not fit"):
        in_c().file_vectors(strange, [], b"", b"", b"")


@needs_kernels
def test_a_piece_that_weighs_less_than_nothing_is_refused(table: ModelTable) -> None:
    rows, scales, *others = mixing.mixing_table(table)
    strange = cast("MixingTable", (rows, array("q", [-1, *scales[1:]]), *others))
    file = array("i", [0, 1]).tobytes()

    with pytest.raises(ValueError, match="less than nothing"):
        in_c().file_vectors(strange, [file], b"", b"", b"")


def test_words_of_one_topic_are_near_and_others_are_not(table: ModelTable) -> None:
    encoder = Encoder(table)
    chunks = [encoder.pack(b"login password"), encoder.pack(b"invoice refund")]
    vectors = encoder.file_vectors(encoder.pieces_of("a.py", chunks, b""))
    query = encoder.query_vector("authenticate the credential")

    products = [_product(vectors.rows[row * 64 : (row + 1) * 64], query) for row in range(3)]

    assert products[0] > 4 * abs(products[1])
    assert products[2] == 0


def test_a_path_has_a_share_in_the_vectors_of_its_chunks_and_none_in_that_of_its_docs(
    table: ModelTable,
) -> None:
    encoder = Encoder(table)
    login = encoder.pack(b"login")
    paths = ("x.py", "payment/invoice.py")
    files = [encoder.pieces_of(path, [login], login) for path in paths]
    plain, placed = (encoder.file_vectors(file).rows for file in files)
    query = encoder.query_vector("charge")

    assert _product(placed[:64], query) > _product(plain[:64], query)
    assert placed[64:] == plain[64:]


def test_a_question_without_a_known_word_has_no_direction(table: ModelTable) -> None:
    assert Encoder(table).query_vector("zzz ???").tolist() == [0] * 64


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("getHTTPResponse2", ["get", "http", "response", "2"]),
        ("rate_limit", ["rate", "limit"]),
        ("MAX_VALUE", ["max", "value"]),
        ("naïve_word", ["na", "ve", "word"]),
        ("x" * 40, ["x" * 24]),
        ("123456", ["1234"]),
        ("___", []),
        ("", []),
    ],
)
def test_a_word_falls_into_parts(word: str, parts: list[str]) -> None:
    assert parts_of_word(word) == parts


@given(word=st.text("ab_AB1é", max_size=12))
def test_the_short_way_to_parts_is_the_long_one(word: str) -> None:
    # A capital in front keeps the short way from being taken.
    assert parts_of_word(f"Z_{word}")[1:] == parts_of_word(f"1_{word}")[1:]


def test_a_word_that_the_vocabulary_lacks_is_told_by_the_longest_pieces_that_it_has() -> None:
    counter = PieceCounter(Vocabulary(b"pay\npayment\ns"))

    assert counter.count(["payments", "paypay", "other"]) == {1: 1, 2: 1, 0: 2}


@needs_kernels
@given(
    pieces=st.lists(st.text("ab1", min_size=1, max_size=4), min_size=1, max_size=20),
    text=st.text("abAB1_\xe9 ", max_size=40),
)
@example(pieces=["a", "b" * 300], text="b" * 400 + "a")
@example(pieces=["1"], text="111111 1111\u2003A1")
def test_files_have_the_pieces_that_questions_have(pieces: list[str], text: str) -> None:
    vocabulary, spaced = Vocabulary("\n".join(pieces).encode()), text.encode()

    packed = {
        PieceCounter(vocabulary, is_for_files=is_for_files).pack(spaced, 0, len(spaced), 100)
        for is_for_files in (True, False)
    }

    with without_kernels():
        packed.add(PieceCounter(vocabulary).pack(spaced, 0, len(spaced), 100))
    assert len(packed) == 1


@pytest.mark.parametrize("name", ["vocab.txt", "table.npy", "scale.npy", "card.json"])
@pytest.mark.parametrize("damage", ["missing", "cut", "garbage"])
def test_a_model_that_cannot_be_read_is_unavailable(tmp_path: Path, name: str, damage: str) -> None:
    folder = write_model(tmp_path)
    path = tmp_path / name
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(b"" if damage == "cut" else b"\xff")

    with pytest.raises(EmbeddingUnavailableError, match="no embedding model can be read"):
        open_table(folder)


@pytest.mark.parametrize(
    "card",
    [
        "[]",
        "{}",
        '{"name": "x", "version": "1", "dimensions": "64"}',
        '{"name": "x", "version": "1", "dimensions": 64, "pieces": 1, "centre": [0]}',
        '{"name": "x", "version": "1", "dimensions": 2, "pieces": 1, "centre": [0, "a"]}',
    ],
)
def test_a_card_that_says_nonsense_is_unavailable(tmp_path: Path, card: str) -> None:
    folder = write_model(tmp_path)
    (tmp_path / "card.json").write_text(card)

    with pytest.raises(EmbeddingUnavailableError):
        read_card(folder)


def _product(row: bytes, query: Iterable[int]) -> int:
    return sum(
        int.from_bytes([number], sys.byteorder, signed=True) * other
        for number, other in zip(row, query, strict=True)
    )
