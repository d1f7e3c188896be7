"""Sets of version keys, packed."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.stored import PackedKeys, pack_keys

KEYS = st.lists(st.integers(0, (1 << 54) - 1), max_size=50)


@given(keys=KEYS, others=KEYS)
def test_a_packed_set_is_the_set(keys: list[int], others: list[int]) -> None:
    packed = PackedKeys(pack_keys(keys))

    assert list(packed) == sorted(set(keys))
    assert len(packed) == len(set(keys))
    assert [key in packed for key in keys + others] == [key in keys for key in keys + others]


def test_the_same_keys_give_the_same_bytes_on_every_machine() -> None:
    assert pack_keys([258, 1, 258]) == b"\1\0\0\0\0\0\0\0\2\1\0\0\0\0\0\0"
    assert pack_keys([]) == b""
