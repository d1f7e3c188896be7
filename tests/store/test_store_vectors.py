"""Vectors: of one model at a time, complete for a ref or not shown at all."""

from collections.abc import Container, Mapping, Sequence
from contextlib import closing

from cruxe.model.identity import VersionKey
from cruxe.model.stored import NearFiles, NearWanted
from cruxe.store.api import Store
from tests.support.records import (
    BRANCH,
    DIMENSIONS,
    WORKTREE,
    key_of,
    make_record,
    map_of,
    publish,
    query_of,
    ref_id_of,
    vectors_of,
)

# Many numbers: a single large one would not fit into the byte that is stored of it.
EAST, NORTH = [1.0] * 32 + [0.1] * 32, [0.1] * 32 + [1.0] * 32
LAMP, TIDE = "def lamp():\n    pass\n", "def tide():\n    pass\n"
TEXTS = {"lamp.py": LAMP, "tide.py": TIDE}
LAMP_KEY, TIDE_KEY = key_of("lamp.py", LAMP), key_of("tide.py", TIDE)
DIRECTIONS = {"lamp.py": EAST, "tide.py": NORTH}


def publish_vectors(
    store: Store, model: str = "first", directions: Mapping[str, Sequence[float]] = DIRECTIONS
) -> None:
    """Publish the texts with vectors by a model."""
    with store.writer_lock(0), closing(store.open_writer()) as writer:
        writer.use_model(model, DIMENSIONS)
        for path, text in TEXTS.items():
            writer.add(make_record(path, text, directions[path]))
        writer.publish(WORKTREE, map_of(TEXTS))


def nearest(
    store: Store,
    direction: Sequence[float],
    known: Container[VersionKey] = (),
    model: str = "first",
) -> NearFiles | None:
    with store.snapshot() as snapshot:
        vectors = snapshot.vectors(ref_id_of(snapshot), model)
        assert vectors is not None
    wanted = NearWanted(
        rows=100, known=known, similarity=0.5, chunks_per_file=4, further_weights=(0.5, 0.25)
    )
    return vectors.nearest(query_of(direction), wanted)


def has_vectors(store: Store, model: str) -> bool:
    with store.snapshot() as snapshot:
        ref_id = ref_id_of(snapshot)
        assert (snapshot.vectors(ref_id, model) is not None) == snapshot.has_vectors(ref_id, model)
        return snapshot.has_vectors(ref_id, model)


def test_the_files_near_a_question_are_found(backend: Store) -> None:
    publish_vectors(backend)

    found = nearest(backend, EAST)

    assert found is not None
    assert list(found.similarities) == [LAMP_KEY]
    assert found.similarities[LAMP_KEY][0] > 0.9
    assert found.chunks == {LAMP_KEY: [0]}


def test_known_files_are_told_of_however_far_they_are(backend: Store) -> None:
    publish_vectors(backend)

    found = nearest(backend, EAST, {TIDE_KEY})

    assert found is not None
    assert found.similarities.keys() == {LAMP_KEY, TIDE_KEY}
    assert found.similarities[TIDE_KEY][0] < 0.5
    assert found.chunks.keys() == {LAMP_KEY}


def test_only_live_versions_are_compared(backend: Store) -> None:
    publish_vectors(backend)
    wanted = NearWanted(
        rows=100, known=(), similarity=0.0, chunks_per_file=4, further_weights=(0.5, 0.25)
    )

    with backend.snapshot() as snapshot:
        vectors = snapshot.vectors(ref_id_of(snapshot), "first")
    assert vectors is not None
    found = vectors.nearest(query_of(NORTH), wanted, TIDE_KEY.__eq__)

    assert found is not None
    assert found.similarities.keys() <= {TIDE_KEY}
    assert vectors.nearest(query_of(EAST), wanted, lambda _: False) is None
    assert vectors.nearest([0] * DIMENSIONS, wanted) is None


def test_a_ref_has_vectors_once_all_of_its_versions_have(backend: Store) -> None:
    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.use_model("first", DIMENSIONS)
        writer.add(make_record("lamp.py", LAMP, EAST))
        writer.add(make_record("tide.py", TIDE))
        writer.publish(WORKTREE, map_of(TEXTS))
        row = writer.find_ref(WORKTREE.name)
        assert row is not None
        assert writer.vectors.lacking([LAMP_KEY, TIDE_KEY, 5]) == {TIDE_KEY}
        assert not writer.vectors.are_complete(row.ref_id)
        assert not has_vectors(backend, "first")

        writer.vectors.add(TIDE_KEY, vectors_of(1, NORTH))
        writer.publish_vectors(WORKTREE.name)

        assert writer.vectors.lacking([LAMP_KEY, TIDE_KEY]) == set()
        assert writer.vectors.are_complete(row.ref_id)
    assert has_vectors(backend, "first")
    found = nearest(backend, NORTH)
    assert found is not None
    assert list(found.similarities) == [TIDE_KEY]


def test_vectors_of_another_model_are_never_mixed_in(backend: Store) -> None:
    publish_vectors(backend)
    assert not has_vectors(backend, "second")

    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.use_model("second", DIMENSIONS)
        assert writer.vectors.lacking([LAMP_KEY, TIDE_KEY]) == {LAMP_KEY, TIDE_KEY}
        assert not has_vectors(backend, "first")
        writer.vectors.add(LAMP_KEY, vectors_of(1, NORTH))
        writer.vectors.add(TIDE_KEY, vectors_of(1, EAST))
        writer.publish_vectors(WORKTREE.name)

    assert not has_vectors(backend, "first")
    found = nearest(backend, EAST, model="second")
    assert found is not None
    assert list(found.similarities) == [TIDE_KEY]


def test_the_same_model_keeps_its_vectors(backend: Store) -> None:
    publish_vectors(backend)
    before = nearest(backend, EAST, {LAMP_KEY, TIDE_KEY})

    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.use_model("first", DIMENSIONS)

    assert nearest(backend, EAST, {LAMP_KEY, TIDE_KEY}) == before


def test_a_ref_is_compared_with_its_own_vectors_alone(backend: Store) -> None:
    publish_vectors(backend)
    publish(backend, {"lamp.py": LAMP}, BRANCH)

    with backend.snapshot() as snapshot:
        vectors = snapshot.vectors(ref_id_of(snapshot, BRANCH), "first")
    assert vectors is not None
    wanted = NearWanted(
        rows=100, known=(), similarity=0.5, chunks_per_file=4, further_weights=(0.5, 0.25)
    )
    found = vectors.nearest(query_of(NORTH), wanted)

    assert found is not None
    assert TIDE_KEY not in found.similarities


def test_new_vectors_are_another_state_of_the_same_generation(backend: Store) -> None:
    publish(backend, TEXTS)
    with backend.snapshot() as snapshot:
        generation, state = snapshot.generation, snapshot.state

    with backend.writer_lock(0), closing(backend.open_writer()) as writer:
        writer.use_model("first", DIMENSIONS)
        writer.vectors.add(LAMP_KEY, vectors_of(1, EAST))
        writer.vectors.add(TIDE_KEY, vectors_of(1, NORTH))
        writer.publish_vectors(WORKTREE.name)

    with backend.snapshot() as snapshot:
        assert snapshot.generation == generation
        assert snapshot.state != state
