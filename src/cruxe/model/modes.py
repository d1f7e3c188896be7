"""What of a repository a result is taken from."""

from enum import StrEnum
from typing import Final


class ContentMode(StrEnum):
    """The modes of seed 004, in their precedence."""

    CODE = "code"
    EXTRACTED_PROSE = "extractedProse"  # comments, docstrings: told apart from code by nothing yet
    PROSE = "prose"
    RECORDS = "records"  # none is taken in yet


# The entries of `parse/languages/` that call themselves prose: a question does not import them all.
PROSE_LANGUAGES: Final = frozenset({"asciidoc", "markdown", "rst", "text"})


def mode_of(language: str) -> ContentMode:
    """The mode of a file in a language."""
    return ContentMode.PROSE if language in PROSE_LANGUAGES else ContentMode.CODE
