"""Vectors in the store: published with their versions, shared by refs, of one model at a time."""

import os
import random
import statistics
from array import array
from collections.abc import Container
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.embed.encoding import encoder_of
from cruxe.embed.quantise import FULL_PRODUCT, query_code
from cruxe.model.errors import IndexIncompatibleError
from cruxe.model.hits import PARTS
from cruxe.model.identity import VersionKey
from cruxe.model.stored import NearWanted, Vectors
from cruxe.store.local.layout import CODES_FILE, ROWS_FILE
from cruxe.store.local.snapshot import open_snapshot
from cruxe.store.local.vector_lanes import distance_reached, distances_of, products_of
from cruxe.store.local.vector_reader import VectorReader, near_files
from cruxe.store.local.vector_rows import PackedSpans, VectorSpan
from cruxe.store.local.vector_writer import VectorWriter, copy_spans
from cruxe.store.local.writer import StoreWriter, open_writer
from cruxe.workspace.context import RepositoryContext, resolve_target
from tests.requirements import requirement
from tests.support.indexing import collect_now, context_of, index, read_database, settle
from tests.support.models import MODEL_VARIABLE, write_model
from tests.support.native import in_c, needs_kernels, without_kernels
from tests.support.repositories import MakeRepo
from tests.support.stores import layout_of

EVERY_KEY = [*map(VersionKey, range(9))]  # of rows made at random, and one more
PATHS = ("access.py", "money.py", "readme.md")
SOURCES = """
-- access.py
def login(password):
    return password

-- money.py
def refund(invoice):
    return invoice

-- readme.md
# Payment

How to charge and bill.
"""


@pytest.fixture(autouse=True)
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = write_model(tmp_path / "model")
    monkeypatch.setenv(MODEL_VARIABLE, folder)
    return folder


def near_wanted(rows: int, known: Container[VersionKey], similarity: float) -> NearWanted:
    return NearWanted(
        rows=rows,
        known=known,
        similarity=similarity,
        chunks_per_file=4,
        further_weights=(0.5, 0.25),
    )


def similar(context: RepositoryContext, query: str, ref: str | None = None) -> dict[str, float]:
    """The best similarity of each path of a ref."""
    name = resolve_target(context.workspace, ref).ref.name
    encoder = encoder_of(os.environ[MODEL_VARIABLE])
    with open_snapshot(layout_of(context)) as snapshot:
        row = snapshot.find_ref(name)
        assert row is not None
        reader = snapshot.vectors(row.ref_id, encoder.version)
        assert reader is not None
        paths = snapshot.paths_by_key(row.ref_id)
        near = reader.nearest(encoder.query_vector(query), near_wanted(1_000, paths, 0.0))
        assert near is not None
        found = near.similarities.items()
        return {paths[key]: round(max(best, doc), 3) for key, (best, _, doc) in found}


def spans(context: RepositoryContext) -> list[tuple[str, int, int]]:
    with read_database(context) as connection:
        return connection.execute(
            "SELECT path, first_row, row_count FROM vector_spans JOIN file_versions"
            " USING (version_key) ORDER BY path, first_row"
        ).fetchall()


def has_vectors(context: RepositoryContext, version: str, ref: str | None = None) -> bool:
    name = resolve_target(context.workspace, ref).ref.name
    with open_snapshot(layout_of(context)) as snapshot:
        row = snapshot.find_ref(name)
        assert row is not None
        return snapshot.has_vectors(row.ref_id, version)


def test_an_index_has_a_vector_for_every_chunk_and_one_for_the_docs(repo: MakeRepo) -> None:
    context = context_of(repo(SOURCES))
    index(context)

    assert [(path, count) for path, _, count in spans(context)] == [
        ("access.py", 2),
        ("money.py", 2),
        ("readme.md", 2),
    ]
    best = similar(context, "authenticate")
    assert max(best, key=best.__getitem__) == "access.py"
    assert best["access.py"] > 0.5 > best["money.py"]


def test_another_branch_costs_only_what_is_new_and_each_ref_sees_its_own(repo: MakeRepo) -> None:
    made = repo(SOURCES)
    made.git("checkout", "--quiet", "-b", "side")
    made.write("-- access.py\ndef schedule(clock):\n    return clock\n")
    made.commit()
    made.checkout("main")
    context = context_of(made)
    index(context)
    before = spans(context)
    index(context, "side")

    assert len(spans(context)) == len(before) + 1
    assert similar(context, "tomorrow")["access.py"] < 0.2
    assert similar(context, "tomorrow", "side")["access.py"] > 0.5


def test_an_edit_in_small_steps_gives_what_a_fresh_index_gives(repo: MakeRepo) -> None:
    made = repo(SOURCES)
    context = context_of(made)
    index(context)
    made.write("-- money.py\ndef persist(file):\n    return file\n")
    index(context)
    fresh = context_of(made, os.path.join(made.root, os.pardir, "fresh"))
    index(fresh)

    for query in ("save", "login", "invoice"):
        assert similar(context, query) == similar(fresh, query)


def test_rows_that_a_crash_left_are_written_over(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(SOURCES)
    context = context_of(made)
    index(context)
    made.write("-- money.py\ndef persist(file):\n    return file\n")

    def die(writer: StoreWriter) -> None:
        del writer
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(StoreWriter, "_write_pending", die)
        with pytest.raises(KeyboardInterrupt):
            index(context)
    before = similar(context, "refund")
    index(context)

    assert before["money.py"] > 0.5
    assert similar(context, "save")["money.py"] > 0.5
    assert _row_total(context) == sum(count for _, _, count in spans(context))


def test_a_collection_takes_the_rows_of_dead_versions_out(repo: MakeRepo) -> None:
    made = repo(SOURCES)
    context = context_of(made)
    index(context)
    made.write("-- money.py\ndef persist(file):\n    return file\n")
    made.remove("readme.md")
    index(context)
    known = similar(context, "save")
    collect_now(context)

    assert [path for path, _, _ in spans(context)] == ["access.py", "money.py"]
    assert _row_total(context) == 4
    assert similar(context, "save") == known


@requirement("S003-MODEL-VERSION")
def test_a_new_model_takes_the_place_of_the_old_and_their_vectors_never_meet(
    repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(SOURCES)
    made.branch("side")
    settle(made, *PATHS)
    index(context_of(made))
    index(context_of(made), "side")
    swapped = {"first": ("login", "invoice"), "second": ("refund", "password")}
    folder = write_model(tmp_path / "other", "topics-2", swapped)
    monkeypatch.setenv(MODEL_VARIABLE, folder)
    context = context_of(made)

    assert not has_vectors(context, "topics-2")
    assert index(context).changed_files == 0
    assert has_vectors(context, "topics-2")
    assert not has_vectors(context, "topics-1")
    assert not has_vectors(context, "topics-2", "side")
    assert similar(context, "invoice")["access.py"] > 0.4
    index(context, "side")
    assert has_vectors(context, "topics-2", "side")


def test_what_was_indexed_without_vectors_gets_them_with_the_next_sync(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(SOURCES)
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")
    index(context_of(made))
    assert spans(context_of(made)) == []
    monkeypatch.delenv("CRUXE_SEMANTIC_MODE")
    context = context_of(made)
    generation = index(context).generation

    assert has_vectors(context, "topics-1")
    assert index(context).generation == generation


def test_an_edit_without_vectors_leaves_the_ref_without(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(SOURCES)
    index(context_of(made))
    made.write("-- money.py\ndef persist(file):\n    return file\n")
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")
    context = context_of(made)
    index(context)

    assert not has_vectors(context, "topics-1")


@needs_kernels
@pytest.mark.parametrize("least", [1, 7, 40, 1_000])
def test_c_finds_the_rows_that_python_does(tmp_path: Path, least: int) -> None:
    reader = _random_rows(tmp_path)
    chance = random.Random(3)  # noqa: S311 - no secret
    query = [chance.randint(-2_000, 2_000) for _ in range(64)]

    def is_odd(key: VersionKey) -> bool:
        return key % 3 != 1

    for known in ([], EVERY_KEY[:3], EVERY_KEY):
        for similarity in (-1.0, 0.0, 0.001):
            wanted = near_wanted(least, known, similarity)
            found = reader.nearest(query, wanted, is_odd)

            with without_kernels():
                assert reader.nearest(query, wanted, is_odd) == found
            assert found is not None
            assert found.chunks.keys() == found.similarities.keys() - {*known}
            for best, _, _ in map(found.similarities.__getitem__, found.chunks):
                assert best > similarity


@needs_kernels
@given(data=st.data())
def test_codes_of_any_length_are_compared_alike(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 20))
    codes = data.draw(st.lists(st.binary(min_size=size, max_size=size), min_size=1, max_size=9))
    numbers = data.draw(st.binary(min_size=8 * size * len(codes), max_size=8 * size * len(codes)))
    query = data.draw(st.lists(st.integers(-99, 99), min_size=8 * size, max_size=8 * size))
    least = data.draw(st.integers(1, 10))

    count = len(codes)
    files, runs = (b"".join(codes), numbers), array("q", [0, count])
    spans = array("Q", [7]), array("Q", [0]), array("Q", [count])
    asked = array("i", query), FULL_PRODUCT, PARTS
    per_file = data.draw(st.integers(1, 6))
    wanted = near_wanted(least, data.draw(st.sets(st.sampled_from(EVERY_KEY[7:]))), 0.0)
    wanted = wanted._replace(chunks_per_file=per_file)
    found = in_c().nearest_files(files, runs, asked, wanted, spans)

    distances = distances_of(files[0], query_code(query))
    limit = distance_reached(distances, least)
    near = [row for row, distance in enumerate(distances) if distance <= limit]
    own = b"".join(numbers[8 * size * row : 8 * size * (row + 1)] for row in near)
    products = products_of(own, query)
    rows = [(row, round(each / FULL_PRODUCT, 6)) for row, each in zip(near, products, strict=True)]
    middle = statistics.median(products) / FULL_PRODUCT
    assert found == near_files(rows, middle, wanted, PackedSpans(*spans))


@needs_kernels
@pytest.mark.parametrize("runs", [[1, 2], [-1, 1], [0, -1], [2**62, 2**62]])
def test_rows_that_are_not_there_are_refused(runs: list[int]) -> None:
    query, wanted = (array("i", [1] * 64), FULL_PRODUCT, PARTS), near_wanted(1, (), 0.0)
    spans = array("Q", [7]), array("q", [0]), array("q", [2])

    with pytest.raises(ValueError, match="not there"):
        in_c().nearest_files((bytes(16), bytes(128)), array("q", runs), query, wanted, spans)


def test_vectors_that_were_cut_off_are_told_of(tmp_path: Path) -> None:
    spans = PackedSpans(array("Q", [1, 2]), array("Q", [0, 3]), array("Q", [3, 1]))
    (tmp_path / ROWS_FILE).write_bytes(bytes(4 * 64))
    (tmp_path / CODES_FILE).write_bytes(bytes(4 * 8 - 1))

    with pytest.raises(IndexIncompatibleError, match="some vectors are missing"):
        VectorReader(str(tmp_path), spans, 64)


def test_filters_are_asked_before_the_nearest_are_taken(tmp_path: Path) -> None:
    reader = _random_rows(tmp_path)
    query = [1_000] + [0] * 63

    def is_third(key: VersionKey) -> bool:
        return key == 3

    few = reader.nearest(query, near_wanted(5, EVERY_KEY, 0.0), is_third)
    every = reader.nearest(query, near_wanted(10, (), -1.0), is_third)

    assert few is not None
    assert few.similarities.keys() == {3}
    assert few.chunks == {}
    assert every is not None
    ((key, chunks),) = every.chunks.items()
    assert (key, len(chunks)) == (3, 4)
    best, three, docs = every.similarities[key]
    assert three > best > 0
    assert docs != 0


def test_a_question_without_direction_is_near_to_nothing(tmp_path: Path) -> None:
    reader = _random_rows(tmp_path)

    wanted = near_wanted(5, EVERY_KEY, 0.0)

    assert reader.nearest([0] * 64, wanted) is None
    assert reader.nearest([1] * 64, wanted, lambda _: False) is None


def test_spans_are_copied_in_the_order_given(tmp_path: Path) -> None:
    first = VectorWriter(str(tmp_path / "a"), 64, 0)
    one = first.add(VersionKey(1), Vectors(b"a" * 128, b"1" * 16))
    two = first.add(VersionKey(2), Vectors(b"b" * 64, b"2" * 8))
    first.commit()
    second = VectorWriter(str(tmp_path / "b"), 64, 0)

    copied = copy_spans(str(tmp_path / "a"), [two, one], second, 64)
    second.close()
    first.close()

    assert [span[:3] for span in copied] == [(2, 0, 1), (1, 1, 2)]
    assert (tmp_path / "b" / "rows").read_bytes() == b"b" * 64 + b"a" * 128
    assert (tmp_path / "b" / "codes").read_bytes() == b"2" * 8 + b"1" * 16


def _random_rows(folder: Path) -> VectorReader:
    """Eight versions of ten rows, with numbers that mean nothing; codes are their signs."""
    chance = random.Random(7)  # noqa: S311 - no secret
    writer = VectorWriter(str(folder / "vectors"), 64, 0)
    spans: list[VectorSpan] = []
    for key in range(8):
        numbers = [[chance.randint(-127, 127) for _ in range(64)] for _ in range(10)]
        codes = [
            int("".join("1" if number > 0 else "0" for number in row), 2).to_bytes(8, "big")
            for row in numbers
        ]
        rows = b"".join(array("b", row).tobytes() for row in numbers)
        spans.append(writer.add(VersionKey(key), Vectors(rows, b"".join(codes))))
    writer.commit()
    writer.close()
    keys, first_rows, row_counts, _ = zip(*spans, strict=True)
    packed = PackedSpans(array("Q", keys), array("Q", first_rows), array("Q", row_counts))
    return VectorReader(str(folder / "vectors"), packed, 64)


def _row_total(context: RepositoryContext) -> int:
    """The rows that count."""
    writer = open_writer(layout_of(context), context.workspace.repository_id)
    rows = writer.connection.execute("SELECT value FROM meta WHERE key = 'vector_rows'").fetchone()
    writer.close()
    return int(rows[0])
