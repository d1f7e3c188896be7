"""Parsing survives anything: whatever the bytes, what comes out fits the file."""

import os
import random
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cruxe.discover.decode import decode_text
from cruxe.model.symbols import NO_SYMBOL, ParsedFile
from cruxe.parse.extract import parse_source
from cruxe.parse.language import Language
from cruxe.parse.languages import PLAIN_TEXT, registry
from cruxe.parse.source import SourceText
from tests.golden.test_outlines import FIXTURES, fixture_paths
from tests.requirements import requirement

LANGUAGES: Final = {language.name: language for language in (*registry().languages, PLAIN_TEXT)}
MAX_CHUNK_LINES: Final = 60
MAX_NODES: Final = 2_000_000


def _fixtures_of(language: Language) -> list[bytes]:
    found = []
    for path in fixture_paths():
        with open(os.path.join(FIXTURES, path), "rb") as file:
            data = file.read()
        if registry().detect(path, data).name == language.name:
            found.append(data)
    return found or [b"def f():\n    return 1\n"]


def parse(data: bytes, language: Language) -> tuple[SourceText, ParsedFile]:
    source = SourceText("some/place.x", decode_text(data).utf8)
    return source, parse_source(source, language, MAX_NODES)


def misfits(source: SourceText, parsed: ParsedFile) -> list[object]:
    """Everything in a parsed file that cannot be true of its source."""
    last = source.line_count
    found: list[object] = []
    for ordinal, symbol in enumerate(parsed.symbols):
        lines = 1 <= symbol.line_start <= symbol.name_line <= symbol.line_end <= last
        is_parent_known = symbol.parent == NO_SYMBOL or 0 <= symbol.parent < ordinal
        if not (lines and is_parent_known and symbol.name and symbol.stable_id):
            found.append(symbol)
    found += [
        site
        for site in parsed.sites
        if not (1 <= site.line <= last and NO_SYMBOL <= site.symbol < len(parsed.symbols))
    ]
    found += [each for each in parsed.imports if not 1 <= each.line <= last]
    found += [each for each in parsed.problems if not 1 <= each.line <= max(1, last)]
    found += [each for each in parsed.prose if not 0 <= each.start < each.end <= len(source.data)]
    return found + _chunk_misfits(last, parsed)


def _chunk_misfits(last: int, parsed: ParsedFile) -> list[object]:
    found: list[object] = []
    following = 1
    for chunk in parsed.chunks:
        is_small = chunk.line_start <= chunk.line_end < chunk.line_start + MAX_CHUNK_LINES
        has_symbol = NO_SYMBOL <= chunk.symbol < len(parsed.symbols)
        if not (chunk.line_start == following and is_small and has_symbol):
            found.append(chunk)
        following = chunk.line_end + 1
    return found if following == last + 1 else [*found, f"chunks end at {following - 1} of {last}"]


def _duplicate_ids(parsed: ParsedFile) -> list[str]:
    ids = [symbol.stable_id for symbol in parsed.symbols]
    return sorted({each for each in ids if ids.count(each) > 1})


@requirement("PARSE-ROBUST", "PARSE-CHUNKS", "PARSE-STABLE-ID")
@pytest.mark.parametrize("name", LANGUAGES)
@given(data=st.binary(max_size=400))
@settings(max_examples=15)
@example(data=b"")
@example(data=b"\n")
@example(data=b"\r")
@example(data=b"\0\n\0")
@example(data="\ufeff\u2028\u0085".encode())
def test_random_bytes_are_parsed_to_something_that_fits(name: str, data: bytes) -> None:
    source, parsed = parse(data, LANGUAGES[name])

    assert misfits(source, parsed) == []
    assert _duplicate_ids(parsed) == []


@requirement("PARSE-ROBUST", "PARSE-CHUNKS", "PARSE-STABLE-ID")
@pytest.mark.parametrize("name", LANGUAGES)
def test_files_that_were_cut_spliced_and_garbled_are_parsed_to_something_that_fits(
    name: str,
) -> None:
    chance = random.Random(name)  # noqa: S311
    originals = _fixtures_of(LANGUAGES[name])
    for _ in range(60):
        _check_garbled(name, _garble(chance, originals))


@pytest.mark.long
@pytest.mark.parametrize("name", LANGUAGES)
def test_thousands_of_garbled_files_are_parsed_to_something_that_fits(name: str) -> None:
    chance = random.Random(f"long {name}")  # noqa: S311
    originals = _fixtures_of(LANGUAGES[name])
    for _ in range(5_000):
        _check_garbled(name, _garble(chance, originals))


def _check_garbled(name: str, data: bytes) -> None:
    source, parsed = parse(data, LANGUAGES[name])
    assert misfits(source, parsed) == [], data
    assert _duplicate_ids(parsed) == [], data


def _garble(chance: random.Random, originals: list[bytes]) -> bytes:
    """Cut a file short, put a piece of another into it, double or drop lines, strew bytes."""
    data = bytearray(chance.choice(originals))
    for _ in range(chance.randint(1, 3)):
        place = chance.randint(0, len(data))
        match chance.randrange(6):
            case 0:
                del data[place:]
            case 1:
                other = chance.choice(originals)
                start = chance.randint(0, len(other))
                data[place:place] = other[start : start + chance.randint(0, 400)]
            case 2:
                del data[place : place + chance.randint(1, 60)]
            case 3:
                data[place:place] = chance.randbytes(chance.randint(1, 8))
            case 4:
                data[place:place] = chance.choice(
                    [b"{", b"}", b"(", b'"', b"'", b"/*", b"\n", b"`"]
                )
            case _:
                lines = bytes(data).splitlines(keepends=True)
                chance.shuffle(lines)
                data = bytearray(b"".join(lines))
    return bytes(data)
