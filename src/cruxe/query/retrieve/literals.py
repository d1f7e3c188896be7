"""Where literals of a query stand in the files of a ref: keys, options, constants and messages.

A message is found by its format string too: `no such column: name` by `"no such column: %s"`. The
trigrams give few files, the texts decide.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.identity import VersionKey
from cruxe.query.rank.policy import LITERAL_FILES, LITERAL_FORMAT_SHARE
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.retrieve.trigram_candidates import versions_holding

if TYPE_CHECKING:
    from cruxe.query.select.verify import FileText, TextSource

# Words in a row that a format string may have between two values.
_WINDOW_WORDS: Final = (5, 3)
_MOST_WORDS: Final = 24
# A format string with fewer constant letters fits too many messages.
_LEAST_CONSTANT_LETTERS: Final = 8
_MOST_PLACEHOLDERS: Final = 8
_QUOTES: Final = "\"'`"
_ESCAPE: Final = re.compile(r"\\[nrt]")
_STRING: Final = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\\n]|\\.)*)`")
# `%s`, `%-5.2f`, `%(name)s`, `{}`, `{name!r:>5}`, `${name}`, `#{name}`, `\(name)`, `$name`.
_PLACEHOLDER: Final = re.compile(
    r"%(?:\(\w+\))?[-+ #0]*[\d.*]*(?:ll?|hh?|z)?[a-zA-Z]|[$#]?\{[^{}]*\}|\\\([^()]*\)|\$\w+"
)


class LiteralPlace(NamedTuple):
    """A line of a file that holds a literal, and how much that tells: one over such files."""

    value: float
    line: int


Places = dict[VersionKey, LiteralPlace]


class LiteralSearch:
    """Looks for literals in the texts of a ref."""

    def __init__(
        self,
        opened: OpenedRef,
        texts: "TextSource",
        likely: Callable[[], Collection[VersionKey]],
    ) -> None:
        """Take what tells the files to look at where too many may hold a literal."""
        self._opened = opened
        self._texts = texts
        self._likely = likely

    def find_literals(self, literals: Iterable[str]) -> Places:
        """Return the files that hold a literal as written; those in many files tell nothing."""
        places: Places = {}
        for literal in literals:
            self._add(places, self._lines_holding(literal))
        return places

    def find_whole_strings(self, literals: Iterable[str]) -> Places:
        """Return the source files that have a literal as a whole string."""
        places: Places = {}
        for literal in literals:
            _, quoted = self._occurrences(literal)
            self._add(places, quoted if len(quoted) <= LITERAL_FILES else {})
        return places

    def find_messages(self, messages: Iterable[str]) -> Places:
        """Return the files that hold a message, or else a format string that it fits."""
        places: Places = {}
        for message in messages:
            self._add(places, self._lines_holding(message) or self._formats_of(message))
        return places

    def _add(self, places: Places, lines: dict[VersionKey, int]) -> None:
        """Add the lines of one literal; tests and documents share it with code, and count less."""
        sources = self._in_sources(lines)
        for key, line in lines.items():
            value = 1 / len(sources if key in sources else lines)
            if key not in places or places[key].value < value:
                places[key] = LiteralPlace(value, line)

    def _in_sources(self, lines: dict[VersionKey, int]) -> dict[VersionKey, int]:
        keys = [*lines]
        facts = self._opened.file_facts.look_up(keys, self._opened.snapshot)
        found = zip(keys, facts, strict=True)
        return {key: lines[key] for key, each in found if each is not None and not each.roles}

    def _lines_holding(self, literal: str) -> dict[VersionKey, int]:
        """The first line with a literal by file; if some have it as a whole string, of those."""
        found, quoted = self._occurrences(literal)
        lines = quoted or found
        return lines if len(lines) <= LITERAL_FILES else {}

    def _occurrences(self, literal: str) -> tuple[dict[VersionKey, int], dict[VersionKey, int]]:
        """The first line with a literal by file, and with it as a whole string by source file."""
        found: dict[VersionKey, int] = {}
        quoted: dict[VersionKey, int] = {}
        for key, text in self._texts_with(literal):
            whole = text.whole
            found[key] = whole.count("\n", 0, whole.find(literal)) + 1
            own = [whole.find(f"{mark}{literal}{mark}") for mark in _QUOTES]
            if first := [each for each in own if each >= 0]:
                quoted[key] = whole.count("\n", 0, min(first)) + 1
        return found, self._in_sources(quoted)

    def _formats_of(self, message: str) -> dict[VersionKey, int]:
        """The lines with the strings that say most of a message, found by words in a row of it."""
        best: dict[VersionKey, tuple[float, int]] = {}
        words = message.split()[:_MOST_WORDS]
        for count in _WINDOW_WORDS:
            for start in range(len(words) - count + 1):
                window = " ".join(words[start : start + count])
                for key, text in self._texts_with(window):
                    best[key] = max(best.get(key, (0.0, 0)), _fitting_line(message, window, text))
        fitting = {key: line for key, (_, line) in best.items() if line}
        lines = self._in_sources(fitting) or fitting
        most = max([best[key][0] for key in lines], default=0.0)
        lines = {key: line for key, line in lines.items() if best[key][0] == most}
        return lines if len(lines) <= LITERAL_FILES else {}

    def _texts_with(self, literal: str) -> Iterator[tuple[VersionKey, "FileText"]]:
        """The texts that hold a literal; of likely files alone where trigrams leave too many."""
        opened = self._opened
        keys = versions_holding(literal, opened)
        if len(keys) > 2 * LITERAL_FILES:
            keys = keys.intersection(self._likely())
        wanted = sorted(keys)
        facts = opened.file_facts.look_up(wanted, opened.snapshot)
        files = [(key, each.path) for key, each in zip(wanted, facts, strict=True) if each]
        yield from self._texts.read_holding(literal, files)


def _fitting_line(message: str, window: str, text: "FileText") -> tuple[float, int]:
    """The line with the string that says most of a message, and its share; (0, 0) if none fits."""
    lines = enumerate(text.between(1, text.line_count), start=1)
    fitting = [
        (_constant_share(message, each), -number)
        for number, line in lines
        if window in line
        for each in _strings_in(line)
    ]
    share, number = max(fitting, default=(0.0, 0))
    return (share, -number) if share >= LITERAL_FORMAT_SHARE else (0.0, 0)


def _strings_in(line: str) -> Iterator[str]:
    for found in _STRING.finditer(line):
        yield _ESCAPE.sub(" ", next(filter(None, found.groups()), ""))


def _constant_share(message: str, format_string: str) -> float:
    """The share of a message's letters that a format string has, in order; 0 if it does not fit."""
    parts = [part.strip() for part in _PLACEHOLDER.split(format_string)]
    letters = _letters("".join(parts))
    if letters < _LEAST_CONSTANT_LETTERS or len(parts) > _MOST_PLACEHOLDERS:
        return 0.0
    place = 0
    for part in parts:
        place = message.find(part, place)
        if place < 0:
            return 0.0
        place += len(part)
    return letters / _letters(message)


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))
