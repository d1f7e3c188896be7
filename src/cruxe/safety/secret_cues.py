"""A test of whole texts for secrets, so that only those with one are redacted for an answer."""

from collections.abc import Sequence
from typing import NamedTuple

from cruxe.safety.redaction import RedactionRules
from cruxe.safety.secret_spans import find_secrets


class ShownLines(NamedTuple):
    """A text and those of its lines that an answer shows, each with a line feed at its end."""

    text: bytes
    lines: bytes


def suspect_texts(shown: Sequence[ShownLines], rules: RedactionRules) -> set[int]:
    """Return the indexes of the texts that hold a secret."""
    if not rules.redaction_enabled:
        return set()
    if rules.custom_redaction_rules:
        return {*range(len(shown))}
    return {index for index, each in enumerate(shown) if find_secrets(each.text)}
