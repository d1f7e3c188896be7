"""Search patterns: literals and regular expressions in lines, globs on paths.

Texts are UTF-8. Regular expressions are RE2's, which run in time linear in the text, with Unicode's
word characters, digits and spaces. The cost of a large one is bounded by its program size and by
checking the deadline between pieces of text.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, Protocol

from cruxe.model.deadlines import Deadline
from cruxe.model.errors import InvalidInputError
from cruxe.model.outcomes import CaseRule
from cruxe.text.literal_search import LiteralSearch

# Measured where RE2 falls back to its slow engine: 23 ns per byte and instruction, so a piece takes
# at most a tenth of a second.
_STEPS_PER_PIECE: Final = 4_000_000
_MAX_INSTRUCTIONS: Final = 10_000
_MAX_EXPRESSION_CHARACTERS: Final = 10_000
# A line is searched in one piece. The longest of minified files have a megabyte.
_PIECES_PER_LINE: Final = 50
# A literal is never refused for its length: it may be a whole file of the largest size.
_LITERAL_MEMORY_BYTES: Final = 1 << 29
_SEARCH_MEMORY_BYTES: Final = 1 << 25
_MAX_REASON_CHARACTERS: Final = 120
# Parts of an expression whose capitals are not text: escapes, names of groups and classes.
_NO_TEXT: Final = re.compile(
    r"\\[pP](?:\{[^}]*\}|.)|\\x(?:\{[^}]*\}|..)|\\.|\(\?P?<\w+>|\(\?\w+|\[:\w+:\]", re.DOTALL
)
_CLASS: Final = re.compile(r"\\[^n]|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
_LINE_BREAK: Final = re.compile(r"\n|\\n")
# Start and end of text mean those of the line here, so each line must be matched separately.
_NEEDS_LINE: Final = re.compile(r"\\[AzQ]|\(\?\w*-\w*m")
# A path with one of these is a glob.
_WILDCARDS: Final = frozenset("*?")
_STARS: Final = re.compile(r"\*+")
_FOLDERS: Final = "(?:[^/]+/)*"


class Pattern(Protocol):
    """A pattern to search for."""

    def is_affordable(self, text: bytes) -> bool:
        """Return whether each line of a text is short enough for a pattern of this size."""
        ...

    def line_places(self, text: bytes, deadline: Deadline) -> list[int]:
        """Return the offset of the first match on each matching line; stop at the deadline."""
        ...


def literal_pattern(literal: str, case: CaseRule) -> Pattern:
    """Search for a literal, which may span lines."""
    if case is CaseRule.INSENSITIVE and not literal.isascii() and _has_utf8(literal):
        return _AcrossLines(literal)
    return _Literal(literal, is_folded=case is CaseRule.INSENSITIVE)


def regex_pattern(expression: str, case: CaseRule) -> Pattern:
    """Search for a regular expression within lines; raise if it cannot be used."""
    if len(expression) > _MAX_EXPRESSION_CHARACTERS:
        raise _refused(f"it has more than {_MAX_EXPRESSION_CHARACTERS:,} characters")
    compiled = _compile(f"(?m){expression}", case, is_literal=False)
    if _LINE_BREAK.search(_CLASS.sub("", expression)):
        raise _refused("it asks for a line break, and lines are looked at one by one")
    if compiled.programsize > _MAX_INSTRUCTIONS:
        raise _refused("it is too large")
    is_by_line = _NEEDS_LINE.search(expression) is not None
    from cruxe.text.expressions import unicode_expressions

    forms = unicode_expressions(expression)
    if forms is None:
        return _Regex(compiled, is_by_line=is_by_line)
    plain = _compile(f"(?m){forms.ascii}", case, is_literal=False)
    wide = _compile(f"(?m){forms.wide}", case, is_literal=False)
    marked = _compile(forms.marked, case, is_literal=False, has_groups=True)
    return _UnicodeRegex(
        plain=_Regex(plain, is_by_line=is_by_line),
        wide=_Regex(wide, is_by_line=is_by_line),
        marked=marked,
        in_ascii=None if forms.is_wide_exact else plain,
    )


class ByteSearch(Protocol):
    """A search in bytes."""

    def __call__(self, text: bytes, start: int = 0) -> int:
        """Return the offset of the first match at or after `start`, or -1."""
        ...


def byte_search(expression: str) -> ByteSearch:
    """Return a search for an expression of ours, in time linear in the text.

    `^` and `$` are the ends of lines.
    """
    import re2

    options = re2.Options()
    options.never_capture = True
    options.max_mem = _SEARCH_MEMORY_BYTES
    search = re2.compile(f"(?m){expression}".encode(), options).search

    def place_of(text: bytes, start: int = 0) -> int:
        found = search(text, start)
        return -1 if found is None else int(found.start())

    return place_of


class ByteSpans(Protocol):
    """A search for all matches in bytes."""

    def __call__(self, text: bytes) -> Iterator[tuple[int, int]]:
        """Yield the start and the end of each match."""
        ...


def byte_spans(expression: str) -> ByteSpans:
    """Return a search for the spans of an expression of ours, as `byte_search` does for places."""
    import re2

    options = re2.Options()
    options.never_capture = True
    options.max_mem = _SEARCH_MEMORY_BYTES
    search = re2.compile(f"(?m){expression}".encode(), options).search

    def spans_of(text: bytes) -> Iterator[tuple[int, int]]:
        found = search(text)
        while found is not None:
            start, end = found.span()
            yield int(start), int(end)
            found = search(text, max(int(end), int(start) + 1))

    return spans_of


def applied_case(pattern: str, rule: CaseRule, *, is_regex: bool) -> CaseRule:
    """Resolve the smart rule: case matters if the pattern has a capital."""
    if rule is not CaseRule.SMART:
        return rule
    text = _NO_TEXT.sub("", pattern[:_MAX_EXPRESSION_CHARACTERS]) if is_regex else pattern
    has_capital = any(character.isupper() for character in text)
    return CaseRule.SENSITIVE if has_capital else CaseRule.INSENSITIVE


@lru_cache(maxsize=32)
def path_filter(pattern: str) -> Callable[[str], bool]:
    """Return a predicate on paths for a glob or a part of a path.

    `*` stays within a folder, `**` between slashes is any number of folders. A glob without a
    slash matches the file name. A pattern without `*` or `?` matches any path that contains it,
    ignoring case.
    """
    if _WILDCARDS.isdisjoint(pattern):
        part = pattern.casefold()
        return lambda path: part in path.casefold()
    glob = pattern if "/" in pattern else f"**/{pattern}"
    expression = re.compile(_expression_of(glob), re.DOTALL)
    return lambda path: expression.fullmatch(path) is not None


def _expression_of(glob: str) -> str:
    """Translate a glob to an expression whose time does not grow with the number of wildcards.

    Between two wildcards the first match is as good as any later one, so groups are atomic.
    """
    groups: list[list[str]] = [[]]
    for segment in glob.split("/"):
        if segment != "**":
            groups[-1].append(_segment_of(segment))
        elif groups[-1] or len(groups) == 1:
            groups.append([])
    first, *others = ["/".join(group) for group in groups]
    if not others:
        return first
    *between, last = others
    start = f"{first}/" if first else ""
    middle = "".join(f"(?>(?:[^/]+/)*?{group}/)" for group in between)
    return start + middle + (f"{_FOLDERS}{last}" if last else ".+")


def _segment_of(segment: str) -> str:
    """Return the expression for one segment of a path."""
    first, *others = [_characters_of(piece) for piece in _STARS.split(segment)]
    if not others:
        return first
    *between, last = others
    return first + "".join(f"(?>[^/]*?{piece})" for piece in between) + f"[^/]*{last}"


def _characters_of(text: str) -> str:
    return "".join("[^/]" if each == "?" else re.escape(each) for each in text)


class _Found(Protocol):
    def start(self) -> int: ...

    def __getitem__(self, group: int) -> bytes: ...


class _Compiled(Protocol):
    @property
    def programsize(self) -> int: ...

    def search(self, text: bytes, pos: int = 0, endpos: int | None = None) -> _Found | None: ...

    def finditer(
        self, text: bytes, pos: int = 0, endpos: int | None = None
    ) -> Iterator[_Found]: ...


class _Literal:
    def __init__(self, literal: str, *, is_folded: bool) -> None:
        # A surrogate has no valid UTF-8, so it matches no text.
        needle = literal.encode("utf-8", "surrogatepass")
        self._literal = literal
        self._search = LiteralSearch(needle, is_folded=is_folded)

    def is_affordable(self, text: bytes) -> bool:
        del text  # the time is linear in it
        return True

    def line_places(self, text: bytes, deadline: Deadline) -> list[int]:
        if self._search.is_exact_in(text):
            return self._search.places(text)
        return _AcrossLines(self._literal).line_places(text, deadline)


class _Regex:
    def __init__(self, compiled: _Compiled, *, is_by_line: bool) -> None:
        self._compiled = compiled
        self._is_by_line = is_by_line
        self._piece_bytes = max(1, _STEPS_PER_PIECE // max(1, compiled.programsize))
        self._line_bytes = self._piece_bytes * _PIECES_PER_LINE

    def is_affordable(self, text: bytes) -> bool:
        """Return whether no line is so long that the deadline would be looked at too late."""
        if len(text) <= self._line_bytes:
            return True
        return max(map(len, text.split(b"\n"))) <= self._line_bytes

    def line_places(self, text: bytes, deadline: Deadline) -> list[int]:
        places = list[int]()
        start = 0
        while start < len(text) and not deadline.has_passed:
            if self._is_by_line:
                end = _end_of_line(text, start)
                places += self._within_line(text[start:end].removesuffix(b"\n"), start)
            else:
                end = _end_of_line(text, start + self._piece_bytes)
                places += self._within_piece(text, start, end)
            start = end
        return places

    def _within_line(self, line: bytes, start: int) -> list[int]:
        found = self._compiled.search(line)
        return [] if found is None else [start + found.start()]

    def _within_piece(self, text: bytes, start: int, end: int) -> list[int]:
        # An empty match after the last line break is on no line, or on the first of the next piece.
        last = end - 1 if text.endswith(b"\n", start, end) else end
        places = list[int]()
        while 0 <= start <= last:
            more, start = self._from_line(text, start, end, last)
            places += more
        return places

    def _from_line(self, text: bytes, start: int, end: int, last: int) -> tuple[list[int], int]:
        """Return matches on lines of their own, and where to go on, or -1.

        A piece may have thousands: nothing is called for each that need not be.
        """
        places = list[int]()
        for found in self._compiled.finditer(text, start, end):
            place = found.start()
            if place < start:
                return places, start  # on the same line: go on with the next one
            if place > last:
                break
            places.append(place)
            start = text.find(b"\n", place, end) + 1
            if not start:
                break
        return places, -1


class _UnicodeRegex:
    """An expression that means another thing in lines that are not ASCII.

    Those lines are found by a wider expression and searched in their marked form.
    """

    def __init__(
        self, plain: _Regex, wide: _Regex, marked: _Compiled, in_ascii: _Compiled | None
    ) -> None:
        self._plain = plain  # for texts of ASCII
        self._wide = wide
        self._marked = marked
        self._in_ascii = in_ascii  # for single lines; None if the wider one says the same

    def is_affordable(self, text: bytes) -> bool:
        return self._wide.is_affordable(text)

    def line_places(self, text: bytes, deadline: Deadline) -> list[int]:
        if text.isascii():
            return self._plain.line_places(text, deadline)
        places = list[int]()
        for place in self._wide.line_places(text, deadline):
            start = text.rfind(b"\n", 0, place) + 1
            line = text[start : _end_of_line(text, place)].removesuffix(b"\n")
            column = self._column(line, place - start)
            if column is not None:
                places.append(start + column)
            if deadline.has_passed:
                break
        return places

    def _column(self, line: bytes, wide_column: int) -> int | None:
        """Return the offset of the first match in a line, or None if there is none."""
        if line.isascii():
            if self._in_ascii is None:
                return wide_column
            found = self._in_ascii.search(line)
            return None if found is None else found.start()
        from cruxe.text.expressions import MARKED_WIDTH, marked_text

        letters = line.decode()
        found = self._marked.search(marked_text(letters).encode())
        if found is None:
            return None
        skipped = len(found[1].decode()) // MARKED_WIDTH
        return len(letters[:skipped].encode())


class _AcrossLines:
    """A case-insensitive literal, matched by RE2; it may span lines."""

    def __init__(self, literal: str) -> None:
        self._compiled = _compile(literal, CaseRule.INSENSITIVE, is_literal=True)

    def is_affordable(self, text: bytes) -> bool:
        del text
        return True

    def line_places(self, text: bytes, deadline: Deadline) -> list[int]:
        places = list[int]()
        start = 0
        while start < len(text) and not deadline.has_passed:
            found = self._compiled.search(text, start)
            if found is None:
                break
            places.append(found.start())
            start = _end_of_line(text, found.start())
        return places


def _compile(
    expression: str, case: CaseRule, *, is_literal: bool, has_groups: bool = False
) -> _Compiled:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.literal = is_literal
    options.never_nl = not is_literal
    if is_literal:
        options.max_mem = _LITERAL_MEMORY_BYTES
    options.never_capture = not has_groups
    options.case_sensitive = case is not CaseRule.INSENSITIVE
    re2.purge()  # it would cache a hundred expressions with megabytes of states each
    try:
        compiled: _Compiled = re2.compile(expression.encode("utf-8", "surrogatepass"), options)
    except re2.error as error:
        raise _refused(_reason_of(error)) from None
    return compiled


def _reason_of(error: Exception) -> str:
    said = error.args[0] if error.args else b""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    reason = text.replace("(?m)", "", 1)
    is_long = len(reason) > _MAX_REASON_CHARACTERS
    return f"{reason[:_MAX_REASON_CHARACTERS]} …" if is_long else reason


def _refused(why: str) -> InvalidInputError:
    return InvalidInputError(
        f"the regular expression cannot be used: {why}",
        remedy="correct it (RE2 syntax: no look-around, no back-references), or search literally",
        data={"field": "pattern"},
    )


def _has_utf8(text: str) -> bool:
    return text.encode("utf-8", "ignore") == text.encode("utf-8", "surrogatepass")


def _end_of_line(text: bytes, place: int) -> int:
    """Return the offset of the next line, or the end of the text."""
    end = text.find(b"\n", place)
    return len(text) if end < 0 else end + 1
