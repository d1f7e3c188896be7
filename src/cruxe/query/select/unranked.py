"""Why a line of a file is in no candidate of a query: the first rule that leaves it out."""

from collections.abc import Sequence
from typing import Final

from cruxe.model.outcomes import RankedRegion, Unranked, UnrankedReason
from cruxe.model.stored import StoredFile
from cruxe.query.rank.regions import Region
from cruxe.query.retrieve.opened_ref import failed_filters, passes
from cruxe.query.select.question import Question
from cruxe.query.select.resolve_symbol import symbols_of
from cruxe.query.select.verify import FileText
from cruxe.text.identifiers import terms_of_text

_SHOWN_REGIONS: Final = 5


def find_out_why(
    question: Question,
    file: StoredFile,
    line: int,
    regions: Sequence[Region],
    text: FileText | None,
) -> Unranked:
    """Return why a line of an indexed file is in no region of the ranking."""
    terms = tuple(term for term, _ in question.analysis.terms)
    held_terms = _held_terms(terms, file.path, text)
    known = Unranked(reason=UnrankedReason.NO_TERM, terms=terms, held_terms=held_terms)
    if filters := _failed_filters(question, file, line):
        return known._replace(reason=UnrankedReason.FILTERED_OUT, filters=filters)
    if ranked := _regions_in(file.path, regions):
        return known._replace(reason=UnrankedReason.OTHER_REGION, regions=ranked)
    if not held_terms:
        return known
    has_unchecked = any(
        region.path == file.path for region in question.rank_unchecked(question.spec).regions
    )
    if question.analysis.expression is not None and (has_unchecked or not _is_met(question, text)):
        return known._replace(reason=UnrankedReason.NOT_DEMANDED)
    return known._replace(reason=UnrankedReason.BELOW_CUTOFF)


def _held_terms(terms: tuple[str, ...], path: str, text: FileText | None) -> tuple[str, ...]:
    content = "" if text is None else text.whole
    held = set(terms_of_text(f"{path}\n{content}").split())
    return tuple(term for term in terms if term in held)


def _failed_filters(question: Question, file: StoredFile, line: int) -> tuple[str, ...]:
    """The filters that exclude the line, whatever the query is."""
    spec, snapshot = question.spec, question.opened.snapshot
    assert file.version_key is not None
    around = [
        symbol
        for symbol in symbols_of(file.version_key, snapshot)
        if symbol.line_start <= line <= symbol.line_end
    ]
    on_symbols = spec.filters.on_symbols.alone
    return (
        *failed_filters(spec.filters.on_files, file),
        *(
            name
            for name, only in on_symbols.items()
            if not any(passes(only, each) for each in around)
        ),
    )


def _regions_in(path: str, regions: Sequence[Region]) -> tuple[RankedRegion, ...]:
    found = [(each, rank) for rank, each in enumerate(regions, start=1) if each.path == path]
    return tuple(
        RankedRegion(each.line_start, each.line_end, rank) for each, rank in found[:_SHOWN_REGIONS]
    )


def _is_met(question: Question, text: FileText | None) -> bool:
    """Whether the file as a whole could satisfy the query's operators."""
    return text is not None and question.is_met_by(f"{text.path}\n{text.whole}")
