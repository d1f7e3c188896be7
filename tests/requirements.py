"""What Cruxe is held to: each required behaviour by id, and the mark that ties a test to it.

The sentences stand in `tests/requirement_rows/`. A shape test checks both ways: every row has a
test or waits for a later issue, and no test names an unknown id.
"""

from typing import Final, NamedTuple

import pytest

from tests.requirement_rows import Capability, Group
from tests.requirement_rows.advice import ADVICE
from tests.requirement_rows.endurance import ENDURANCE
from tests.requirement_rows.foundation import FOUNDATION
from tests.requirement_rows.pages import PAGES
from tests.requirement_rows.protocol import PROTOCOL
from tests.requirement_rows.search import SEARCH
from tests.requirement_rows.seeds import SEEDS
from tests.requirement_rows.semantic_tables import SEMANTIC_TABLES
from tests.requirement_rows.serving import SERVING
from tests.requirement_rows.setup import SETUP
from tests.requirement_rows.start import START


class Requirement(NamedTuple):
    """One required behaviour; `later` names what must come first, if no test is owed yet."""

    id: str
    sentence: str
    source: str
    later: Capability | None

    @property
    def reason(self) -> str | None:
        """Say why no test is owed; None where one is."""
        return None if self.later is None else f"instead of a test: {self.later}"


def requirement(*ids: str) -> pytest.MarkDecorator:
    """Mark a test with the requirements that it states."""
    return pytest.mark.requirement(*ids)


def _rows_of(groups: tuple[Group, ...]) -> tuple[Requirement, ...]:
    return tuple(
        Requirement(id_, sentence, group.source, group.later)
        for group in groups
        for id_, sentence in group.sentences.items()
    )


REQUIREMENTS: Final = _rows_of(
    ADVICE
    + ENDURANCE
    + FOUNDATION
    + PAGES
    + PROTOCOL
    + SEARCH
    + SEEDS
    + SEMANTIC_TABLES
    + SERVING
    + SETUP
    + START
)
