"""One file's text to a `ParsedFile`: the query is run once, its matches sorted into kinds."""

from typing import TYPE_CHECKING, Final, NamedTuple

from tree_sitter import QueryCursor

from cruxe.model.symbols import (
    Import,
    ParsedFile,
    ParseProblem,
    ProblemKind,
    ProseSpan,
    SiteKind,
    SymbolKind,
)
from cruxe.parse.chunks import cut_chunks
from cruxe.parse.comments import Comments
from cruxe.parse.generics import drop_type_parameters
from cruxe.parse.grammars import load_toolchain
from cruxe.parse.language import Definition, Language
from cruxe.parse.places import place
from cruxe.parse.sites import place_sites, says_more
from cruxe.parse.source import SourceText
from cruxe.parse.symbols import FileSymbols, build_symbols

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.sites import RawSite

_DEFINITION: Final = "definition."
_DEFINED_KINDS: Final = {f"{_DEFINITION}{kind}": kind for kind in SymbolKind}
_SITE_KINDS: Final = {kind.value: kind for kind in SiteKind}
# Above this a match explodes rather than matches: patterns over unbalanced brackets.
_MATCH_LIMIT: Final = 4096


class Found(NamedTuple):
    """The matches of one file, sorted by what they are."""

    definitions: list[Definition]
    sites: "dict[int, RawSite]"  # by offset
    imports: "list[Node]"
    comments: "list[Node]"
    errors: "list[Node]"
    type_parameters: "list[Node]"


def parse_source(source: SourceText, language: Language, max_nodes: int) -> ParsedFile:
    """Extract everything a file holds. Bad source gives fewer symbols and a problem, no error."""
    matches = language.rules.read(source)
    if language.grammar:
        toolchain = load_toolchain(language)
        root = toolchain.parser.parse(language.rules.legible(source)).root_node
        if root.descendant_count > max_nodes:
            return plain_file(source, language, (ParseProblem(ProblemKind.TOO_MANY_NODES, 1),))
        cursor = QueryCursor(toolchain.query, match_limit=_MATCH_LIMIT)
        matches += cursor.matches(root)
    elif matches:
        root = place(source, 0, len(source.data))
    else:
        return plain_file(source, language, ())
    found = _sort_matches(matches)
    comments = Comments(found.comments, source)
    built = build_symbols(found.definitions, comments, source, language, root)
    imports = _imports(found.imports, source, language)
    if found.type_parameters:
        drop_type_parameters(found.sites, found.type_parameters, source)
    sites = place_sites(found.sites, built, imports, source, language)
    return ParsedFile(
        language=language.name,
        line_count=source.line_count,
        symbols=built.symbols,
        sites=sites,
        imports=imports,
        chunks=cut_chunks(source, built),
        prose=_prose(comments, built),
        problems=(*_syntax_problems(found.errors, source), *built.problems),
    )


def plain_file(
    source: SourceText, language: Language, problems: tuple[ParseProblem, ...]
) -> ParsedFile:
    """A file as windows of text, without symbols."""
    nothing = FileSymbols((), [], [], [], [], ())
    return ParsedFile(
        language=language.name,
        line_count=source.line_count,
        symbols=(),
        sites=(),
        imports=(),
        chunks=cut_chunks(source, nothing),
        prose=(),
        problems=problems,
    )


def _sort_matches(matches: "list[tuple[int, dict[str, list[Node]]]]") -> Found:
    found = Found([], {}, [], [], [], [])
    sites = found.sites
    # What a pattern is about is found out once; sites, by far the most, go first.
    subjects: dict[int, tuple[str, SiteKind | None]] = {}
    for pattern, captures in matches:
        known = subjects.get(pattern)
        if known is None or known[0] not in captures:
            subject = _subject_of(captures)
            known = subjects[pattern] = (subject, _SITE_KINDS.get(subject))
        subject, kind = known
        if kind is None:
            _keep(found, subject, captures)
            continue
        node = captures[subject][0]
        qualifier = captures.get("qualifier")
        site = (node, kind, qualifier[0] if qualifier else None)
        start = node.start_byte
        rival = sites.get(start)
        if rival is None or says_more(site, rival):
            sites[start] = site
    return found


def _keep(found: Found, subject: str, captures: "dict[str, list[Node]]") -> None:
    nodes = captures[subject]
    if subject == "comment":
        found.comments.extend(nodes)
    elif subject.startswith(_DEFINITION):
        kind = _DEFINED_KINDS[subject]
        found.definitions.append(Definition(nodes[0], kind, captures))
    elif subject == "scope":
        found.definitions.append(Definition(nodes[0], None, captures))
    elif subject == "import":
        found.imports.append(nodes[0])
    elif subject == "type_parameter":
        found.type_parameters.extend(nodes)
    elif subject == "error":
        found.errors.append(nodes[0])


def _subject_of(captures: "dict[str, list[Node]]") -> str:
    for name in captures:
        if name.startswith(_DEFINITION) or name in _SUBJECTS:
            return name
    return next(iter(captures))


_SUBJECTS: Final = frozenset(
    {*_SITE_KINDS, "scope", "import", "comment", "error", "type_parameter"}
)


def _imports(nodes: "list[Node]", source: SourceText, language: Language) -> tuple[Import, ...]:
    found = [item for node in nodes for item in language.rules.imports(node, source)]
    return tuple(sorted(found, key=lambda item: (item.line, item.module, item.name, item.alias)))


def _prose(comments: Comments, built: FileSymbols) -> tuple[ProseSpan, ...]:
    docs = set(built.doc_spans)
    spans = comments.spans
    if inside := docs.difference(spans):  # docstrings are no comments
        spans = sorted((*spans, *inside))
    return tuple([ProseSpan(start, end, (start, end) in docs) for start, end in spans])


def _syntax_problems(errors: "list[Node]", source: SourceText) -> tuple[ParseProblem, ...]:
    if not errors:
        return ()
    # What a grammar misses at the very end it puts behind the last line.
    line = min(min(node.start_point[0] for node in errors) + 1, max(1, source.line_count))
    return (ParseProblem(ProblemKind.SYNTAX_ERROR, line),)
