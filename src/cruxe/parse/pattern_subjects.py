"""Classify the patterns of a query once, when it is compiled.

A match has the number of its pattern and its captures by name. The capture that classifies a match
(its subject, see `language`) is the same for all matches of a pattern without alternatives.
"""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SiteKind, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Query

    # Capture name, class (the rank of a site kind, or a negative number), whether a qualifier may
    # be captured too, and the next alternative subject of the pattern. A plain tuple unpacks three
    # times as fast as a named one.
    Subject = tuple[str, int, bool, "Subject | None"]

# Site kinds from most to least specific: a reference is the least.
RANKED_KINDS: Final = tuple(sorted(SiteKind))
OTHER: Final = -1
DEFINITION: Final = -2
COMMENT: Final = -3
SITE_RANKS: Final = {kind.value: rank for rank, kind in enumerate(RANKED_KINDS)}
# A definition without a kind is a scope: it only qualifies the names inside it.
DEFINED_KINDS: Final = {f"definition.{kind}": kind for kind in SymbolKind} | {"scope": None}
_CLASSES: Final = SITE_RANKS | dict.fromkeys(DEFINED_KINDS, DEFINITION) | {"comment": COMMENT}
_QUALIFIER: Final = "qualifier"
_NAMES: Final = (*SITE_RANKS, *DEFINED_KINDS, "comment", "import", "type_parameter", "error")
# Capture names in a pattern; strings and comments match without a group.
_CAPTURE: Final = re.compile(r'"(?:\\.|[^"\\])*"|;[^\n]*|@([\w.\-]+)')


def subjects_of(query: "Query", text: str) -> "tuple[Subject, ...]":
    """Return the subject of each pattern of a query, by number, then `PLACED_SUBJECTS`."""
    data = text.encode()
    patterns = [
        data[query.start_byte_for_pattern(number) : query.end_byte_for_pattern(number)].decode()
        for number in range(query.pattern_count)
    ]
    return (*map(_subject_of, patterns), *PLACED_SUBJECTS)


def placed_pattern(name: str) -> int:
    """Return the pattern number of a match without a query: negative, so it counts from the end."""
    return _PLACED_PATTERNS[name]


def _subject_of(pattern: str) -> "Subject":
    names = list(dict.fromkeys(_CAPTURE.findall(pattern)))
    subject: Subject | None = None
    for name in reversed([name for name in names if name in _NAMES] or names[:1]):
        subject = (name, _CLASSES.get(name, OTHER), _QUALIFIER in names, subject)
    if subject is None:
        raise ValueError(f"a pattern captures nothing: {pattern}")
    return subject


PLACED_SUBJECTS: "Final[tuple[Subject, ...]]" = tuple(
    (name, _CLASSES.get(name, OTHER), True, None) for name in _NAMES
)
_PLACED_PATTERNS: Final = {name: place - len(_NAMES) for place, name in enumerate(_NAMES)}
