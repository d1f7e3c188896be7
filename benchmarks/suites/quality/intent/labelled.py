"""The labelled queries of `queries.tsv`, and which of them are held out from fitting.

They were written for this purpose, as people and agents write: names in the styles of many
languages, signatures, snippets, questions, keywords, paths, globs, addresses, messages, tracebacks.
"""

import os
import re
import zlib
from typing import Final, NamedTuple

from cruxe.model.intent import QueryShape

_PATH: Final = os.path.join(os.path.dirname(__file__), "queries.tsv")
_ESCAPE: Final = re.compile(r"\\([nt\\])")
_ESCAPED: Final = {"n": "\n", "t": "\t", "\\": "\\"}


class LabelledQuery(NamedTuple):
    """A query, and what it is."""

    shape: QueryShape
    text: str

    @property
    def is_held_out(self) -> bool:
        """Whether it is kept from fitting: two in five, by a digest of the text alone."""
        return zlib.crc32(self.text.encode()) % 5 < 2  # noqa: PLR2004 - two in five


def load_queries() -> list[LabelledQuery]:
    """All labelled queries, in the order of the file."""
    with open(_PATH, encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip("\n") for line in file if not line.startswith("# ")]
    return [_query(*line.split("\t")) for line in lines]


def _query(shape: str, text: str) -> LabelledQuery:
    return LabelledQuery(
        QueryShape(shape), _ESCAPE.sub(lambda match: _ESCAPED[match.group(1)], text)
    )
