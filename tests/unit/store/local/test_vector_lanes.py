"""Rows all at once give what they give one by one."""

from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.store.local.vector_lanes import (
    distance_reached,
    distances_of,
    flags_within,
    products_of,
)

CODE_BYTES = st.integers(1, 70)
NUMBERS = st.integers(-20_000, 20_000)


@given(data=st.data(), size=CODE_BYTES, count=st.integers(0, 9))
def test_distances_are_the_bits_that_differ(data: st.DataObject, size: int, count: int) -> None:
    code = data.draw(st.binary(min_size=size, max_size=size))
    codes = data.draw(st.binary(min_size=size * count, max_size=size * count))

    own = int.from_bytes(code, "big")
    rows = [codes[place * size : (place + 1) * size] for place in range(count)]
    expected = [(int.from_bytes(row, "big") ^ own).bit_count() for row in rows]
    assert [*distances_of(codes, code)] == expected


@pytest.mark.parametrize("size", [31, 32, 33, 96])
def test_a_code_that_differs_in_every_bit_is_the_furthest(size: int) -> None:
    code = bytes(range(size))
    opposite = bytes(value ^ 255 for value in code)

    assert [*distances_of(code + opposite + code, code)] == [0, 8 * size, 0]


@given(distances=st.lists(st.integers(0, 255), min_size=1, max_size=60), least=st.integers(1, 70))
def test_at_least_so_many_are_within_the_distance_reached(distances: list[int], least: int) -> None:
    expected = sorted(distances)[min(least, len(distances)) - 1]

    assert distance_reached(distances, least) == expected
    assert distance_reached(bytes(distances), least) == expected
    within = [distance <= expected for distance in distances]
    assert [*flags_within(distances, expected)] == within
    assert [*flags_within(bytes(distances), expected)] == within


@given(data=st.data(), query=st.lists(NUMBERS, min_size=1, max_size=300))
def test_products_are_exact(data: st.DataObject, query: list[int]) -> None:
    numbers = st.lists(st.integers(-128, 127), min_size=len(query), max_size=len(query))
    rows = data.draw(st.lists(numbers, max_size=4))

    packed = b"".join(bytes(number & 255 for number in row) for row in rows)
    assert products_of(packed, query) == [sum(map(mul, row, query)) for row in rows]


def test_products_that_need_long_lanes_are_exact() -> None:
    query = [16_384, -16_384] * 1_024

    assert products_of(bytes([127, 129] * 1_024) * 2, query) == [127 * 16_384 * 2_048] * 2
