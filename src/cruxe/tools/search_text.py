"""The tool `search_text`: find and count every match in a ref, return one page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.deadlines import Deadline
from cruxe.model.errors import InvalidInputError
from cruxe.model.outcomes import (
    Absence,
    AbsenceVerdict,
    CaseRule,
    LineMatch,
    TextOutcome,
    TextSpec,
)
from cruxe.respond.text_answer import fitted_answer
from cruxe.safety.redaction import redact
from cruxe.text.patterns import Pattern, applied_case, literal_pattern, regex_pattern
from cruxe.tools.checked_requests import Cursor, check_limit, read_cursor, write_cursor
from cruxe.tools.ref_session import RefSession
from cruxe.tools.text_scan import Scan, ScannedText

if TYPE_CHECKING:
    from cruxe.contract.results import SearchTextResult

MAX_CONTEXT_LINES: Final = 10
# Cap for a request without a limit, to bound memory.
_ALL: Final = 50_000


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
    identity = repr((session.target.ref.name, request.spec._replace(limit=0, context_lines=0)))
    spec, generation = request.spec, session.snapshot.generation
    if request.cursor is not None:
        spec = spec._replace(offset=read_cursor(request.cursor, identity, generation).offset)
    with Scan(session) as scan:
        outcome = _Search(session, request._replace(spec=spec), scan).run()
        metadata = session.metadata(is_fresh=scan.is_fresh)
    max_bytes = None if spec.limit is None else session.settings.search.max_response_bytes

    def cursor_at(offset: int) -> str:
        return write_cursor(Cursor(generation, offset), identity)

    return fitted_answer(outcome, spec, metadata, cursor_at, max_bytes)


def prove_absence(session: RefSession, literal: str) -> Absence:
    """Search a ref for a text in any case, until the call's deadline."""
    asked = TextSpec(pattern=literal, case=CaseRule.INSENSITIVE)
    spec, pattern, _ = text_request(asked, None)
    deadline = Deadline(session.settings.server.call_deadline_ms)
    verdict = AbsenceVerdict.CONFIRMED_ABSENT
    with Scan(session) as scan:
        for each in scan.texts(spec, only_wanted=True):
            if any(True for _ in pattern.line_places(each.text, deadline)):
                verdict = AbsenceVerdict.PRESENT
                break
            if deadline.has_passed:
                verdict = AbsenceVerdict.NOT_PROVEN
                break
        return Absence(verdict, scan.searched())


def _with_line_feeds(literal: str) -> str:
    """Return the literal with LF line ends, as in the searched texts."""
    return literal.replace("\r\n", "\n").replace("\r", "\n")


class _Search:
    """One running search: counts all matches, keeps those of the page."""

    def __init__(self, session: RefSession, request: TextRequest, scan: Scan) -> None:
        self._security = session.settings.security
        self._deadline = Deadline(session.settings.server.call_deadline_ms)
        self._scan = scan
        self._spec = spec = request.spec
        self._pattern = request.pattern
        self._end = spec.offset + (_ALL if spec.limit is None else spec.limit)

    def run(self) -> TextOutcome:
        matches: list[LineMatch] = []
        total = file_count = 0
        for each in self._scan.texts(self._spec, only_wanted=True):
            places = list(self._pattern.line_places(each.text, self._deadline))
            first, end = max(self._spec.offset - total, 0), max(self._end - total, 0)
            matches += self._shown(each, places[first:end])
            total += len(places)
            file_count += bool(places)
            if self._deadline.has_passed:
                break
        is_complete = not self._deadline.has_passed
        filtered_out = 0 if total else self._count_filtered_out()
        return TextOutcome(
            matches=matches,
            total=total,
            file_count=file_count,
            filtered_out=filtered_out,
            searched=self._scan.searched(),
            is_complete=is_complete,
            case=self._spec.case,
        )

    def _count_filtered_out(self) -> int:
        """Count the matches in files that the filters exclude; 0 without filters."""
        if not self._spec.filters:
            return 0
        count = 0
        for each in self._scan.texts(self._spec, only_wanted=False):
            count += sum(1 for _ in self._pattern.line_places(each.text, self._deadline))
            if self._deadline.has_passed:
                break
        return count

    def _shown(self, scanned: ScannedText, places: list[int]) -> Iterator[LineMatch]:
        if not places:
            return
        # Finding secrets needs the whole text. Redaction keeps line numbers.
        lines = redact(scanned.text.decode(), self._security).text.split("\n")
        number, counted = 1, 0
        for place in places:
            number += scanned.text.count(b"\n", counted, place)
            counted = place
            yield self._match(scanned, lines, number, place)

    def _match(self, scanned: ScannedText, lines: list[str], number: int, place: int) -> LineMatch:
        around = self._spec.context_lines
        last = len(lines) - (lines[-1] == "")  # a final line feed starts no line
        start = scanned.text.rfind(b"\n", 0, place) + 1
        column = len(scanned.text[start:place].decode()) + 1
        before = lines[max(0, number - 1 - around) : number - 1]
        after = lines[number : min(last, number + around)]
        return LineMatch(
            path=scanned.path,
            line=number,
            column=column,
            text=lines[number - 1],
            before=tuple(before),
            after=tuple(after),
        )
