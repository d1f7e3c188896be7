"""Parse one file's text into a `ParsedFile`: run the query once, then sort its matches by kind."""

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from tree_sitter import QueryCursor

from cruxe.model.symbols import (
    NO_SITES,
    Import,
    ParsedFile,
    ParseProblem,
    ProblemKind,
)
from cruxe.parse.chunks import cut_chunks
from cruxe.parse.format_outline import outlined_file
from cruxe.parse.grammars import load_toolchain
from cruxe.parse.language import Language
from cruxe.parse.pattern_subjects import PLACED_SUBJECTS
from cruxe.parse.query_matches import sort_matches
from cruxe.parse.sites import place_sites
from cruxe.parse.source_text import Comments, SourceText
from cruxe.parse.symbol_building import FileSymbols, build_symbols
from cruxe.parse.text_places import place

if TYPE_CHECKING:
    from tree_sitter import Node

# More matches in progress mean that a pattern explodes on unbalanced brackets.
_MATCH_LIMIT: Final = 4096
_PLACE_OF_IMPORT: Final = attrgetter("line", "module", "name", "alias")


def parse_source(source: SourceText, language: Language, max_nodes: int) -> ParsedFile:
    """Extract symbols, sites, imports and chunks. Broken source adds a problem and never raises."""
    rules = language.rules
    outline = rules.outline(source)
    if outline is not None:
        return outlined_file(source, language, outline)
    matches, subjects = rules.read(source), PLACED_SUBJECTS
    if language.grammar:
        toolchain = load_toolchain(language)
        subjects = toolchain.subjects
        root = toolchain.parser.parse(rules.legible(source)).root_node
        if root.descendant_count > max_nodes:
            return plain_file(source, language, (ParseProblem(ProblemKind.TOO_MANY_NODES, 1),))
        cursor = QueryCursor(toolchain.query, match_limit=_MATCH_LIMIT)
        matches += cursor.matches(root)
        outline = rules.outline_of(matches, source)
        if outline is not None:
            return outlined_file(source, language, outline)
    elif matches:
        root = place(source, 0, len(source.data))
    else:
        return plain_file(source, language, ())
    found = sort_matches(matches, subjects, source)
    comments = Comments(found.comments, source)
    built = build_symbols(found.definitions, comments, source, language, root)
    imports = _imports(found.imports, source, language)
    sites = place_sites(found, built, imports, source, language)
    return ParsedFile(
        language=language.name,
        line_count=source.line_count,
        symbols=built.symbols,
        written_sites=sites,
        imports=imports,
        chunks=cut_chunks(source, built),
        comment_spans=comments.spans,
        doc_spans=tuple(sorted({*built.doc_spans})),
        problems=(*_syntax_problems(found.errors, source), *built.problems),
    )


def plain_file(
    source: SourceText, language: Language, problems: tuple[ParseProblem, ...]
) -> ParsedFile:
    """Return a file without symbols, cut into chunks by size."""
    nothing = FileSymbols(
        symbols=(), definitions=[], owners=[], regions=[], doc_spans=[], problems=()
    )
    return ParsedFile(
        language=language.name,
        line_count=source.line_count,
        symbols=(),
        written_sites=NO_SITES,
        imports=(),
        chunks=cut_chunks(source, nothing),
        comment_spans=(),
        doc_spans=(),
        problems=problems,
    )


def _imports(nodes: "list[Node]", source: SourceText, language: Language) -> tuple[Import, ...]:
    found = [item for node in nodes for item in language.rules.imports(node, source)]
    return tuple(sorted(found, key=_PLACE_OF_IMPORT))


def _syntax_problems(errors: "list[Node]", source: SourceText) -> tuple[ParseProblem, ...]:
    if not errors:
        return ()
    # A token that is missing at the end of the file is reported after the last line.
    line = min(min(node.start_point[0] for node in errors) + 1, max(1, source.line_count))
    return (ParseProblem(ProblemKind.SYNTAX_ERROR, line),)
