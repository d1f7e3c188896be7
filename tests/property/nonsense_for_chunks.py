"""Gives the kernels of chunks, documents and rows nonsense, by a fixed chance. Run as a program.

Two more get numbers that let go of what holds them.
"""

import os
import random
import sys
from array import array
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from cruxe.native import kernels

if TYPE_CHECKING:
    from collections.abc import Callable

CHANCE = random.Random(7)  # noqa: S311 - no secret


def some_bytes(*sizes: int) -> bytes:
    """Bytes of one of some sizes."""
    return CHANCE.randbytes(CHANCE.choice(sizes))


class Part(tuple[int, int, int]):
    """A chunk."""

    __slots__ = ()


def cut_texts() -> None:
    """Lines and symbols outside of the text, symbols that are none, and sizes of all kinds."""
    text = bytes(CHANCE.choices(b"ab \n\n", k=CHANCE.choice([0, 9, 300])))
    starts = CHANCE.choice([in_c.line_starts(text)] * 9 + [[], [3, 1], [0, 1 << 40]])
    odd = CHANCE.random() < 0.05
    numbers = [*range(0 if odd else 1, len(starts) + 2), *[-1, 1 << 40, 1 << 70, "x"][: 4 * odd]]
    shape = [(), 7, ("a",)] if odd else []
    symbols = tuple(
        CHANCE.choice([("ab"[CHANCE.random() < 0.5], *CHANCE.choices(numbers, k=3))] * 9 + shape)
        for _ in range(CHANCE.choice([0, 1, 30]))
    )
    regions = CHANCE.choices(numbers, k=len(symbols) + (CHANCE.random() < 0.01))
    sizes = CHANCE.choices([0, 1, 2, 9, 300, 2**31 - 1, -1], [1, 3, 3, 3, 3, 3, 0.1], k=5)
    places = CHANCE.choice([(0, 1, 2, 3)] * 9 + [(0, -1, 4, 1 << 40)])
    rule = frozenset("b"), places, tuple(sizes)
    kind = CHANCE.choice([Part] * 9 + [list])
    cutting = cast("Callable[..., object]", in_c.cut_chunks)
    cutting((text, starts), (symbols, regions), kind, rule)


def write_documents() -> None:
    """Chunks and names that are none, lines in no order, and terms of all lengths."""
    odd = CHANCE.random() < 0.05
    lines = [*range(30), 2**63 - 1, *[-1, 1 << 70, "x"][: 3 * odd]]
    rows = [CHANCE.choices(lines, k=3 - odd) for _ in range(CHANCE.choice([0, 1, 9]))]
    chunks = *map(tuple, rows), *[(), 7][: CHANCE.randint(0, 2) * odd]
    terms = [CHANCE.choice([some_bytes(0, 3, 900), "x" if odd else b""]) for _ in chunks]
    named = [(CHANCE.choice(lines), some_bytes(0, 1, 40)) for _ in range(CHANCE.choice([0, 40]))]
    if CHANCE.random() < 0.5:
        named.sort(key=lambda name: (str(type(name[0])), name))
    strange: list[object] = [*named, *[(1,), 7, (1, "x")][: 3 * odd]]
    shared = some_bytes(0, 9), some_bytes(0, 9), CHANCE.choice([some_bytes(0, 300)] * 30 + ["x"])
    writing = cast("Callable[..., object]", in_c.chunk_documents)
    writing(shared, chunks, terms[CHANCE.random() < 0.02 :], strange)


def pack_symbols() -> None:
    """Scopes that come again, fields that are none, and kinds without a number."""
    sizes = CHANCE.choice([(0, 1, 1, 2, 300), (3,) * 150])
    scopes = ["".join(CHANCE.choices('abc.\xe9"\\\n', k=size)) for size in sizes]
    fields = ("kind", "public", -1, 1, 300, 70_000, "x" * 40, "", "0a" * 8)
    odd = (None, 1 << 70, -2, "\ud800", "zz" * 8, "\xe9" * 400, b"")
    symbols = tuple(
        tuple(
            CHANCE.choice(odd) if CHANCE.random() < 0.0002 else field
            for field in ("a_B", CHANCE.choice(scopes), *fields)
        )
        for _ in range(CHANCE.choice([0, 1, 15, 16, 40, 300]))
    )
    codes = {"kind": CHANCE.choice([*[0, 3, 300] * 9, -1, 1 << 70])}, {"public": 0}
    in_c.pack_symbols(CHANCE.choice([0, 1 << 54]), symbols, codes, str.casefold)


class Vanishing:
    """Lets go of what holds it, when it is asked for its value."""

    def __init__(self, holder: list[object]) -> None:
        """Be in a pair with a number that nobody else holds."""
        self.holder = holder
        holder.append((self, CHANCE.randint(1 << 40, 1 << 50)))

    def __index__(self) -> int:
        """Zero."""
        self.holder.clear()
        return 0


def ask_for_spans() -> None:
    """A pair of offsets that is gone when the first of them has been told."""
    memo, spans = in_c.WordMemo(bytes.upper, b" ", 5, None), list[object]()
    Vanishing(spans)
    joining = cast("Callable[..., object]", in_c.WordPairs(memo, memo, 5).join_each)
    joining(b"lamp tide", spans, 9)


def ask_for_scopes() -> None:
    """The same of a type parameter, where a reference mentions it."""
    scopes = list[object]()
    Vanishing(scopes)
    sites = array("q", [0, 4, 3, -1, -1]).tobytes()
    placing = cast("Callable[..., object]", in_c.place_sites)
    text, kinds = (b"lamp", [0], str, False), ("a", "b", "c", "d")
    placing(sites, text, ([], [], [0]), (kinds, frozenset[str](), {"lamp": scopes}, None))


if __name__ == "__main__":
    found = kernels()
    assert found is not None
    assert os.environ.get("LD_PRELOAD")
    in_c = found
    for work in (cut_texts, write_documents, pack_symbols, ask_for_spans, ask_for_scopes):
        for _ in range(3_000):
            with suppress(ValueError, TypeError, OverflowError):
                work()
    sys.stdout.write("done\n")
