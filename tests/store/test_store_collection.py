"""Collection: dead refs go with what only they hold, and the rest is as in a fresh store."""

from contextlib import closing

from cruxe.model.jobs import JobMode
from cruxe.model.stored import LiveVersion
from cruxe.store.api import Store
from tests.requirements import requirement
from tests.support.records import (
    BRANCH,
    DIMENSIONS,
    ROOT,
    WORKTREE,
    blob_id_for,
    key_of,
    make_record,
    map_of,
    publish,
    read_content,
    ref_id_of,
)

KEPT = {"lamp.py": "def lamp():\n    return 'copper'\n", "shared.md": "copper and tide\n"}
DROPPED = {"shared.md": "copper and tide\n", "tide.py": "def tide():\n    return 'copper'\n"}
TIDE_KEY = key_of("tide.py", DROPPED["tide.py"])
WORDS = ["copper", "tide", "lamp"]


def collect(store: Store, dead: set[str]) -> int:
    """Run a whole collection; return the generation."""
    texts = KEPT | DROPPED
    with store.writer_lock(0), closing(store.open_writer()) as writer:
        collection = writer.collect(dead)
        collection.begin()
        for live in collection.live:
            collection.add(make_record(live.path, texts[live.path]))
        return collection.publish()


def fill(store: Store) -> int:
    publish(store, KEPT)
    return publish(store, DROPPED, BRANCH)


@requirement("STORE-GC")
def test_what_is_left_is_as_in_a_fresh_store(backend: Store, another: Store) -> None:
    generation = fill(backend)
    publish(another, KEPT)

    assert collect(backend, {BRANCH.name}) == generation + 1

    assert read_content(backend, WORDS) == read_content(another, WORDS)
    with backend.snapshot() as snapshot:
        assert snapshot.find_ref(BRANCH.name) is None
        assert snapshot.symbols_named(["tide"]) == {"tide": []}
        assert snapshot.versions([TIDE_KEY]) == []
        assert snapshot.recent_jobs(1)[0].mode == JobMode.COLLECT
        snapshot.check_files()
        assert [*filter(None, snapshot.examine())] == []


def test_a_collection_says_what_goes_and_what_stays(backend: Store) -> None:
    fill(backend)

    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        collection = writer.collect({BRANCH.name, "refs/heads/unknown"})

        assert collection.dead_refs == (BRANCH.name,)
        assert list(collection.dead_versions) == [TIDE_KEY]
        assert collection.must_rewrite
        assert list(collection.live) == [
            LiveVersion(key_of(path, text), path, blob_id_for(text), ROOT)
            for path, text in sorted(KEPT.items())
        ]


def test_without_dead_versions_nothing_is_written_anew(backend: Store) -> None:
    fill(backend)

    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        collection = writer.collect(set())

        assert collection.dead_refs == ()
        assert list(collection.dead_versions) == []
        assert not collection.must_rewrite
        assert list(collection.live) == []


def test_versions_that_an_edit_left_behind_are_dead(backend: Store, another: Store) -> None:
    publish(backend, DROPPED | KEPT)
    publish(backend, KEPT)
    publish(another, KEPT)

    collect(backend, set())

    assert read_content(backend, WORDS) == read_content(another, WORDS)


def test_a_collection_that_does_not_finish_changes_nothing(backend: Store) -> None:
    fill(backend)
    before = read_content(backend, WORDS)

    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        collection = writer.collect({BRANCH.name})
        collection.begin()

    assert read_content(backend, WORDS) == before
    collect(backend, {BRANCH.name})
    with backend.snapshot() as snapshot:
        assert [row.name for row in snapshot.list_refs()] == [WORKTREE.name]


def test_a_snapshot_goes_on_through_a_collection(backend: Store) -> None:
    fill(backend)
    with backend.snapshot() as snapshot:
        ref_id = ref_id_of(snapshot, BRANCH)
        files = snapshot.read_map(ref_id)

        collect(backend, {BRANCH.name})

        assert snapshot.read_map(ref_id) == files == map_of(DROPPED, BRANCH)
        assert [each.path for each in snapshot.symbols_named(["tide"])["tide"]] == ["tide.py"]


def test_vectors_of_live_versions_stay(backend: Store) -> None:
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.use_model("model", DIMENSIONS)
        for path, text in (KEPT | DROPPED).items():
            writer.add(make_record(path, text, [1.0, 0.5]))
        writer.publish(WORKTREE, map_of(KEPT))
        writer.publish(BRANCH, map_of(DROPPED, BRANCH))

    collect(backend, {BRANCH.name})

    with backend.snapshot() as snapshot:
        assert snapshot.has_vectors(ref_id_of(snapshot), "model")
