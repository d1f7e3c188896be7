"""What ctags is asked for in a language, and the rules by which its answer may differ from ours.

A rule of difference names one habit of ctags, or one choice of ours, that makes a tag no
definition to miss. A miss that no rule explains counts against us.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from benchmarks.suites.quality.parsing.ctags import Tag
from cruxe.model.symbols import ROLE_OF_KIND, ParsedFile, Symbol, SymbolRole
from cruxe.parse.source_text import SourceText


class Miss(NamedTuple):
    """A tag without a symbol of ours, with the file it is about."""

    tag: Tag
    source: SourceText
    parsed: ParsedFile

    def line_text(self, offset: int = 0) -> str:
        """The line of the tag, or one some lines below; empty outside the file."""
        number = self.tag.line + offset
        if not 1 <= number <= self.source.line_count:
            return ""
        starts = [*self.source.line_starts, len(self.source.data)]
        return self.source.text_between(starts[number - 1], starts[number]).rstrip("\r\n")

    def around(self) -> list[Symbol]:
        """The symbols that begin before the line of the tag and reach it, outermost first."""
        line = self.tag.line
        return [each for each in self.parsed.symbols if each.line_start < line <= each.line_end]

    def is_inside(self, role: SymbolRole) -> bool:
        """Whether a symbol around has this role."""
        return any(ROLE_OF_KIND[symbol.kind] is role for symbol in self.around())

    def is_in_prose(self) -> bool:
        """Whether the tag's line, from the name on, is in a comment or doc text."""
        starts = self.source.line_starts
        if not 1 <= self.tag.line <= len(starts):
            return False
        name, text = self.tag.name, self.line_text()
        start = starts[self.tag.line - 1] + len(text[: max(0, text.find(name))].encode())
        spans = (*self.parsed.comment_spans, *self.parsed.doc_spans)
        return any(begin <= start < end for begin, end in spans)


class Rule(NamedTuple):
    """One reason for which ctags has a tag and we have no symbol."""

    name: str
    reason: str
    applies: Callable[[Miss], bool]


class Table(NamedTuple):
    """What to compare in one language."""

    ctags_language: str
    kinds: frozenset[str]  # of ctags: functions, methods, types, constants, modules
    rules: tuple[Rule, ...] = ()
    # A name in the spelling by which both sides are compared.
    plain_name: Callable[[str], str] = str


def is_of(*kinds: str) -> Callable[[Miss], bool]:
    """Whether ctags gives the tag one of these kinds."""
    return lambda miss: miss.tag.kind in kinds


def line_matches(pattern: str) -> Callable[[Miss], bool]:
    """Whether the line of the tag holds a pattern; `NAME` in it stands for the tag's name."""

    def applies(miss: Miss) -> bool:
        exact = pattern.replace("NAME", re.escape(miss.tag.name))
        return re.search(exact, miss.line_text()) is not None

    return applies


def line_lacks(pattern: str) -> Callable[[Miss], bool]:
    """Whether the line of the tag does not hold a pattern."""
    matches = line_matches(pattern)
    return lambda miss: not matches(miss)


def both(*conditions: Callable[[Miss], bool]) -> Callable[[Miss], bool]:
    """Whether all conditions hold."""
    return lambda miss: all(condition(miss) for condition in conditions)


def is_in_function(miss: Miss) -> bool:
    """Whether a function of ours is around the tag."""
    return miss.is_inside(SymbolRole.CALLABLE)


def is_made_up(name: str) -> bool:
    """Whether ctags made up a name for what has none."""
    return name.startswith(("__anon", "anonymousFunction", "AnonymousFunction"))


IN_PROSE: Final = Rule(
    "in a comment",
    "ctags took words of a comment or a doc string for a definition",
    Miss.is_in_prose,
)
UNNAMED: Final = Rule(
    "without a name",
    "ctags makes up a name for what has none",
    lambda miss: is_made_up(miss.tag.name),
)


def local_value(*kinds: str) -> Rule:
    """Variables and constants of a function are no symbols; `kinds` are those of ctags."""
    return Rule(
        "local value",
        "variables and constants of a function are no symbols",
        both(is_of(*kinds), is_in_function),
    )
