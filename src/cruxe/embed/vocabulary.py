"""The pieces of words that a model knows, and the place of each among them."""

import re
from array import array
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from cruxe.native import kernels
from cruxe.text.identifiers import NameRule, split_ascii, word_memo

if TYPE_CHECKING:
    from collections.abc import Callable

# To find one in the text takes a hundredth of the time that a table of all takes to make.
_FOUND_IN_TEXT: Final = 60


class Vocabulary:
    """Pieces by name: the first few are found in the text, later ones in a table made from it."""

    def __init__(self, text: bytes) -> None:
        """Take ASCII text with one piece a line and none after the last line feed."""
        self.text = text
        self._text = b"\n%b\n" % text
        self._asked = 0
        # The place of a piece; of one that is there twice, the first.
        self.get: Callable[[str], int | None] = self._find

    def __len__(self) -> int:
        """How many there are."""
        return self._text.count(b"\n") - 1

    @cached_property
    def longest(self) -> int:
        """The number of characters of the longest."""
        return max(map(len, self._text.split(b"\n")))

    def _find(self, piece: str) -> int | None:
        if self._asked >= _FOUND_IN_TEXT:
            self.get = self._places.get  # an index asks millions of times
            return self.get(piece)
        self._asked += 1
        start = self._text.find(b"\n%b\n" % piece.encode())
        return None if start < 0 else self._text.count(b"\n", 0, start)

    @cached_property
    def _places(self) -> dict[str, int]:
        pieces = self._text.decode("ascii").split("\n")[1:-1]
        # Backwards, so that the first of two stays.
        return dict(zip(reversed(pieces), range(len(pieces) - 1, -1, -1), strict=True))


_RUN: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9]+")
# As the model was trained: longer runs of digits and letters are data.
_MAX_DIGITS: Final = 4
_MAX_LETTERS: Final = 24
_MAX_NAME_BYTES: Final = 256
_MANY_DIGITS: Final = re.compile(rb"[0-9]{5}")
# How a place is packed: as C's int, of 32 bits wherever Python runs.
PLACE_CODE: Final = "i"


class PieceCounter:
    """Tells the pieces of words; remembers those of words seen before."""

    def __init__(self, vocabulary: Vocabulary, *, is_for_files: bool = False) -> None:
        """Take a model's vocabulary; with files to come, a table of all of it is worth making."""
        self._vocabulary = vocabulary
        in_c = kernels() if is_for_files else None
        of_part = in_c.PieceTable(vocabulary.text).pieces_of if in_c else self._pieces_of_part
        self._parts = word_memo(of_part, b"")
        names = NameRule(
            parts=self._parts,
            whole=None,
            most_bytes=_MAX_NAME_BYTES,
            most_part_bytes=_MAX_LETTERS,
            most_digits=_MAX_DIGITS,
            is_ascii=False,  # the model knows no other letters
        )
        self.memo = word_memo(self._pieces_of_run, b"", names)

    def pack(self, spaced: bytes, start: int, end: int, most_words: int) -> bytes:
        """The pieces of a text's first words by their places in the vocabulary: see `unpack`.

        The text is one that `text.identifiers.space_out` made ready.
        """
        return self.memo.join(spaced, start, end, most_words)

    def count(self, words: Iterable[str]) -> dict[int, int]:
        """How often each piece occurs in some words, by its place in the vocabulary."""
        spaced = " ".join(words).encode("utf-8", "replace")
        return self.count_spaced(spaced, len(spaced))

    def count_spaced(self, spaced: bytes, most_words: int) -> dict[int, int]:
        """The same of a text that was made ready."""
        counts: dict[int, int] = {}
        for place in unpack(self.pack(spaced, 0, len(spaced), most_words)):
            counts[place] = counts.get(place, 0) + 1
        return counts

    def _pieces_of_run(self, run: bytes) -> bytes:
        """Of what stands between spaces; other white space than ASCII's may be in it."""
        return b"".join(map(self._pieces_of_word, run.decode("utf-8", "replace").split()))

    def _pieces_of_word(self, word: str) -> bytes:
        spaced = " ".join(parts_of_word(word)).encode()
        return self._parts.join(spaced, 0, len(spaced), len(spaced))

    def _pieces_of_part(self, part: bytes) -> bytes:
        """What `native/pieces.c` does."""
        text = part.decode()
        whole = self._vocabulary.get(text)
        places = self._longest_matches(text) if whole is None else (whole,)
        return array(PLACE_CODE, places).tobytes()

    def _longest_matches(self, part: str) -> list[int]:
        found: list[int] = []
        place_of, longest = self._vocabulary.get, self._vocabulary.longest
        start = 0
        while start < len(part):
            end = min(len(part), start + longest)
            place = None
            while end > start and (place := place_of(part[start:end])) is None:
                end -= 1
            if place is not None:
                found.append(place)
            start = max(end, start + 1)
        return found


def unpack(pieces: bytes) -> "array[int]":
    """The places of packed pieces, one for each time that one occurs."""
    return array(PLACE_CODE, pieces)


def parts_of_word(word: str) -> list[str]:
    """The parts of a word in lower case, letters and digits apart."""
    if word.isascii() and word.islower():  # most are; a third of the expressions' time
        if word.isalpha():
            return [word[:_MAX_LETTERS]]
        spaced = word.replace("_", " ")
        if spaced.replace(" ", "").isalpha():
            return [part[:_MAX_LETTERS] for part in spaced.split()]
    if not _MANY_DIGITS.search(word.encode()):
        return [part[:_MAX_LETTERS] for part in split_ascii(word)]
    parts: list[str] = []
    for run in _RUN.findall(word):
        if run[0].isdigit():
            parts.append(run[:_MAX_DIGITS])
        else:
            parts += [part[:_MAX_LETTERS] for part in split_ascii(run)]
    return parts
