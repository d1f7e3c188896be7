"""Gives the kernels texts, sizes and places of all kinds. Run as a program with a seed."""

import mmap
import os
import random
import sys
import threading
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from cruxe.native import kernels
from cruxe.text.identifiers import NameRule, PythonWordMemo, part_table

LETTERS = b"abcdefghij    \xc3\xa9"
NAME_LETTERS = b"abABC12_ \xe9"
EDGES = [(-(1 << 63), -(1 << 63)), ((1 << 63) - 1, (1 << 63) - 1)]  # of 64 bits
CHANCE = random.Random(int(sys.argv[1]))  # noqa: S311 - no secret


def some_bytes(*sizes: int) -> bytes:
    """Bytes of one of some sizes."""
    return CHANCE.randbytes(max(0, CHANCE.choice(sizes)))


def some_numbers(code: str, low: int, high: int, *sizes: int) -> "array[int]":
    """Numbers of a range, one of some sizes of them."""
    return array(code, [CHANCE.randint(low, high) for _ in range(max(0, CHANCE.choice(sizes)))])


def doubled(word: bytes) -> bytes:
    """Nothing for a word of one letter, else the word twice."""
    return word + word if len(word) > 1 else b""


def join_words() -> None:
    """Memos that forget all the time say what one that never does says."""
    memo = in_c.WordMemo(doubled, b" ", CHANCE.choice([1, 3, 50, 5_000]), None)
    known = PythonWordMemo(doubled, b" ", 1_000_000, None)
    for _ in range(20):
        size = CHANCE.choice([0, 1, 10, 200, 3_000])
        text = bytes(CHANCE.choices(LETTERS, k=size))
        part = CHANCE.randint(0, size + 3), CHANCE.randint(0, size + 5), CHANCE.randint(0, 60)
        assert memo.join(text, *part) == known.join(text, *part)
        lines = text.replace(b"j", b"\n")
        assert memo.join_lines(lines) == known.join_lines(lines)


known_memo = PythonWordMemo(doubled, b" ", 9, None)


def some_table() -> bytes:
    """A table that names may be split by, whatever comes of it, or none."""
    classes, steps = CHANCE.choices(range(4), k=256), CHANCE.choices(range(32), k=20)
    steps[:4] = CHANCE.choices(range(5 + (CHANCE.random() < 0.1)), k=4)
    return bytes([*classes, *[step if step & 7 < 5 else step & 24 for step in steps]])


def take_names_apart() -> None:
    """Names of all lengths, under rules that may ask for more than there is room for."""
    sizes = (-1, 0, 1, 80, 256, 257, 1 << 40)
    parts = in_c.WordMemo(doubled, b" ", CHANCE.choice([1, 50]), None)
    rule = NameRule(
        parts,
        CHANCE.choice([None, doubled]),
        *(CHANCE.choice(sizes), CHANCE.choice(sizes), CHANCE.choice(sizes)),
        is_ascii=CHANCE.random() < 0.5,
        table=CHANCE.choice([part_table(), part_table(), some_table()]),
    )
    memo = in_c.WordMemo(doubled, b" ", CHANCE.choice([1, 50]), rule)
    for _ in range(20):
        text = bytes(CHANCE.choices(NAME_LETTERS, k=CHANCE.choice([0, 1, 9, 255, 300, 3_000])))
        memo.join(text, 0, len(text), 1_000)


def find_pieces() -> None:
    """Vocabularies with empty and long pieces; parts that none of them has."""
    pieces = [some_bytes(0, 1, 2, 300).replace(b"\n", b"") for _ in range(CHANCE.randint(0, 30))]
    table = in_c.PieceTable(b"\n".join(pieces) + CHANCE.choice([b"", b"\n"]))
    for _ in range(20):
        part = b"".join(CHANCE.choices([*pieces, b"a"], k=4))
        table.pieces_of(part[: CHANCE.choice([9, 256, 999])])


def find_trigrams() -> None:
    """Classes that are none, gaps that no class is, and tables that are too short."""
    text, table = some_bytes(0, 1, 2, 3, 100, 5_000), some_bytes(256, 256, 255)
    in_c.packed_trigrams(text, table, CHANCE.randint(0, 40))


def turn_sets_round() -> None:
    """Sets of any bytes, of which few are trigrams, and places at the end of all numbers."""
    codes = [some_numbers("H", 0, 1 << 15, 0, 1, 9, 300).tobytes() for _ in range(3)]
    sets = CHANCE.choices([*codes, *codes, some_bytes(0, 2, 7)], k=CHANCE.choice([0, 1, 9, 300]))
    in_c.invert_sets(sets * CHANCE.choice([1, 1, 300]), CHANCE.choice([0, -1, 1 << 40, 2**63 - 1]))


def find_pairs() -> None:
    """Texts that end in the middle of a character, and tables that are too short."""
    in_c.has_pair(some_bytes(0, 1, 2, 3, 100), some_bytes(4_096, 4_096, 4_095))


def scan_rows() -> None:
    """Files and questions that fit together, nearly or not at all."""
    size, rows = CHANCE.randint(1, 40), CHANCE.randint(0, 30)
    files = some_bytes(size * rows, size * rows - 1), some_bytes(8 * size * rows, 3)
    numbers = some_numbers("i", -9, 9, 8 * size, 8 * size + 1)
    query = numbers, CHANCE.choice([0, 1, 6_553_600]), CHANCE.choice([1_000_000, 0])
    runs = some_numbers("q", -1, rows + 1, 0, 1, 2, 4)
    versions = CHANCE.randint(0, 3)
    spans = (
        some_numbers("Q", 0, 9, versions),
        some_numbers("q", *CHANCE.choice([(-3, rows + 3)] * 4 + EDGES), versions, versions + 1),
        some_numbers("q", *CHANCE.choice([(-3, 9)] * 4 + EDGES), versions),
    )
    wanted = (
        CHANCE.randint(-3, 40),
        {*range(CHANCE.randint(0, 9))},
        CHANCE.uniform(-1, 1),
        CHANCE.choice([4, 4, 4, 1, 16, 17, 0, -1]),
        (0.5, 0.25),
    )
    in_c.nearest_files(files, runs, query, wanted, spans)


def make_vectors() -> None:
    """Tables whose parts may not fit, and pieces that may not be in them."""
    dimensions, pieces = 8 * CHANCE.randint(1, 8), CHANCE.randint(1, 20)
    table = (
        memoryview(some_bytes(dimensions * pieces, dimensions * pieces - 1)),
        some_numbers("q", CHANCE.choice([0] * 30 + [-9]), 1 << 24, pieces),
        some_numbers("q", 0, 9_000, 0, 1, 5, 40),
        some_numbers("b", -9, 9, dimensions, dimensions - 1),
        *(CHANCE.choice([120_000, 1, 1 << 17, 1 << 60]), 0.3, 0.3, float(1 << 20), 400.0),
    )

    def text() -> bytes:
        strange = CHANCE.random() < 0.02
        found = some_numbers("i", -strange, pieces - 1 + strange, 0, 1, 7, 300)
        return found.tobytes() + some_bytes(0, 0, 1, 3)

    chunks = [text() for _ in range(CHANCE.randint(0, 4))]
    in_c.file_vectors(table, chunks, text(), text(), text())


def give_directions() -> None:
    """Rows that are not there, factors of any size, and lengths that are none."""
    rows = mmap.mmap(-1, CHANCE.choice([1, 64, 640]))
    rows[:] = some_bytes(len(rows))
    table = rows, CHANCE.choice([0, 0, 0, 1, 700, -1]), CHANCE.choice([1, 8, 64, 0, -1])
    places = some_numbers("q", -1, CHANCE.choice([0, 9, 700]), 0, 1, 5)
    factors = some_numbers("q", -(2**63), 2**63 - 1, len(places), len(places), 3)
    fractions, length = CHANCE.choice([0.0, 1e6]), CHANCE.choice([-1.0, 0.0, 16_384.0, 1e300])
    in_c.directed(table, places, factors, fractions, length)


def compare_stamps() -> None:
    """More stamps than paths, fewer, and paths that no system takes."""
    names = [some_bytes(0, 3, 5_000).replace(b"\0", b"") for _ in range(CHANCE.randint(0, 9))]
    names *= CHANCE.choice([1, 1, 300])
    listing = b"\0".join(names) + CHANCE.choice([b"", b"\0"])
    numbers = some_numbers("q", -4, 9, *range(40), 4 * len(names))
    folder = b"/tmp/" + b"x" * CHANCE.choice([0, 10, 5_000])
    look = in_c.StampLook(folder, listing, numbers)
    if CHANCE.random() < 0.5:
        look.places()


def listen_to_folders() -> None:
    """Folders that are not there, that no system takes, or that have no end; on Linux alone."""
    names = [some_bytes(0, 3, 5_000).replace(b"\0", b"") for _ in range(CHANCE.randint(0, 5))]
    names += CHANCE.choices([b"", b".", b"tmp", b"usr"], k=CHANCE.randint(0, 3))
    listing = b"\0".join(names) + CHANCE.choice([b"", b"\0", b"\0"])
    with suppress(OSError):
        events = in_c.FolderEvents(CHANCE.choice([b"/", b"/tmp", b"x" * 5_000]), listing, 0x2)
        for _ in range(CHANCE.randint(0, 2)):
            events.drain()


def look_at_one_path() -> None:
    """Paths that are none, and roots that are no starts of them."""
    path = b"/tmp/" + some_bytes(0, 3, 300, 5_000).replace(b"\0", CHANCE.choice([b"/", b"\0"]))
    root = CHANCE.choice([0, 4, 4, 4, len(path) - 1, len(path), -1, 1 << 70])
    in_c.stamps_at(CHANCE.choice([path, path, b""]), root, {path[: CHANCE.randint(0, len(path))]})


class Oddity:
    """A node whose offsets may be anything."""

    def __init__(self) -> None:
        """By chance."""
        start = CHANCE.randint(0, 40)
        fitting = start, start + CHANCE.randint(0, 9)
        odd = [(9, 2), (-5, 3), (1, 2, 3), ("a", 1), None, (1 << 70, 1), (0, 1 << 40), (-9, 0)]
        self.byte_range = CHANCE.choice(odd) if CHANCE.random() < 0.02 else fitting


def sort_some_matches() -> None:
    """Patterns that are not there, captures that are missing, nodes that know no offsets."""
    other = ("import", -1, False, None)
    subjects = (
        *(("call", 0, True, None), ("reference", 3, False, other), other),
        *(("scope", -2, False, None), ("comment", -3, False, None)),
    )
    names = ("call", "reference", "import", "scope", "comment", "qualifier", "name")
    strange = CHANCE.random() < 0.1
    matches = [
        (
            CHANCE.randint(-5 - strange, 4 + strange),
            {name: [Oddity()] * CHANCE.choice([1, 1, 1, 1 - strange]) for name in names[strange:]},
        )
        for _ in range(CHANCE.randint(0, 60))
    ]
    starts = sorted(some_numbers("q", 0, 40, 0, 1, 5))
    in_c.sort_matches(matches, (subjects, -2, -3), some_bytes(0, 1, 40), starts)


def find_lines() -> None:
    """Lines of any bytes around any offsets, also such as are no UTF-8."""
    text = bytes(CHANCE.choices(b"ab \n\n\xc3\xa9\xff", k=CHANCE.choice([0, 1, 9, 300])))
    places = [*some_numbers("q", -1, len(text) + 2, 0, 1, 5, 40)]
    in_c.lines_at(text, sorted(places) if CHANCE.random() < 0.9 else places)


def find_literals() -> None:
    """A literal in any bytes, by an offset that may be outside of it."""
    text = bytes(CHANCE.choices(b"abAB \n\xc3", k=CHANCE.choice([0, 1, 9, 300])))
    literal = bytes(CHANCE.choices(b"ab\n", k=CHANCE.choice([0, 1, 2, 9])))
    in_c.literal_places(text, literal, CHANCE.randint(-1, len(literal)), CHANCE.random() < 0.5)


def told(start: int, end: int) -> str:
    """A receiver."""
    return f"{start}.{end}"


def place_some_sites() -> None:
    """Offsets outside of the text, kinds and owners that are not there."""
    size = CHANCE.choice([60, 900])
    data = bytes(CHANCE.choices(LETTERS, k=size))
    kinds = CHANCE.choice([[0, 1, 2, 3]] * 9 + [[0, 3, 4, -1]])
    numbers: list[int] = []
    for start in sorted(some_numbers("q", -1, size + 10, 0, 3, 30, 600)):
        numbers += [start, start + CHANCE.randint(-1, 9), CHANCE.choice(kinds)]
        numbers += CHANCE.choice([(-1, -1), (0, 5), (3, 500), (9, 2)])
    sites = array("q", numbers).tobytes() + some_bytes(0, 0, 3)
    text = (data, sorted(some_numbers("q", 0, 60, 0, 4)), told, True, CHANCE.choice([60, 5, -1]))
    own_names = sorted(some_numbers("q", -1, 60, 0, 4, 9))
    around = (
        own_names,
        sorted(some_numbers("q", -1, 60, 0, 4, 9)),
        [*range(CHANCE.randint(0, 20))],
    )
    scopes = {"b": [(0, 30)], "c": [(40, 1 << 70)]}
    names = (("call", "x", "y", "z"), 0, 3, frozenset({"a"}), scopes, None)
    in_c.place_sites(sites, text, around, names)


def sketch_texts() -> None:
    """Texts of all kinds, by rules that may ask for more than there is room for."""
    letters = b"AB_9 (;{\n/*#a\t=\xc3:,[]<)}\n"
    text = bytes(CHANCE.choices(letters, k=CHANCE.choice([0, 1, 9, 300, 5_000])))
    rule = 5, 6, 4, 2_654_435_761, 11_400_714_819_323_198_485
    odd = CHANCE.randint(-1, 40), CHANCE.randint(-1, 12), CHANCE.randint(-1, 9), 7, 9
    in_c.ascii_fingerprint(text, CHANCE.choice([rule, odd]))


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


def ask_for_scopes() -> None:
    """The scope of a type parameter that is gone when its first number has been asked for."""
    scopes = list[object]()
    Vanishing(scopes)
    sites = array("q", [0, 4, 3, -1, -1]).tobytes()
    placing = cast("Callable[..., object]", in_c.place_sites)
    text, kinds = (b"lamp", [0], str, False, 60), ("a", "b", "c", "d")
    placing(sites, text, ([], [], [0]), (kinds, 0, 3, frozenset[str](), {"lamp": scopes}, None))


def share_a_memo() -> None:
    """Threads under each other, in a memo that forgets."""
    memo = in_c.WordMemo(doubled, b" ", 40, None)
    wrong: list[bytes] = []

    def ask(seed: int) -> None:
        own = random.Random(seed)  # noqa: S311 - no secret
        for _ in range(3_000):
            word = b"w%d" % own.randint(0, 300)
            if memo.join(word, 0, 99, 1) != doubled(word):
                wrong.append(word)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def repeat(work: Callable[[], None], times: int) -> None:
    """Do it many times; to be refused is fine."""
    for _ in range(times):
        with suppress(ValueError, TypeError, OverflowError):
            work()


if __name__ == "__main__":
    found = kernels()
    assert found is not None
    assert os.environ.get("LD_PRELOAD")
    in_c = found
    for work, times in (
        (join_words, 300),
        (find_lines, 3_000),
        (find_literals, 3_000),
        (take_names_apart, 300),
        (find_pieces, 300),
        (find_trigrams, 300),
        (find_pairs, 300),
        (turn_sets_round, 60),
        (scan_rows, 3_000),
        (make_vectors, 2_000),
        (give_directions, 2_000),
        (compare_stamps, 300),
        (listen_to_folders, 300),
        (look_at_one_path, 2_000),
        (sort_some_matches, 2_000),
        (place_some_sites, 2_000),
        (sketch_texts, 2_000),
        (ask_for_scopes, 3_000),
        (share_a_memo, 1),
    ):
        repeat(work, times)
    sys.stdout.write("done\n")
