"""Texts of formats as short outlines: a line for each symbol, then what else was found."""

from cruxe.model.symbols import NO_SYMBOL, ParsedFile
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText

_MAX_NODES = 10_000


def parse(path: str, text: str) -> ParsedFile:
    """Parse a text as the language that its path says."""
    data = text.encode()
    return parse_source(SourceText(path, data), registry().detect(path, data), _MAX_NODES)


def symbols_of(path: str, text: str) -> list[str]:
    """Symbols as `lines parent > name | signature`."""
    symbols = parse(path, text).symbols
    return [
        f"{each.line_start}-{each.line_end} "
        f"{'' if each.parent == NO_SYMBOL else symbols[each.parent].name + ' > '}{each.name}"
        f" | {each.signature}"
        for each in symbols
    ]


def broken_lines(path: str, text: str) -> list[int]:
    """Lines of the problems."""
    return [problem.line for problem in parse(path, text).problems]


def comments_in(path: str, text: str) -> list[str]:
    """The comments as written."""
    return [text.encode()[start:end].decode() for start, end in parse(path, text).comment_spans]
