"""A package to pairs of what somebody asks and the code that answers it.

Symbols, docs, comments and calls are those that Cruxe's own parser finds. Kinds of pairs: a
symbol's doc and its code, its name and its code, a comment and the lines below it, a file's
opening words and the file, a test's name and what it tests, a README's sentence and the file that
defines what it names.
"""

import random
import re
import zlib
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.model.symbols import ROLE_OF_KIND, ParsedFile, SiteKind, Symbol, SymbolRole
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from cruxe.text.identifiers import split_ascii
from training.archives import Package, plain_path
from training.prose import description_in, is_description

THIN_LANGUAGES: Final = frozenset(
    {"kotlin", "swift", "csharp", "scala", "elixir", "zig", "lua", "haskell", "ruby", "php", "bash"}
)
_MOST_FILES: Final = 20
_MOST_THIN_FILES: Final = 200
_MOST_PAIRS_OF_FILE: Final = 30
_MOST_NODES: Final = 60_000
_CODE_CHARACTERS: Final = 2000
_SHORTEST_CODE: Final = 50
_LONGEST_MEAN_LINE: Final = 120
_FEWEST_NAME_WORDS: Final = 2
_FEWEST_TEST_WORDS: Final = 3
_SHORTEST_COMMENT: Final = 14
_LONGEST_COMMENT: Final = 400
_SHORTEST_OPENING: Final = 25
_OPENING_LINES: Final = 30
_LONGEST_SENTENCE: Final = 300
_NAMED_SHARE: Final = 0.1  # of symbols without a doc that become pairs by their names
_TEST_PATH: Final = re.compile(
    r"(^|[/_.-])(tests?|specs?)([/_.-]|$)|[a-z](Test|Spec)s?\.", re.IGNORECASE
)
_EXAMPLE_PATH: Final = re.compile(
    r"(^|[/_.-])(examples?|docs?|bench\w*|samples?|demos?)([/_.-]|$)", re.IGNORECASE
)
_QUOTES: Final = re.compile(r"^[rRuUbB]*[\"']{1,3}|[\"']{1,3}$")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*] ")
_CODE_SPAN: Final = re.compile(
    r"`([A-Za-z_][\w.:]*)(?:\(\))?`|\b([a-z]+[A-Z]\w+|[a-z]+_\w+|[A-Z][a-z]+[A-Z]\w+)\b"
)


class PairKind(StrEnum):
    """Where a pair comes from."""

    DOC = "doc"
    NAME = "name"
    COMMENT = "comment"
    FILE = "file"
    TEST = "test"
    README = "readme"


class Pair(NamedTuple):
    """A question and its answer."""

    kind: PairKind
    language: str
    path: str
    name: str  # of the symbol, empty where there is none
    question: str
    code: str


class _Source(NamedTuple):
    path: str
    text: SourceText
    parsed: ParsedFile


def mine_package(package: Package) -> list[Pair]:
    """All pairs of a package, the same for the same package."""
    chance = random.Random(zlib.crc32(package.name.encode()))
    sources = [each for file in _chosen(package, chance) if (each := _parse(*file))]
    pairs = [pair for source in sources for pair in _pairs_of_file(source, chance)]
    defined = _definitions(sources)
    pairs += _test_pairs(sources, defined)
    pairs += _readme_pairs(package, defined)
    return pairs


def _chosen(package: Package, chance: random.Random) -> list[tuple[str, bytes]]:
    """Files to read: code before tests and examples, more of languages that are rare here."""
    files = [each for each in package.files if "readme" not in each[0].lower()]
    chance.shuffle(files)
    files.sort(
        key=lambda file: (bool(_EXAMPLE_PATH.search(file[0])), bool(_TEST_PATH.search(file[0])))
    )
    thin = [each for each in files if _language_name(each[0]) in THIN_LANGUAGES]
    other = [each for each in files if _language_name(each[0]) not in THIN_LANGUAGES]
    tests = [each for each in other[_MOST_FILES:] if _TEST_PATH.search(each[0])]
    return thin[:_MOST_THIN_FILES] + other[:_MOST_FILES] + tests[: _MOST_FILES // 4]


def _language_name(path: str) -> str:
    return registry().detect(path.rpartition("/")[2], b"").name


def _parse(name: str, data: bytes) -> _Source | None:
    lines = data.count(b"\n") + 1
    if b"\0" in data[:4000] or len(data) / lines > _LONGEST_MEAN_LINE:
        return None
    path = plain_path(name)
    language = registry().detect(path, data)
    if not language.grammar:
        return None
    text = SourceText(path, data.decode("utf-8", "replace").encode())
    return _Source(path, text, parse_source(text, language, _MOST_NODES))


def _pairs_of_file(source: _Source, chance: random.Random) -> list[Pair]:
    pairs = [*_symbol_pairs(source, chance), *_comment_pairs(source, chance)]
    chance.shuffle(pairs)
    return [*_file_pairs(source), *pairs[:_MOST_PAIRS_OF_FILE]]


def _symbol_pairs(source: _Source, chance: random.Random) -> Iterator[Pair]:
    for symbol in source.parsed.symbols:
        if ROLE_OF_KIND[symbol.kind] not in (SymbolRole.CALLABLE, SymbolRole.TYPE):
            continue
        question = description_in(symbol.doc) if symbol.doc else ""
        if not question and (
            len(_words(symbol.name)) < _FEWEST_NAME_WORDS or chance.random() > _NAMED_SHARE
        ):
            continue
        code = _code_without_docs(source, symbol)
        if len(code) < _SHORTEST_CODE:
            continue
        kind = PairKind.DOC if question else PairKind.NAME
        yield _pair(kind, source, symbol.name, question or " ".join(_words(symbol.name)), code)


def _code_without_docs(source: _Source, symbol: Symbol) -> str:
    """A symbol's lines without docs: the answer must not hold the question."""
    start, end = _offsets(source, symbol.line_start, symbol.line_end)
    data, kept, place = source.text.data, bytearray(), start
    for doc_start, doc_end in source.parsed.doc_spans:
        if start <= doc_start < end:
            kept += data[place:doc_start].rstrip()
            place = doc_end
        if len(kept) > _CODE_CHARACTERS:
            break
    kept += data[place:end]
    return kept[: 2 * _CODE_CHARACTERS].decode("utf-8", "replace").strip()[:_CODE_CHARACTERS]


def _comment_pairs(source: _Source, chance: random.Random) -> list[Pair]:
    """Comments inside functions with the dozen lines below them; at most four of a file."""
    found: list[Pair] = []
    for start, end in _comment_blocks(source):
        raw = source.text.text_between(start, end)
        if not _SHORTEST_COMMENT < len(raw) < _LONGEST_COMMENT or not source.text.is_first_on_line(
            start
        ):
            continue
        below = source.text.text_between(end, end + 900).lstrip("\r\n")
        code = "\n".join(below.split("\n\n")[0].split("\n")[:12])
        question = description_in(raw)
        if question and len(code) >= _SHORTEST_CODE and not re.search(r"[;{}=]", question):
            found.append(_pair(PairKind.COMMENT, source, "", question, code))
    return chance.sample(found, min(4, len(found)))


def _comment_blocks(source: _Source) -> list[tuple[int, int]]:
    """Comments that are no docs, those of neighbouring lines as one."""
    blocks: list[tuple[int, int]] = []
    docs = {*source.parsed.doc_spans}
    for start, end in source.parsed.comment_spans:
        if (start, end) in docs:
            continue
        if blocks and source.text.data[blocks[-1][1] : start].strip() == b"":
            blocks[-1] = (blocks[-1][0], end)
        else:
            blocks.append((start, end))
    return blocks


def _file_pairs(source: _Source) -> Iterator[Pair]:
    """The words a file opens with, and the code below them."""
    data, parsed = source.text.data, source.parsed
    for start, end in sorted({*parsed.comment_spans, *parsed.doc_spans})[:3]:
        if data[:start].count(b"\n") > _OPENING_LINES:
            return
        raw = data[start:end].decode("utf-8", "replace")
        question = description_in(_QUOTES.sub("", raw))
        code = data[end : end + 3 * _CODE_CHARACTERS].decode("utf-8", "replace")
        if len(question) > _SHORTEST_OPENING and len(code) > 4 * _SHORTEST_CODE:
            yield _pair(PairKind.FILE, source, "", question, code.strip()[:_CODE_CHARACTERS])
            return


_Definitions = dict[str, tuple[_Source, Symbol]]


def _definitions(sources: Iterable[_Source]) -> _Definitions:
    """Symbols of a package by name, those with one definition only, tests left out."""
    found: _Definitions = {}
    ambiguous: set[str] = set()
    for source in sources:
        if _TEST_PATH.search(source.path) or _EXAMPLE_PATH.search(source.path):
            continue
        for symbol in source.parsed.symbols:
            if ROLE_OF_KIND[symbol.kind] not in (SymbolRole.CALLABLE, SymbolRole.TYPE):
                continue
            if symbol.name in found:
                ambiguous.add(symbol.name)
            found[symbol.name] = (source, symbol)
    return {name: place for name, place in found.items() if name not in ambiguous}


def _test_pairs(sources: Iterable[_Source], defined: _Definitions) -> Iterator[Pair]:
    """Names of tests, as words, with the code of what they call and speak of."""
    for source in sources:
        if not _TEST_PATH.search(source.path):
            continue
        for ordinal, symbol in enumerate(source.parsed.symbols):
            words = [
                word
                for word in _words(symbol.name)
                if word not in ("test", "tests", "it", "should")
            ]
            if (
                len(words) < _FEWEST_TEST_WORDS
                or ROLE_OF_KIND[symbol.kind] is not SymbolRole.CALLABLE
            ):
                continue
            called = [
                name
                for kind, name, _, _, caller in source.parsed.sites
                if caller == ordinal and kind is SiteKind.CALL and name in defined
            ]
            tested = max(called, key=lambda name: len({*_words(name)} & {*words}), default="")
            if {*_words(tested)} & {*words}:
                target, found = defined[tested]
                code = _code_without_docs(target, found)
                if len(code) >= _SHORTEST_CODE:
                    yield _pair(PairKind.TEST, target, found.name, " ".join(words), code)


def _readme_pairs(package: Package, defined: _Definitions) -> Iterator[Pair]:
    """Sentences of the README that name a symbol, with the code of the symbol."""
    for name, data in package.files:
        if "readme" not in name.lower() or "/" in plain_path(name).removeprefix("src/"):
            continue
        text = re.sub(r"(?s)```.*?```|<!--.*?-->", "\n\n", data.decode("utf-8", "replace"))
        for sentence in _SENTENCE.split(text)[:300]:
            names = [first or second for first, second in _CODE_SPAN.findall(sentence)]
            known = [
                each for each in (re.split(r"[.:]", name)[-1] for name in names) if each in defined
            ]
            question = " ".join(re.sub(r"[`*#|<>\[\]]|\([^)]*\)", " ", sentence).split())
            if known and len(question) < _LONGEST_SENTENCE and is_description(question):
                source, symbol = defined[known[0]]
                code = _code_without_docs(source, symbol)
                if len(code) >= _SHORTEST_CODE:
                    yield _pair(PairKind.README, source, symbol.name, question, code)


def _pair(kind: PairKind, source: _Source, name: str, question: str, code: str) -> Pair:
    return Pair(kind, source.parsed.language, source.path[-120:], name, question, code)


def _words(name: str) -> list[str]:
    return [part for part in split_ascii(name) if part.isalpha()]


def _offsets(source: _Source, line_start: int, line_end: int) -> tuple[int, int]:
    starts = source.text.line_starts
    end = starts[line_end] if line_end < len(starts) else len(source.text.data)
    return starts[line_start - 1], end
