"""Verification of hits against their files as they are when the answer is made."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from cruxe.model.clock_cache import ClockCache
from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import StoredChunk
from cruxe.text.lines import LinedText, TermLines, sum_of_lines, weight_held

if TYPE_CHECKING:
    from cruxe.model.symbols import ParsedFile, Symbol


class FileText(NamedTuple):
    """A file's text as it is now."""

    path: str
    content: LinedText
    changed: "ParsedFile | None"  # the new parse, if the file is not what was indexed

    @property
    def line_count(self) -> int:
        """The number of lines; a final line feed starts none."""
        return self.content.line_count

    @property
    def whole(self) -> str:
        """The whole text."""
        return self.content.whole

    def between(self, first: int, last: int) -> list[str]:
        """Lines from `first` to `last`, 1-based and inclusive."""
        return self.content.between(first, last)

    def text_between(self, first: int, last: int) -> str:
        """The same lines as one text."""
        return "\n".join(self.content.between(first, last))


class Verified(NamedTuple):
    """A hit and the text that it is in."""

    hit: SearchHit
    text: FileText


class VerifiedHits(NamedTuple):
    """The hits that are still there."""

    hits: list[Verified]
    dropped: int  # hits that are gone
    is_changed: bool  # a file is not what was indexed, so other matches in it may be missing


class TextSource(Protocol):
    """Reads the texts of one ref."""

    def expect(self, files: Iterable[tuple[VersionKey, str]]) -> None:
        """Look up at once what reading some files, by version and path, will need."""
        ...

    def read(self, version_key: VersionKey, path: str) -> FileText | None:
        """Return the text of an indexed file as it is now, or None if the file is gone."""
        ...

    def read_holding(
        self, literal: str, files: Sequence[tuple[VersionKey, str]]
    ) -> Iterator[tuple[VersionKey, FileText]]:
        """Read those of some files, by version and path, that hold a literal as written."""
        ...

    def recent_changes(self) -> Mapping[str, float]:
        """Return how much the last commits of the ref changed each path, from 0 to 1."""
        ...


def verify_hits(hits: list[SearchHit], texts: TextSource) -> VerifiedHits:
    """Check every hit in its file; update those that moved, drop those that are gone."""
    texts.expect((hit.version_key, hit.path) for hit in hits)
    read = [texts.read(hit.version_key, hit.path) for hit in hits]
    kept = [each for each in map(verified_in, read, hits) if each is not None]
    return VerifiedHits(kept, len(hits) - len(kept), any(map(is_not_as_indexed, read)))


def is_not_as_indexed(text: FileText | None) -> bool:
    """Whether a file is gone or not what was indexed."""
    return text is None or text.changed is not None


def verified_in(text: FileText | None, hit: SearchHit) -> Verified | None:
    """Return a hit as it is in a text now, or None if it is gone."""
    if text is None:
        return None
    if text.changed is None:
        return Verified(hit, text)
    symbol = hit.symbol or hit.around
    if symbol is None:
        return None  # a chunk is identified by its lines alone
    found = _same_symbol(symbol, text.changed)
    if found is None:
        return None
    moved = symbol._replace(
        line_start=found.line_start,
        line_end=found.line_end,
        name_line=found.name_line,
        signature=found.signature,
        doc=found.doc,
        visibility=found.visibility.value,
    )
    return Verified(hit.showing(moved), text)


def present_span(symbol: StoredSymbol, text: FileText) -> tuple[int, int]:
    """Return the lines of a symbol in a text as it is now; as indexed if it is gone."""
    found = None if text.changed is None else _same_symbol(symbol, text.changed)
    return (symbol if found is None else found).line_start, (found or symbol).line_end


def _same_symbol(symbol: StoredSymbol, parsed: "ParsedFile") -> "Symbol | None":
    return next((each for each in parsed.symbols if each.stable_id == symbol.stable_id), None)


# A definition that holds less of the query than this share of its chunk does is only a part of the
# answer, and the chunk is shown as a whole.
_ANSWERING_SHARE: Final = 0.75
# One with most of a chunk's lines gives it its name with this share.
_NAMING_SHARE: Final = 0.5
# That are cached for one chunk.
_MAX_TERMS: Final = 100


def answering_symbol(
    chunk: StoredChunk, text: FileText, weights: dict[str, float]
) -> StoredSymbol | None:
    """Return the definition that holds most of what its chunk does, or None if none does.

    One that only renames another holds nothing.
    """
    if not chunk.inside:
        return None
    terms = _terms_of(chunk, text)
    whole: list[float] = []
    held: dict[int, list[float]] = {}
    for term, weight in weights.items():
        is_in_lines, holders = terms[term]
        if is_in_lines:
            whole.append(weight)
        for index in holders:
            held.setdefault(index, []).append(weight)
    least = _ANSWERING_SHARE * sum(whole)
    sums = {index: sum(each) for index, each in held.items()} if least else {}
    answering = [
        index for index, own in sums.items() if own >= least and not chunk.inside[index].is_renaming
    ]
    if len(answering) < 2:  # noqa: PLR2004
        return chunk.inside[answering[0]] if answering else None

    def order(index: int) -> tuple[float, float, int, int]:
        symbol = chunk.inside[index]
        named = weight_held(symbol.name, weights)
        return -sums[index], -named, symbol.line_end - symbol.line_start, symbol.ordinal

    return chunk.inside[min(answering, key=order)]


def holds_half(
    symbol: StoredSymbol, chunk: StoredChunk, text: FileText, weights: dict[str, float]
) -> bool:
    """Whether a definition holds half of what a chunk does, as all that is around it does."""
    if symbol.line_start <= chunk.line_start and chunk.line_end <= symbol.line_end:
        return True
    whole = sum_of_lines(text.between(chunk.line_start, chunk.line_end), weights)
    own = text.between(symbol.line_start, symbol.line_end)
    return sum_of_lines([_said_of(symbol), *own], weights) >= _NAMING_SHARE * whole


class _Holding(NamedTuple):
    """What holds a term."""

    is_in_lines: bool  # some line of the chunk holds it
    holders: tuple[int, ...]  # indexes of definitions that hold it in lines, name or doc


class _ChunkTerms(dict[str, _Holding]):
    """Which definitions in a chunk hold which terms, computed on demand."""

    def __init__(self, chunk: StoredChunk, text: FileText) -> None:
        super().__init__()
        lines = text.text_between(chunk.line_start, chunk.line_end)
        said = "\n".join([_said_of(symbol) for symbol in chunk.inside])
        self._lines = TermLines(lines)
        self._said = TermLines(said)  # by names and docs, one line for each definition
        self._spans = [
            (symbol.line_start - chunk.line_start, symbol.line_end - chunk.line_start)
            for symbol in chunk.inside
        ]
        self.size_bytes = _OWN_BYTES + _COPIES_OF_TEXT * (len(lines) + len(said))

    def __missing__(self, term: str) -> _Holding:
        if len(self) >= _MAX_TERMS:
            self.clear()
        held = self[term] = self._look_for(term)
        return held

    def _look_for(self, term: str) -> _Holding:
        lines = self._lines.holding(term)
        holders = {*self._said.holding(term)}
        if lines:
            holders.update(
                number
                for number, (first, last) in enumerate(self._spans)
                if bisect_left(lines, first) < bisect_right(lines, last)
            )
        return _Holding(bool(lines), tuple(holders))


def _said_of(symbol: StoredSymbol) -> str:
    # Not the qualified name: what all symbols of a file share does not tell them apart.
    return f"{symbol.name} {symbol.doc}".replace("\n", " ")


# Questions that share words find the same chunks.
_cached_terms: Final[ClockCache[tuple[int, int, int], _ChunkTerms]] = ClockCache(4_000_000)
# The lines and their letters, each with a list of them.
_COPIES_OF_TEXT: Final = 4
# The cached terms themselves.
_OWN_BYTES: Final = 4_000


def _terms_of(chunk: StoredChunk, text: FileText) -> _ChunkTerms:
    lines = text.content.cache_key, chunk.line_start, chunk.line_end
    found = _cached_terms.get(lines)
    if found is None:
        found = _ChunkTerms(chunk, text)
        _cached_terms.put(lines, found, found.size_bytes)
    return found
