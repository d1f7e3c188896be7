"""The tool `read_symbol`: the source of a symbol or region as the file is now."""

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.errors import (
    FileNotFoundInRefError,
    InvalidInputError,
    InvalidMaxTokensError,
    ResultNotFoundError,
    SymbolNotFoundError,
)
from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.outcomes import Budget, PathPlace, Reading
from cruxe.model.specs import MAX_TOKENS
from cruxe.model.stored import StoredFile
from cruxe.query.retrieve.file_outline import file_not_found
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.query.select.reparsed import handle_of, present_symbols
from cruxe.query.select.resolve_symbol import (
    ResolvedSymbol,
    described_symbol,
    resolve_symbol,
    symbols_of,
)
from cruxe.query.select.verify import FileText, TextSource
from cruxe.respond.source_answer import source_answer
from cruxe.tools.ref_session import RefSession

if TYPE_CHECKING:
    from cruxe.contract.results import ReadSymbolResult

DEFAULT_MAX_TOKENS: Final = 8_000
_BYTES_PER_TOKEN: Final = 6
_REGION_LINES: Final = 15  # before and after a line outside any symbol
# `a.py:12`, `a.py:12-20`, `a.py:12:5:` as compilers and grep write it, `a.py#L12-L20`.
_PLACE: Final = re.compile(r"(?P<path>.+?)(?::|#L)(?P<first>\d+)(?:-L?(?P<last>\d+)|:\d+)?:?")


class ReadRequest(NamedTuple):
    """The checked arguments of `read_symbol`."""

    symbol: str
    place: PathPlace  # the same text parsed as a location; it may be a name instead
    budget: Budget


def path_place(text: str) -> PathPlace:
    """Parse a text as a location in a file. A text without line numbers may also be a name."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return PathPlace(text)
    last = found["last"]
    return PathPlace(found["path"], int(found["first"]), None if last is None else int(last))


def read_budget(max_response_bytes: int, max_tokens: int | None, max_bytes: int | None) -> Budget:
    """Check the size limits of a `read_symbol` call."""
    tokens = DEFAULT_MAX_TOKENS if max_tokens is None else max_tokens
    if not 1 <= tokens <= MAX_TOKENS:
        raise InvalidMaxTokensError(
            f"max_tokens is {tokens}",
            remedy=f"use a number from 1 to {MAX_TOKENS}",
            data={"field": "max_tokens"},
        )
    if max_bytes is not None and max_bytes < 1:
        raise InvalidInputError(f"max_bytes is {max_bytes}", data={"field": "max_bytes"})
    room = max(max_response_bytes, _BYTES_PER_TOKEN * tokens)
    return Budget(tokens, room if max_bytes is None else max_bytes, room)


def read_symbol(session: RefSession, request: ReadRequest) -> "ReadSymbolResult":
    """Read a symbol or region from an opened ref and return the answer."""
    is_fresh = session.is_fresh()
    with session.texts() as texts:
        reader = _Reader(session.opened, texts)
        reading = reader.read(request)
    is_fresh = is_fresh and not reader.is_changed
    metadata = session.metadata(is_fresh=is_fresh)
    return source_answer(reading, request.budget, metadata)


class _Reader:
    """Resolves the request to a range of lines and reads it."""

    def __init__(self, opened: OpenedRef, texts: TextSource) -> None:
        self._opened = opened
        self._texts = texts
        self.is_changed = False  # the file differs from what was indexed

    def read(self, request: ReadRequest) -> Reading:
        place = request.place
        file = self._opened.snapshot.find_file(self._opened.ref_id, place.path)
        if file is not None:
            return self._read_file(file, place)
        if place.first is not None:
            raise file_not_found(self._opened.snapshot, self._opened.ref_id, place.path)
        return self._read_resolved(resolve_symbol(request.symbol, self._opened, self._texts))

    def _read_file(self, file: StoredFile, place: PathPlace) -> Reading:
        if file.version_key is None or file.skip_reason is not None:
            raise FileNotFoundInRefError(
                f"{file.path} is not indexed: {(file.skip_reason or '').replace('_', ' ')}",
                data={"path": file.path, "skip_reason": file.skip_reason},
            )
        text = self._text(file.version_key, file.path)
        language = text.changed.language if text.changed else file.language or ""
        whole = Reading(
            path=file.path, language=language, line_start=1, line_end=text.line_count, lines=[]
        )
        if place.first is None:
            return _with_lines(whole, text)
        _check_lines(place, file.path, whole.line_end)
        if place.last is not None:
            last = min(place.last, whole.line_end)
            return _with_lines(whole._replace(line_start=place.first, line_end=last), text)
        symbols = self._symbols(file.version_key, file.path, text)
        around = _innermost(symbols, place.first)
        if around is not None:
            return _with_lines(_of_symbol(around, symbols), text)
        first = max(1, place.first - _REGION_LINES)
        last = min(place.first + _REGION_LINES, whole.line_end)
        return _with_lines(whole._replace(line_start=first, line_end=last), text)

    def _read_resolved(self, resolved: ResolvedSymbol) -> Reading:
        text = self._text(resolved.version_key, resolved.path)
        symbols = self._symbols(resolved.version_key, resolved.path, text)
        if resolved.symbol is None:
            return _read_chunk(resolved, text)
        stable_id = resolved.symbol.stable_id
        found = next((each for each in symbols if each.stable_id == stable_id), None)
        if found is None:
            raise SymbolNotFoundError(
                f"{resolved.symbol.qualified_name} is no longer in {resolved.path}",
                data={"symbol": resolved.symbol.qualified_name, "path": resolved.path},
            )
        reading = _of_symbol(found, symbols)._replace(
            match=resolved.match,
            passed_over=tuple(map(described_symbol, resolved.passed_over)),
        )
        return _with_lines(reading, text)

    def _text(self, version_key: VersionKey, path: str) -> FileText:
        self._opened.check_shown([version_key])
        text = self._texts.read(version_key, path)
        if text is None:
            raise FileNotFoundInRefError(f"{path} can no longer be read", data={"path": path})
        self.is_changed = text.changed is not None
        return text

    def _symbols(self, version_key: VersionKey, path: str, text: FileText) -> list[StoredSymbol]:
        """Return the symbols of the current text, in file order."""
        stored = symbols_of(version_key, self._opened.snapshot)
        if text.changed is None:
            return stored
        return present_symbols(version_key, path, text.changed, stored)


def _read_chunk(resolved: ResolvedSymbol, text: FileText) -> Reading:
    if text.changed is not None:  # a chunk is identified by its lines alone
        raise ResultNotFoundError(
            f"{resolved.path} has changed since that result", data={"path": resolved.path}
        )
    first, last = resolved.lines
    reading = Reading(
        path=resolved.path,
        language=resolved.language,
        line_start=first,
        line_end=last,
        lines=[],
        parent=resolved.around,
    )
    return _with_lines(reading, text)


def _check_lines(place: PathPlace, path: str, line_count: int) -> None:
    """Raise if the lines are outside the file or end before they start."""
    first, last = place.first or 0, place.last
    problem = None if 1 <= first <= line_count else f"has no line {first}; its last is {line_count}"
    if problem is None and last is not None and last < first:
        problem = f"has no lines from {first} to {last}"
    if problem is not None:
        raise InvalidInputError(
            f"{path} {problem}",
            remedy="give lines of the file, the smaller number first",
            data={"field": "symbol", "line_count": line_count},
        )


def _innermost(symbols: list[StoredSymbol], line: int) -> StoredSymbol | None:
    around = [each for each in symbols if each.line_start <= line <= each.line_end]
    return min(around, key=lambda each: each.line_end - each.line_start, default=None)


def _of_symbol(symbol: StoredSymbol, symbols: list[StoredSymbol]) -> Reading:
    return Reading(
        path=symbol.path,
        language=symbol.language,
        line_start=symbol.line_start,
        line_end=symbol.line_end,
        lines=[],
        symbol=symbol,
        symbol_id=handle_of(symbol),
        parent=None if symbol.parent is None else symbols[symbol.parent],
    )


def _with_lines(reading: Reading, text: FileText) -> Reading:
    return reading._replace(lines=text.between(reading.line_start, reading.line_end))
