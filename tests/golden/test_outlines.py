"""What each language's fixture files parse to, whole: symbols, sites, imports, chunks, problems."""

import os

import pytest

from cruxe.model.symbols import NO_SYMBOL, ParsedFile, Symbol
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from tests.requirements import requirement
from tests.support.garbling import fixture_paths, read_fixture
from tests.support.golden_files import check_golden

HERE = os.path.dirname(__file__)
GOLDENS = os.path.join(HERE, "outlines")


@requirement("PARSE-GOLDEN", "PARSE-SYMBOLS", "PARSE-SITES", "PARSE-IMPORTS", "PARSE-CHUNKS")
@pytest.mark.parametrize("path", fixture_paths())
def test_a_fixture_parses_to_its_golden_outline(path: str) -> None:
    data, inner = read_fixture(path), path.partition("/")[2]
    language = registry().detect(inner, data)
    parsed = parse_source(SourceText(inner, data), language, max_nodes=2_000_000)

    check_golden(os.path.join(GOLDENS, f"{path}.txt"), render(parsed))


def render(parsed: ParsedFile) -> str:
    """A parsed file as text that a reviewer can check against the source."""
    lines = [f"language {parsed.language}, {parsed.line_count} lines", "", "symbols"]
    for symbol in parsed.symbols:
        lines.extend(_symbol_lines(symbol, parsed.symbols))
    lines += ["", "sites"]
    for kind, name, qualifier, line, around in parsed.sites:
        inside = "" if around == NO_SYMBOL else f" in {parsed.symbols[around].name}"
        told = f"{qualifier} > {name}" if qualifier else name
        lines.append(f"  {line}: {kind} {told}{inside}")
    lines += ["", "imports"]
    for item in parsed.imports:
        again = " (re-exported)" if item.is_reexport else ""
        lines.append(f"  {item.line}: {item.module} | {item.name} | as {item.alias}{again}")
    lines += ["", "chunks"]
    for chunk in parsed.chunks:
        shown = "" if chunk.symbol == NO_SYMBOL else f" {parsed.symbols[chunk.symbol].name}"
        lines.append(f"  {chunk.line_start}-{chunk.line_end}{shown}")
    lines += ["", "problems"]
    lines += [f"  {problem.line}: {problem.kind}" for problem in parsed.problems]
    return "\n".join(lines) + "\n"


def _symbol_lines(symbol: Symbol, symbols: tuple[Symbol, ...]) -> list[str]:
    depth, parent = 1, symbol.parent
    while parent != NO_SYMBOL:
        depth, parent = depth + 1, symbols[parent].parent
    indent = "  " * depth
    head = (
        f"{indent}{symbol.line_start}-{symbol.line_end} {symbol.kind} {symbol.name}"
        f" [{symbol.visibility}] {symbol.qualified_name}"
    )
    lines = [head, f"{indent}    | {symbol.signature}"]
    lines += [f"{indent}    # {line}" for line in symbol.doc.splitlines()]
    return lines
