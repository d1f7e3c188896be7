"""One snapshot shows one generation; a publication is all or nothing."""

from collections.abc import Callable
from contextlib import closing

from cruxe.model.source import FileStat
from cruxe.store.api import Store
from tests.requirements import requirement
from tests.support.records import (
    WORKTREE,
    add_all,
    content_of,
    key_of,
    make_record,
    map_of,
    publish,
    read_content,
    ref_id_of,
    terms_for,
)

FIRST = {"lamp.py": "def lamp():\n    return 'copper'\n"}
SECOND = {"lamp.py": "def lantern():\n    return 'copper'\n", "tide.py": "tide = 1\n"}
WORDS = ["copper", "tide"]


@requirement("STORE-READERS")
def test_a_snapshot_stays_while_a_writer_publishes(backend: Store) -> None:
    first = publish(backend, FIRST)
    with backend.snapshot() as snapshot:
        before, state = content_of(snapshot, []), snapshot.state
        lexical = snapshot.lexical_opener()()
        live = snapshot.live_keys(ref_id_of(snapshot))
        hits = lexical.search("text", terms_for("copper"), 9, live.__contains__)

        second = publish(backend, SECOND)

        assert content_of(snapshot, []) == before
        assert (snapshot.generation, snapshot.state) == (first, state)
        assert lexical.search("text", terms_for("copper"), 9, live.__contains__) == hits
        with backend.snapshot() as newer:
            assert newer.generation == second > first
            assert newer.state != state
            assert newer.read_map(ref_id_of(newer)) == map_of(SECOND)


def test_a_snapshot_that_rested_shows_what_is_published_now(backend: Store) -> None:
    publish(backend, FIRST)
    with backend.snapshot() as snapshot:
        snapshot.rest()
        second = publish(backend, SECOND)
        snapshot.renew()

        assert snapshot.generation == second
        assert content_of(snapshot, WORDS) == read_content(backend, WORDS)


def test_publishing_the_same_again_is_no_new_generation(backend: Store) -> None:
    first = publish(backend, FIRST)

    assert publish(backend, FIRST) == first
    assert publish(backend, SECOND) == first + 1


def test_other_stamps_on_the_same_content_are_no_new_generation(backend: Store) -> None:
    first = publish(backend, FIRST)
    stamped = {
        path: file._replace(stat=FileStat(1, 2, 3, 4)) for path, file in map_of(FIRST).items()
    }

    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        assert writer.publish(WORKTREE, stamped) == first

    with backend.snapshot() as snapshot:
        assert snapshot.read_map(ref_id_of(snapshot)) == stamped


def test_snapshots_of_one_generation_have_one_state(
    backend: Store, again: Callable[[], Store]
) -> None:
    publish(backend, FIRST)

    with backend.snapshot() as one, again().snapshot() as other:
        assert one.state == other.state


def test_a_store_made_anew_takes_the_place_of_the_old_one(backend: Store) -> None:
    first = publish(backend, FIRST)
    with backend.snapshot() as old:
        before = content_of(old, [])
        with backend.writer_lock(0), closing(backend.create_writer()) as writer:
            assert writer.verdicts() == {}
            add_all(writer, SECOND)
            second = writer.publish(WORKTREE, map_of(SECOND))
            assert old.is_current()
            assert read_content(backend, []) == before
            writer.make_current()

        assert second > first
        assert not old.is_current()
        assert content_of(old, []) == before
        with backend.snapshot() as new:
            assert new.is_current()
            assert new.generation == second
            assert new.read_map(ref_id_of(new)) == map_of(SECOND)


def test_a_store_made_anew_and_not_taken_into_use_is_never_seen(backend: Store) -> None:
    publish(backend, FIRST)
    before = read_content(backend, WORDS)

    with backend.writer_lock(0):
        with closing(backend.create_writer()) as writer:
            add_all(writer, SECOND)
            writer.publish(WORKTREE, map_of(SECOND))
        with closing(backend.open_writer()) as writer:
            assert key_of("tide.py", SECOND["tide.py"]) not in writer.versions

    assert read_content(backend, WORDS) == before


def test_what_was_added_and_not_published_is_never_seen(backend: Store, another: Store) -> None:
    generation = publish(backend, FIRST)
    before = read_content(backend, WORDS)
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        add_all(writer, SECOND)

    with backend.snapshot() as snapshot:
        assert snapshot.generation == generation
        assert content_of(snapshot, WORDS) == before
        snapshot.check_files()
        assert [*filter(None, snapshot.examine())] == []
    for store in (another, backend):
        publish(store, FIRST)
        publish(store, SECOND)
    assert read_content(backend, WORDS) == read_content(another, WORDS)


def test_a_writer_counts_what_it_was_given(backend: Store) -> None:
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        add_all(writer, SECOND)
        writer.add(make_record("large.py", "x = 1\n", is_large=True))

        assert (writer.files_indexed, writer.symbols_extracted) == (2, 2)
        assert writer.known_keys() == b""

        writer.publish(WORKTREE, map_of(SECOND))
        keys = sorted([*map(key_of, SECOND, SECOND.values()), key_of("large.py", "x = 1\n")])
        assert writer.known_keys() == b"".join(key.to_bytes(8, "little") for key in keys)
        assert all(key in writer.versions for key in keys)


def test_a_store_has_a_size_and_can_be_read_ahead(backend: Store) -> None:
    publish(backend, FIRST)

    with backend.snapshot() as snapshot:
        snapshot.read_ahead(1 << 20)
        snapshot.read_ahead(0)
    assert 0 < backend.size_in_use_bytes() <= backend.size_bytes()
    assert backend.location
