"""The tool `search_text`: find and count every match in a ref, return one page."""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.deadlines import Deadline
from cruxe.model.errors import InvalidInputError
from cruxe.model.outcomes import (
    Absence,
    AbsenceVerdict,
    CaseRule,
    FileMatches,
    LineContext,
    TextOutcome,
    TextSpec,
    UnsearchedReason,
)
from cruxe.respond.text_answer import answer_by_file, fitted_answer
from cruxe.text.lines import PlacedLines, lines_at
from cruxe.text.patterns import Pattern, applied_case, literal_pattern, regex_pattern
from cruxe.tools.checked_requests import Cursor, check_limit, read_cursor, write_cursor
from cruxe.tools.ref_session import RefSession
from cruxe.tools.text_scan import BlankedText, Scan, ScannedText

if TYPE_CHECKING:
    from collections.abc import Callable

    from cruxe.contract.results import SearchTextLines, SearchTextResult
    from cruxe.respond.metadata import Metadata

    # The outcome, the page that was searched for, and how its cursors are written.
    _Found = tuple[TextOutcome, TextSpec, Metadata, Callable[[int], str]]

MAX_CONTEXT_LINES: Final = 10
# Cap for a request without a limit, to bound memory: about half a kilobyte a line.
MOST_LINES: Final = 200_000


class TextRequest(NamedTuple):
    """The checked arguments of `search_text`."""

    spec: TextSpec
    pattern: Pattern
    cursor: str | None = None


def text_request(asked: TextSpec, cursor: str | None) -> TextRequest:
    """Check the arguments of `search_text`; raise if the pattern cannot be used."""
    if not asked.pattern:
        raise InvalidInputError("pattern is empty", data={"field": "pattern"})
    if asked.limit is not None:
        check_limit(asked.limit)
    if not 0 <= asked.context_lines <= MAX_CONTEXT_LINES:
        raise InvalidInputError(
            f"context_lines is {asked.context_lines}",
            remedy=f"use a number from 0 to {MAX_CONTEXT_LINES}",
            data={"field": "context_lines"},
        )
    case = applied_case(asked.pattern, asked.case, is_regex=asked.is_regex)
    if asked.is_regex:
        return TextRequest(asked._replace(case=case), regex_pattern(asked.pattern, case), cursor)
    spec = asked._replace(case=case, pattern=_with_line_feeds(asked.pattern))
    return TextRequest(spec, literal_pattern(spec.pattern, case), cursor)


def search_text(session: RefSession, request: TextRequest) -> "SearchTextResult":
    """Search an opened ref and return the answer."""
    max_bytes = session.settings.search.max_response_bytes
    found = _search(session, request)
    return fitted_answer(*found, None if request.spec.limit is None else max_bytes)


def search_text_lines(session: RefSession, request: TextRequest) -> "SearchTextLines":
    """Search an opened ref and return all lines by file, whatever their size."""
    return answer_by_file(*_search(session, request))


def _search(session: RefSession, request: TextRequest) -> "_Found":
    """Search for one page, which starts where the cursor says."""
    identity = repr((session.target.ref.name, request.spec._replace(limit=0, context_lines=0)))
    spec, generation = request.spec, session.snapshot.generation
    if request.cursor is not None:
        spec = spec._replace(offset=read_cursor(request.cursor, identity, generation).offset)
    with Scan(session) as scan:
        outcome = _Search(session, request._replace(spec=spec), scan).run()
        metadata = session.metadata(is_fresh=scan.is_fresh)

    def cursor_at(offset: int) -> str:
        return write_cursor(Cursor(generation, offset), identity)

    return outcome, spec, metadata, cursor_at


def prove_absence(session: RefSession, literal: str, *, is_fresh: bool | None = None) -> Absence:
    """Search a ref for a text in any case, until the call's deadline."""
    asked = TextSpec(pattern=literal, case=CaseRule.INSENSITIVE)
    spec, pattern, _ = text_request(asked, None)
    deadline = Deadline(session.settings.server.call_deadline_ms)
    verdict = AbsenceVerdict.CONFIRMED_ABSENT
    with Scan(session, is_fresh=is_fresh) as scan:
        for found in scan.texts(spec, only_wanted=True):
            if _places_in(found, pattern, deadline, scan)[0]:
                verdict = AbsenceVerdict.PRESENT
                break
            if deadline.has_passed:
                verdict = AbsenceVerdict.NOT_PROVEN
                scan.cut_short()
                break
        return Absence(verdict, scan.searched())


def _with_line_feeds(literal: str) -> str:
    """Return the literal with LF line ends, as in the searched texts."""
    return literal.replace("\r\n", "\n").replace("\r", "\n")


def _places_in(
    found: ScannedText, pattern: Pattern, deadline: Deadline, scan: Scan
) -> tuple[list[int], BlankedText]:
    """Return the first match of each line outside of secrets, and the text to show."""
    text = BlankedText(found.text, found.text)
    places = pattern.line_places(text.searched, deadline)
    if places and found.may_have_secrets:
        text = scan.blanked(found)
        places = pattern.line_places(text.searched, deadline)
    return places, text


class _Search:
    """One running search: counts all matches, keeps those of the page."""

    def __init__(self, session: RefSession, request: TextRequest, scan: Scan) -> None:
        self._deadline = Deadline(session.settings.server.call_deadline_ms)
        self._scan = scan
        self._spec = spec = request.spec
        self._pattern = request.pattern
        self._end = spec.offset + (MOST_LINES if spec.limit is None else spec.limit)
        self._matches: list[FileMatches] = []

    def run(self) -> TextOutcome:
        total = file_count = 0
        for found in self._scan.texts(self._spec, only_wanted=True):
            if not self._can_search(found.path, found.text):
                continue
            places, text = self._places(found)
            first, end = max(self._spec.offset - total, 0), max(self._end - total, 0)
            if first < end and first < len(places):
                self._matches.append(self._shown(found.path, text, places[first:end]))
            total += len(places)
            file_count += bool(places)
            if self._deadline.has_passed:
                self._scan.cut_short()
                break
        is_in_time = not self._deadline.has_passed
        searched = self._scan.searched()
        filtered_out = 0 if total else self._count_filtered_out()
        return TextOutcome(
            matches=self._matches,
            total=total,
            file_count=file_count,
            filtered_out=filtered_out,
            searched=searched,
            is_complete=is_in_time and searched.skipped.keys().isdisjoint(UnsearchedReason),
            case=self._spec.case,
        )

    def _places(self, found: ScannedText) -> tuple[list[int], BlankedText]:
        return _places_in(found, self._pattern, self._deadline, self._scan)

    def _can_search(self, path: str, text: bytes) -> bool:
        is_affordable = self._pattern.is_affordable(text)
        if not is_affordable:
            self._scan.give_up(path, UnsearchedReason.TOO_COSTLY)
        return is_affordable

    def _count_filtered_out(self) -> int:
        """Count the matches in files that the filters exclude; 0 without filters."""
        if not self._spec.filters:
            return 0
        count = 0
        for found in self._scan.texts(self._spec, only_wanted=False):
            if self._can_search(found.path, found.text):
                count += len(self._places(found)[0])
            if self._deadline.has_passed:
                break
        return count

    def _shown(self, path: str, text: BlankedText, places: list[int]) -> FileMatches:
        """Return the lines at some places; redaction keeps line numbers."""
        found, around = lines_at(text.searched, places), self._spec.context_lines
        if around or text.shown is not text.searched:
            return _from_lines(path, found, text.shown.decode().split("\n"), around)
        numbers, columns, _ = found
        return FileMatches(path=path, numbers=numbers, columns=columns, texts=found.texts)


def _from_lines(path: str, found: PlacedLines, lines: list[str], around: int) -> FileMatches:
    """Return the matches with their lines as given, which may be redacted."""
    numbers, columns, _ = found
    last = len(lines) - (lines[-1] == "")  # a final line feed starts no line
    context = [
        LineContext(
            before=lines[max(0, number - 1 - around) : number - 1],
            after=lines[number : min(last, number + around)],
        )
        for number in numbers
    ]
    return FileMatches(
        path=path,
        numbers=numbers,
        columns=columns,
        texts=[lines[number - 1] for number in numbers],
        context=context if around else None,
    )
