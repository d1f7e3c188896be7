"""The lexical index: ranking with a total order, and never a hit cut by chance."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from cruxe.model.errors import IndexIncompatibleError
from cruxe.model.identity import VersionKey
from cruxe.model.stored import LexicalHit
from cruxe.store.local.lexical import LexicalReader, LexicalWriter, hit_of, read_manifest


def document(version: int, chunk: int, **fields: str) -> bytes:
    return json.dumps(
        {
            "version": version,
            "chunk": chunk,
            "line_start": chunk + 1,
            "line_end": chunk + 1,
            **fields,
        }
    ).encode()


def write(folder: Path, versions: dict[int, Iterable[str]], *, has_leftovers: bool = False) -> None:
    writer = LexicalWriter(str(folder), is_bulk=False, has_leftovers=has_leftovers)
    for version, bodies in versions.items():
        documents = [document(version, chunk, text=body) for chunk, body in enumerate(bodies)]
        writer.add(VersionKey(version), documents)
    writer.commit()
    writer.close()


def places(hits: list[LexicalHit]) -> list[tuple[int, int]]:
    return [(hit.version_key, hit.chunk) for hit in hits]


def any_version(key: VersionKey) -> bool:
    return key >= 0


def test_the_best_come_first_and_equals_by_version_and_chunk(tmp_path: Path) -> None:
    write(tmp_path, {7: ["lamp", "lamp lamp oil"], 3: ["lamp", "oil"], 5: ["lamp"]})
    hits = LexicalReader(str(tmp_path)).search("text", [("lamp", 1.0)], 10, any_version)

    assert places(hits) == [(3, 0), (5, 0), (7, 0), (7, 1)]
    assert hits[0].score == hits[1].score == hits[2].score > hits[3].score > 0
    assert hits[3] == LexicalHit(hits[3].score, VersionKey(7), chunk=1, line_start=2, line_end=2)


@pytest.mark.parametrize("limit", [1, 2, 5, 19, 20, 40])
def test_a_short_list_is_the_beginning_of_the_long_one(limit: int, tmp_path: Path) -> None:
    write(tmp_path, {version: ["lamp", "lamp oil"] for version in range(100, 0, -5)})
    reader = LexicalReader(str(tmp_path))
    whole = reader.search("text", [("lamp", 1.0)], 1000, any_version)

    assert len(whole) == 40
    assert reader.search("text", [("lamp", 1.0)], limit, any_version) == whole[:limit]


@pytest.mark.parametrize("limit", [1, 2, 5, 19, 20, 40])
def test_files_and_chunks_by_version_are_those_of_the_list(limit: int, tmp_path: Path) -> None:
    bodies = {0: "lamp", 1: "lamp oil", 2: "lamp lamp"}
    write(tmp_path, {version: [bodies[version % 3]] for version in range(100, 0, -5)})
    reader, terms = LexicalReader(str(tmp_path)), [("lamp", 1.0)]
    hits = reader.search("text", terms, limit, any_version)

    files = reader.search_files("text", terms, limit, any_version)
    chunks = reader.search_chunks(terms, limit, any_version, per_file=4)

    assert files == {hit.version_key: hit.score for hit in hits}
    assert [hit_of(row) for rows in chunks.values() for row in rows] == hits


def test_documents_of_other_refs_do_not_use_up_the_limit(tmp_path: Path) -> None:
    write(tmp_path, {version: ["lamp"] * 3 for version in range(200)})
    reader = LexicalReader(str(tmp_path))

    assert places(reader.search("text", [("lamp", 1.0)], 4, lambda key: key >= 198)) == [
        *((198, chunk) for chunk in range(3)),
        (199, 0),
    ]
    assert reader.search("text", [("lamp", 1.0)], 4, lambda _: False) == []


def test_terms_are_found_as_they_were_written_and_no_others(tmp_path: Path) -> None:
    write(tmp_path, {1: ["rate limit ratelimit"]})
    reader = LexicalReader(str(tmp_path))

    assert len(reader.search("text", [("ratelimit", 1.0)], 5, any_version)) == 1
    assert reader.search("text", [("Rate", 1.0)], 5, any_version) == []
    assert reader.search("name", [("rate", 1.0)], 5, any_version) == []
    assert reader.search("text", [], 5, any_version) == []
    assert (
        reader.search("text", [(each, 1.0) for each in ("", "a b", '"x', "(")], 5, any_version)
        == []
    )


def test_what_a_crashed_run_left_of_a_version_is_replaced(tmp_path: Path) -> None:
    write(tmp_path, {1: ["lamp", "oil"], 2: ["lamp"]})
    write(tmp_path, {1: ["oil"]}, has_leftovers=True)
    reader = LexicalReader(str(tmp_path))

    assert places(reader.search("text", [("lamp", 1.0)], 5, any_version)) == [(2, 0)]
    assert places(reader.search("text", [("oil", 1.0)], 5, any_version)) == [(1, 0)]


def test_what_was_not_committed_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, {1: ["lamp"]})
    writer = LexicalWriter(str(tmp_path), is_bulk=False)
    writer.add(VersionKey(2), [document(2, 0, body="lamp")])
    writer.close()

    assert read_manifest(str(tmp_path)).documents == 1
    assert places(LexicalReader(str(tmp_path)).search("text", [("lamp", 1.0)], 5, any_version)) == [
        (1, 0)
    ]


def test_a_reader_stays_with_what_it_opened(tmp_path: Path) -> None:
    write(tmp_path, {1: ["lamp"]})
    reader = LexicalReader(str(tmp_path))
    write(tmp_path, {2: ["lamp"]})

    assert places(reader.search("text", [("lamp", 1.0)], 5, any_version)) == [(1, 0)]
    assert len(LexicalReader(str(tmp_path)).search("text", [("lamp", 1.0)], 5, any_version)) == 2


def test_an_index_that_is_damaged_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {1: ["lamp"]})
    (tmp_path / "meta.json").write_text("{}", "utf-8")

    with pytest.raises(IndexIncompatibleError) as caught:
        LexicalReader(str(tmp_path))
    assert caught.value.data["schema_status"] == "corrupt_manifest"
    with pytest.raises(IndexIncompatibleError):
        read_manifest(str(tmp_path))
