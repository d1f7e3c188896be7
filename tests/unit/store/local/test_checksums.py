"""Checksums of rows: the same on every machine, or a sound store would be called damaged."""

from cruxe.store.local.checksums import row_checksum
from tests.requirements import requirement


@requirement("STORE-INTEGRITY")
def test_the_checksum_of_a_row_is_the_same_everywhere() -> None:
    found = row_checksum(1, -(2**40), "é\udce9", b"x", None, (2**62, "a"), [(1, "b")])

    assert found == 3747772939


@requirement("STORE-INTEGRITY")
def test_the_checksum_of_a_row_depends_on_values_alone() -> None:
    known = "lantern"
    other = b"lantern".decode()  # an object of its own, that no name refers to

    assert row_checksum(known, known, (known,)) == row_checksum(
        other, other, (b"lantern".decode(),)
    )
    assert row_checksum("1", "23") != row_checksum("12", "3")
