"""The corpus of tests/fixtures/safety: cases in plain text, with marks for what is expected.

A case starts with `=== label: title`. In secrets, « and » enclose what must go, which may be in
pieces; ‖ parts what no host would let be pushed in one piece, and is taken out when the case is
read. Nothing in there is, or ever was, a real secret.
"""

import os
import re
from typing import Final, NamedTuple

FOLDER: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "fixtures", "safety")


class Case(NamedTuple):
    """One case, as written."""

    label: str
    title: str
    marked: str

    @property
    def text(self) -> str:
        """The case without its marks."""
        return re.sub("[«»]", "", self.marked)

    @property
    def redacted(self) -> str:
        """The case with its first marked part replaced, the others gone, and its lines kept."""
        whole = re.sub("«([^»]*)»", lambda each: "\n" * each[1].count("\n"), self.marked)
        start = self.marked.index("«")
        return f"{whole[:start]}[REDACTED:{self.label}]{whole[start:]}"


def read_cases(name: str) -> list[Case]:
    """Read all cases of a file."""
    with open(os.path.join(FOLDER, name), encoding="utf-8", newline="") as file:
        text = file.read().replace("‖", "")
    return [_case(block) for block in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]]


def _case(block: str) -> Case:
    heading, _, marked = block.partition("\n")
    label, _, title = heading.partition(": ")
    return Case(label, title, marked)
