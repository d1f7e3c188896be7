"""Names that a repository has, and names made of the same words that it does not have."""

import os
import random
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.text.identifiers import split_identifier

_SEED: Final = "cruxe honesty"
_LEAST_LETTERS: Final = 3
_LEAST_NAME: Final = 5
_WORD_COUNTS: Final = (2, 3, 3, 4)
_NAME: Final = re.compile(r"[A-Za-z_]\w+", re.ASCII)


class Names(NamedTuple):
    """Names of one repository."""

    invented: list[str]  # that occur in none of its files, in any spelling
    real: list[str]  # that it defines


def sample_names(root: str, opened: OpenedRef, count: int) -> Names:
    """Sample names: the same in every run."""
    chooser = random.Random(f"{_SEED} {os.path.basename(root)}")  # noqa: S311 - no secret
    defined = sorted(_defined_names(opened))
    words = sorted({word for name in defined for word in split_identifier(name) if _tells(word)})
    text = _folded_text(root, opened)
    made = _made_of(words, chooser)
    invented: dict[str, None] = {}
    while len(invented) < count:
        name = next(made)
        if name.lower().replace("_", "").encode() not in text:
            invented[name] = None
    return Names([*invented], chooser.sample(defined, min(count, len(defined))))


def _defined_names(opened: OpenedRef) -> set[str]:
    live = sorted(opened.snapshot.live_keys(opened.ref_id))
    return {
        symbol.name
        for _, symbols in opened.snapshot.symbols_of(live)
        for symbol in symbols
        if len(symbol.name) >= _LEAST_NAME and _NAME.fullmatch(symbol.name)
    }


def _tells(word: str) -> bool:
    return len(word) >= _LEAST_LETTERS and word.isascii() and word.isalpha()


def _folded_text(root: str, opened: OpenedRef) -> bytes:
    """All indexed files in lower case without underscores, as they are on the disk."""
    live = opened.snapshot.live_keys(opened.ref_id)
    texts: list[bytes] = []
    for version in opened.snapshot.text_versions(live):
        with open(os.path.join(root, version.path), "rb") as file:
            texts.append(file.read().lower().replace(b"_", b""))
    return b"\n".join(texts)


def _made_of(words: Sequence[str], chooser: random.Random) -> Iterator[str]:
    """Names in the three usual spellings."""
    while True:
        parts = chooser.choices(words, k=chooser.choice(_WORD_COUNTS))
        capitals = [part.capitalize() for part in parts]
        yield chooser.choice(
            ("_".join(parts), "".join(capitals), "".join([parts[0], *capitals[1:]]))
        )
