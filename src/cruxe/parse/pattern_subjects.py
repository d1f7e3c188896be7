"""What the patterns of a query are about, found out once when the query is compiled.

A match has the number of its pattern and its captures by name. The name that says what the match is
(see `language`) is the same for all matches of a pattern, unless the pattern has alternatives.
"""

import re
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SiteKind, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Query

    # Its capture, what that is (the rank of a kind of site, or a negative number), whether a
    # qualifier may stand beside it, and what else a match of the pattern may be about. Plain tuples
    # unpack three times as fast.
    Subject = tuple[str, int, bool, "Subject | None"]

# Kinds of sites by what they say of one place: a reference says least.
RANKED_KINDS: Final = tuple(sorted(SiteKind))
OTHER: Final = -1
DEFINITION: Final = -2
COMMENT: Final = -3
SITE_RANKS: Final = {kind.value: rank for rank, kind in enumerate(RANKED_KINDS)}
# Without a kind a definition is a scope: it lends its name to what is inside.
DEFINED_KINDS: Final = {f"definition.{kind}": kind for kind in SymbolKind} | {"scope": None}
_CLASSES: Final = SITE_RANKS | dict.fromkeys(DEFINED_KINDS, DEFINITION) | {"comment": COMMENT}
_QUALIFIER: Final = "qualifier"
_NAMES: Final = (*SITE_RANKS, *DEFINED_KINDS, "comment", "import", "type_parameter", "error")
# The names of captures in a pattern; what is quoted or commented out matches without a group.
_CAPTURE: Final = re.compile(r'"(?:\\.|[^"\\])*"|;[^\n]*|@([\w.\-]+)')


def subjects_of(query: "Query", text: str) -> "tuple[Subject, ...]":
    """What each pattern of a query is about, by its number; then what places may be about."""
    data = text.encode()
    patterns = [
        data[query.start_byte_for_pattern(number) : query.end_byte_for_pattern(number)].decode()
        for number in range(query.pattern_count)
    ]
    return (*map(_subject_of, patterns), *PLACED_SUBJECTS)


def placed_pattern(name: str) -> int:
    """The number that stands for a pattern where there is no query: negative, from the end."""
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
