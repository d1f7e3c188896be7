"""What is written of a file for ranked search."""

import json

from hypothesis import given
from hypothesis import strategies as st

from cruxe.ingest.file_vectors import words_of_chunks
from cruxe.model.identity import VersionKey
from cruxe.parse.extract import parse_source
from cruxe.parse.languages import registry
from cruxe.parse.source_text import SourceText
from cruxe.store.records import build_documents, parsed_record

KEY = VersionKey(7)
LAMPS = b'# Trims wicks.\nclass RateLimiter:\n    """Lights lamps."""\n\n    size = 3\n'


def documents_of(path: str, data: bytes) -> list[dict[str, str | int]]:
    source = SourceText(path, data)
    language = registry().detect(path, data)
    parsed = parse_source(source, language, 1000)
    record = parsed_record(KEY, path, "0" * 40, len(data), parsed)
    words = words_of_chunks(source, parsed, data, None)
    documents = build_documents(record, parsed, language.mode, words.terms)
    return [json.loads(text) for text in documents]


def test_a_chunk_is_found_by_its_path_its_names_and_all_its_words() -> None:
    chunk, _ = documents_of("app/harbour/lamps.py", LAMPS)

    assert chunk == {
        "version": KEY,
        "chunk": 0,
        "line_start": 1,
        "line_end": 5,
        "language": "python",
        "mode": "code",
        "name": "ratelimit rat limit siz",
        "text": "lamp app harbour ratelimit rat limit siz"
        " trim wick class ratelimit rat limit light lamp siz 3",
    }


def test_a_file_is_found_by_what_it_defines_and_what_it_says_first() -> None:
    *_, whole = documents_of("app/harbour/lamps.py", LAMPS)

    assert whole == {
        "version": KEY,
        "head": "lamp lamp harbour ratelimit rat limit light lamp",
        "defines": "ratelimit rat limit siz",
    }


def test_a_chunk_without_names_has_no_field_for_them() -> None:
    chunk, whole = documents_of("notes.log", b"lamps out\n")

    assert "name" not in chunk
    assert chunk["text"] == "not  lamp out"
    assert whole["defines"] == ""


def test_a_name_of_several_words_is_found_by_each() -> None:
    *_, whole = documents_of("guide.md", b"# Getting started, quickly\n\nText.\n")

    assert whole["defines"] == "get start quick"


@given(folder=st.text(), text=st.text())
def test_whatever_a_file_and_its_path_hold_its_documents_can_be_read(
    folder: str, text: str
) -> None:
    path = f"{folder}/x.py"
    data = f"def f{folder}():\n    pass\n{text}".encode("utf-8", "replace")

    *chunks, whole = documents_of(path, data)

    assert {chunk["version"] for chunk in chunks} == {KEY}
    assert whole["version"] == KEY
