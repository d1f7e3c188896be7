"""Vectors as they are stored."""

from typing import NamedTuple


class Vectors(NamedTuple):
    """Vectors one after another, and the code of each: one bit a number."""

    rows: bytes  # one signed byte a number
    codes: bytes
