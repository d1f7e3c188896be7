"""Refs and their maps: what is published is read back, path by path."""

from collections.abc import Callable
from contextlib import closing

import pytest

from cruxe.model.errors import IndexNotReadyError
from cruxe.model.identity import VersionKey
from cruxe.model.source import FileStat, SkipReason
from cruxe.model.stored import MapEdit, RefFile, StoredFile, TextVersion
from cruxe.store.api import Store
from tests.requirements import requirement
from tests.support.records import (
    BRANCH,
    WORKTREE,
    add_all,
    blob_id_for,
    content_of,
    file_of,
    key_of,
    make_record,
    map_of,
    publish,
    read_content,
    ref_id_of,
)

LAMP = "def lamp():\n    return 'copper'\n"
TIDE = "class Tide:\n    def rise(self):\n        return 1\n"
NOTES = "The copper lantern hangs by the door.\n"
TEXTS = {"src/Lamp.py": LAMP, "src/tide.py": TIDE, "notes.md": NOTES}
STAT = FileStat(9, 8, 7, 6)


def test_an_empty_store_has_nothing_to_open(backend: Store) -> None:
    assert not backend.has_index
    assert not backend.is_registered
    assert not backend.is_being_written()
    with pytest.raises(IndexNotReadyError):
        backend.snapshot()


def test_a_store_that_was_only_made_has_no_refs(backend: Store) -> None:
    with backend.writer_lock(0):
        backend.open_writer().close()

    assert backend.has_index
    assert backend.is_registered
    with backend.snapshot() as snapshot:
        assert snapshot.list_refs() == []
        assert snapshot.find_ref(WORKTREE.name) is None
        assert snapshot.recent_jobs(5) == []
        assert [*filter(None, snapshot.examine())] == []


def test_a_published_ref_is_read_back(backend: Store) -> None:
    publish(backend, TEXTS)

    with backend.snapshot() as snapshot:
        row = snapshot.find_ref(WORKTREE.name)
        assert row is not None
        assert snapshot.list_refs() == [row]
        assert row[1:8] == (*WORKTREE, 3, 0)
        assert snapshot.read_map(row.ref_id) == map_of(TEXTS)
        assert snapshot.live_keys(row.ref_id) == {key_of(*each) for each in TEXTS.items()}
        assert snapshot.paths_by_key(row.ref_id) == {
            key_of(path, text): path for path, text in TEXTS.items()
        }
        assert snapshot.joined_paths(row.ref_id) == "notes.md\0src/Lamp.py\0src/tide.py\0"


def test_some_rows_are_read_without_the_rest(backend: Store) -> None:
    publish(backend, TEXTS)

    with backend.snapshot() as snapshot:
        found = snapshot.read_rows(ref_id_of(snapshot), ["notes.md", "absent.py", "notes.m"])

    assert found == {"notes.md": file_of("notes.md", NOTES)}


def test_stamps_come_in_the_order_of_the_paths(backend: Store) -> None:
    publish(backend, TEXTS)

    with backend.snapshot() as snapshot:
        stamps = snapshot.stamps(ref_id_of(snapshot))

    expected = [file_of(path, TEXTS[path]).stat for path in sorted(TEXTS)]
    assert stamps.split_paths() == [path.encode() for path in sorted(TEXTS)]
    assert [FileStat(*row) for row in stamps.rows()] == expected


def test_a_commit_has_no_stamps(backend: Store) -> None:
    publish(backend, TEXTS, BRANCH)

    with backend.snapshot() as snapshot:
        files = snapshot.read_map(ref_id_of(snapshot, BRANCH))

    assert {path: file.stat for path, file in files.items()} == dict.fromkeys(TEXTS)


def test_files_that_are_left_out_keep_their_reason(backend: Store) -> None:
    large = make_record("large.py", "x = 1\n", is_large=True)
    files = map_of({"notes.md": NOTES}) | {
        "large.py": RefFile(large.version_key, SkipReason.TOO_LARGE, STAT),
        "crashed.py": RefFile(None, SkipReason.PARSER_CRASHED, STAT),
        "link.py": RefFile(None, SkipReason.SYMLINK, None),
    }
    with closing(backend.open_writer()) as writer:
        writer.add(large)
        add_all(writer, {"notes.md": NOTES})
        writer.publish(WORKTREE, files)
        assert writer.verdicts() == {
            large.version_key: SkipReason.TOO_LARGE,
            key_of("notes.md", NOTES): None,
        }

    with backend.snapshot() as snapshot:
        row = snapshot.find_ref(WORKTREE.name)
        assert row is not None
        assert (row.file_count, row.skipped_count) == (1, 3)
        assert snapshot.read_map(row.ref_id) == files
        assert snapshot.skipped_paths(row.ref_id) == {
            "crashed.py": SkipReason.PARSER_CRASHED,
            "large.py": SkipReason.TOO_LARGE,
            "link.py": SkipReason.SYMLINK,
        }
        assert snapshot.language_counts(row.ref_id) == {"markdown": 1}
        assert list(snapshot.paths_by_key(row.ref_id).values()) == ["notes.md"]
        assert snapshot.find_file(row.ref_id, "large.py") == StoredFile(
            path="large.py",
            version_key=large.version_key,
            language=None,
            line_count=None,
            skip_reason="too_large",
        )


def test_versions_that_had_secrets_are_known_by_ref(backend: Store) -> None:
    texts = {"a.py": "key = 1\n", "b.py": "key = 2\n"}
    with closing(backend.open_writer()) as writer:
        for path, text in texts.items():
            writer.add(make_record(path, text)._replace(redacted_count=2 * (path == "b.py")))
        writer.publish(WORKTREE, map_of(texts))
        writer.publish(BRANCH, map_of({"a.py": texts["a.py"]}, BRANCH))

    with backend.snapshot() as snapshot:
        redacted = {key_of("b.py", texts["b.py"]): 2}
        assert snapshot.redacted_versions(ref_id_of(snapshot)) == redacted
        assert snapshot.redacted_versions(ref_id_of(snapshot, BRANCH)) == {}


def test_a_file_is_found_by_its_path_alone(backend: Store) -> None:
    publish(backend, TEXTS)

    with backend.snapshot() as snapshot:
        ref_id = ref_id_of(snapshot)
        assert snapshot.find_file(ref_id, "src/lamp.py") is None
        assert snapshot.find_file(ref_id, "src/Lamp.py") == StoredFile(
            path="src/Lamp.py",
            version_key=key_of("src/Lamp.py", LAMP),
            language="python",
            line_count=2,
            skip_reason=None,
        )
        assert snapshot.paths_named(ref_id, "lamp.PY") == ["src/Lamp.py"]
        assert snapshot.paths_named(ref_id, "nothing") == []


def test_counts_are_those_of_the_ref(backend: Store) -> None:
    publish(backend, TEXTS)
    publish(backend, {"src/tide.py": TIDE}, BRANCH)

    with backend.snapshot() as snapshot:
        whole, part = ref_id_of(snapshot), ref_id_of(snapshot, BRANCH)
        documents = sum(len(make_record(*each).documents) for each in TEXTS.items())
        assert snapshot.symbol_counts([whole, part, 99]) == {whole: 3, part: 2, 99: 0}
        assert snapshot.language_counts(whole) == {"markdown": 1, "python": 2}
        assert snapshot.language_counts(part) == {"python": 1}
        assert snapshot.vector_count(whole) == documents


@requirement("STORE-VERSIONS")
def test_content_that_two_refs_share_is_stored_once(backend: Store) -> None:
    publish(backend, TEXTS)
    with backend.snapshot() as snapshot:
        before = snapshot.symbols_named(["lamp"])
    with closing(backend.open_writer()) as writer:
        assert all(key_of(*each) in writer.versions for each in TEXTS.items())
        writer.publish(BRANCH, map_of(TEXTS, BRANCH))

    with backend.snapshot() as snapshot:
        assert [row.name for row in snapshot.list_refs()] == [BRANCH.name, WORKTREE.name]
        assert snapshot.symbols_named(["lamp"]) == before
        worktree, branch = content_of(snapshot, ["copper"]).values()
        assert worktree[2:] == branch[2:]


def test_versions_are_described_for_ranking_and_for_reading(backend: Store) -> None:
    publish(backend, TEXTS)
    lamp, notes = key_of("src/Lamp.py", LAMP), key_of("notes.md", NOTES)
    unknown = VersionKey(5)

    with backend.snapshot() as snapshot:
        assert sorted(snapshot.described([lamp, notes, unknown])) == sorted(
            [(lamp, "src/Lamp.py", "python", 2), (notes, "notes.md", "markdown", 1)]
        )
        assert snapshot.text_versions([lamp, notes, unknown]) == [
            TextVersion("notes.md", notes, "markdown", blob_id_for(NOTES)),
            TextVersion("src/Lamp.py", lamp, "python", blob_id_for(LAMP)),
        ]
        assert snapshot.blob_ids([lamp, unknown]) == {lamp: blob_id_for(LAMP)}
        assert snapshot.versions_of_language("markdown") == {notes}


def test_a_writer_reads_what_is_published(backend: Store) -> None:
    generation = publish(backend, TEXTS)

    with closing(backend.open_writer()) as writer:
        row = writer.find_ref(WORKTREE.name)
        assert row is not None
        assert writer.generation == generation
        assert writer.read_rows(row.ref_id, ["notes.md"]) == {
            "notes.md": file_of("notes.md", NOTES)
        }
        assert writer.read_map(WORKTREE.name, WORKTREE.settings) == map_of(TEXTS)
        assert writer.read_map(WORKTREE.name, "other settings") == {}
        assert writer.read_map("refs/heads/new", WORKTREE.settings) == {}
        notes = key_of("notes.md", NOTES)
        assert writer.blob_ids([notes, 5]) == {notes: blob_id_for(NOTES)}
        with writer.reading() as snapshot:
            assert snapshot.generation == generation


def test_an_edit_gives_what_publishing_the_whole_map_gives(backend: Store, another: Store) -> None:
    edited = {
        "notes.md": NOTES,
        "src/Lamp.py": LAMP + "\n\ndef wick():\n    pass\n",
        "new.py": TIDE,
    }
    for store in (backend, another):
        publish(store, TEXTS)
    whole = publish(another, edited)

    with closing(backend.open_writer()) as writer:
        row = writer.find_ref(WORKTREE.name)
        assert row is not None
        add_all(writer, edited)
        changed = ("src/Lamp.py", "new.py", "src/tide.py")
        before = {path: file for path, file in map_of(TEXTS).items() if path in changed}
        after = {path: file for path, file in map_of(edited).items() if path in changed}
        generation = writer.publish_edit(row.ref_id, MapEdit(before, after))

    assert generation == whole
    words = ["copper", "wick", "rise"]
    assert read_content(backend, words) == read_content(another, words)


def test_a_store_that_is_opened_again_shows_the_same(
    backend: Store, again: Callable[[], Store]
) -> None:
    publish(backend, TEXTS)
    before = read_content(backend, ["copper", "rise"])
    with backend.writer_lock(0):
        backend.open_writer().close()

    assert read_content(again(), ["copper", "rise"]) == before
    assert before[WORKTREE.name].hits["copper"]
