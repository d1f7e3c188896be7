"""A parsed file as lexical documents: one for each chunk, one for the whole file.

Documents are JSON texts that the lexical writer passes on unread, so a worker process does all
the splitting and encoding.
"""

from bisect import bisect_left, bisect_right
from typing import Final

from cruxe.index.records import VersionRecord
from cruxe.model.named import NamedTuple
from cruxe.model.symbols import ROLE_OF_KIND, ParsedFile, Symbol, SymbolRole
from cruxe.text.identifiers import terms_of_text
from cruxe.text.paths import folders_of, stem_of_path

# What a file's head is made of: enough to say what it is about, the same for short and long files.
_HEAD_STEM_TIMES: Final = 2
_HEAD_TYPES: Final = 6
_HEAD_DOCS: Final = 3
_HEAD_DOC_CHARACTERS: Final = 300
_PATH_FOLDERS: Final = 3


def build_documents(
    record: VersionRecord, parsed: ParsedFile, mode: str, terms: list[str]
) -> tuple[str, ...]:
    """Write a file version's documents, the whole file's last.

    `terms` are those of each chunk's words that are worth finding it by.
    """
    # Terms are letters and digits alone, so that nothing here needs to be escaped.
    version = f'{{"version":{record.version_key}'
    kind = f'"language":"{parsed.language}","mode":"{mode}"'
    path = _path_terms(record.path)
    names = [terms_of_text(symbol.name) for symbol in parsed.symbols]
    named = _NamedLines(parsed, names)
    documents: list[str] = []
    for ordinal, ((first, last, _), own) in enumerate(zip(parsed.chunks, terms, strict=True)):
        place = f'"chunk":{ordinal},"line_start":{first},"line_end":{last}'
        name = named.between(first, last)
        text = f'"text":"{path.near} {own}"'
        if name:
            text = f'"name":"{name}","text":"{path.near} {name} {own}"'
        documents.append(f"{version},{place},{kind},{text}}}")
    head = _head(path, parsed.symbols)
    documents.append(f'{version},"head":"{head}","defines":"{" ".join(names)}"}}')
    return tuple(documents)


class _PathTerms(NamedTuple):
    """What the words of a path add to every chunk of its file."""

    stem: str
    parent: str
    near: str  # the file's name and the folders next to it


def _path_terms(path: str) -> _PathTerms:
    stem, folders = terms_of_text(stem_of_path(path)), folders_of(path)
    near = terms_of_text(" ".join(folders[-_PATH_FOLDERS:]))
    parent = terms_of_text(folders[-1]) if folders else ""
    return _PathTerms(stem, parent, f"{stem} {near}")


def _head(path: _PathTerms, symbols: tuple[Symbol, ...]) -> str:
    """What a file says of itself first: its name, its folder, its types, its first docs."""
    types = [each.name for each in symbols if ROLE_OF_KIND[each.kind] is SymbolRole.TYPE]
    docs = [symbol.doc[:_HEAD_DOC_CHARACTERS] for symbol in symbols if symbol.doc]
    return " ".join(
        (
            *(path.stem,) * _HEAD_STEM_TIMES,
            path.parent,
            terms_of_text(" ".join((*types[:_HEAD_TYPES], *docs[:_HEAD_DOCS]))),
        )
    )


class _NamedLines:
    """The names of a file's symbols, by line."""

    def __init__(self, parsed: ParsedFile, name_terms: list[str]) -> None:
        lines = [symbol.name_line for symbol in parsed.symbols]
        named = sorted(zip(lines, name_terms, strict=True))
        self._lines = [line for line, _ in named]
        self._terms = [terms for _, terms in named]

    def between(self, first: int, last: int) -> str:
        """The terms of the names of what some lines define."""
        low = bisect_left(self._lines, first)
        return " ".join(self._terms[low : bisect_right(self._lines, last, low)])
