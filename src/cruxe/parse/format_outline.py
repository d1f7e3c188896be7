"""Turn an `Outline`, which a language's rules read from the text, into a `ParsedFile`.

Formats that are lists of keys or instructions have many symbols in few bytes. Parsing them with a
grammar and a query costs several times as much as reading their lines.
"""

from collections import Counter
from typing import TYPE_CHECKING

from cruxe.model.identity import MAX_ORDINAL, StableIds
from cruxe.model.symbols import (
    NO_SYMBOL,
    ParsedFile,
    ParseProblem,
    ProblemKind,
    Symbol,
)
from cruxe.parse.chunks import cut_chunks
from cruxe.parse.comment_prose import strip_comment_markers
from cruxe.parse.query_matches import Found, packed_sites
from cruxe.parse.sites import place_sites
from cruxe.parse.source_text import Comments
from cruxe.parse.symbol_building import NEW_TUPLE, FileSymbols, without_nul
from cruxe.parse.text_places import Draft, Outline

if TYPE_CHECKING:
    from cruxe.model.symbols import Span
    from cruxe.parse.language import Language, Rules
    from cruxe.parse.source_text import SourceText


def outlined_file(source: "SourceText", language: "Language", outline: Outline) -> ParsedFile:
    """Build the parsed file from an outline."""
    if len(outline.drafts) > MAX_ORDINAL:
        outline = _cut(outline)
    built = _build(outline, source, language.rules)
    sites = Found(
        definitions=[],
        comments=[],
        sites=packed_sites(outline.sites or {}),
        imports=[],
        errors=[],
        type_parameters=[],
    )
    return ParsedFile(
        language=language.name,
        line_count=source.line_count,
        symbols=built.symbols,
        written_sites=place_sites(sites, built, outline.imports, source, language),
        imports=outline.imports,
        chunks=cut_chunks(source, built),
        comment_spans=tuple(outline.comments),
        doc_spans=tuple(sorted({*built.doc_spans})),
        problems=outline.problems,
    )


def _cut(outline: Outline) -> Outline:
    """Keep the first `MAX_ORDINAL` symbols and add a problem."""
    line = outline.drafts[MAX_ORDINAL][4]
    return outline._replace(
        drafts=outline.drafts[:MAX_ORDINAL],
        owners=tuple(each for each in outline.owners if each[2] < MAX_ORDINAL),
        problems=(*outline.problems, ParseProblem(ProblemKind.TOO_MANY_SYMBOLS, line)),
    )


def _build(outline: Outline, source: "SourceText", rules: "Rules") -> FileSymbols:
    drafts = outline.drafts
    regions = [draft[4] for draft in drafts]
    docs: dict[int, str] = {}
    doc_spans: list[Span] = []
    if drafts and outline.comments:
        comments = Comments(outline.comments, source)
        for place, (_, _, _, parent, line, _, _, _) in enumerate(drafts):
            above = comments.above(line, rules.is_doc_comment)
            # If the parent starts on the same line, the comment belongs to the parent.
            if above is None or (parent != NO_SYMBOL and drafts[parent][4] == line):
                continue
            regions[place] = above.line
            doc_spans += above.spans
            docs[place] = rules.doc_of(strip_comment_markers(above.texts))
    symbols = _symbols(drafts, docs, source.path, rules)
    return FileSymbols(
        symbols=symbols,
        definitions=[],
        owners=[*outline.owners],
        regions=regions,
        doc_spans=doc_spans,
        problems=(),
    )


def _symbols(
    drafts: list[Draft], docs: dict[int, str], path: str, rules: "Rules"
) -> tuple[Symbol, ...]:
    variants, visibility_of = _variants(drafts), rules.visibility_of
    stable_ids = StableIds(path)
    symbols: list[Symbol] = []
    for place, (name, scope, kind, *lines, signature) in enumerate(drafts):
        stable_id = stable_ids.of(kind, scope + name, variants.get(place, ""))
        names = without_nul(name), without_nul(scope)
        told = (*names, kind, visibility_of(name), *lines, signature)
        symbols.append(NEW_TUPLE(Symbol, (*told, docs.get(place, ""), stable_id)))
    return tuple(symbols)


def _variants(drafts: list[Draft]) -> dict[int, str]:
    """Return, by index, what distinguishes symbols of one kind and name: signature, then order."""
    names = [(draft[2], draft[1] + draft[0]) for draft in drafts]
    if len({*names}) == len(names):  # the usual case
        return {}
    counts = Counter(names)
    seen: dict[tuple[str, str, str], int] = {}
    variants: dict[int, str] = {}
    for place, (kind, name) in enumerate(names):
        if counts[kind, name] > 1:
            signature = drafts[place][7]
            occurrence = seen.get((kind, name, signature), 0)
            seen[kind, name, signature] = occurrence + 1
            variants[place] = f"{signature}\0{occurrence}" if occurrence else signature
    return variants
