"""What a server reads of a generation is read once, and never told of another."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from cruxe.embed.models import embedding_model
from cruxe.hosting.warm_readers import WarmReaders, WarmRef
from cruxe.model.identity import VersionKey
from cruxe.query.retrieve.opened_ref import facts_of
from cruxe.store.open import open_store
from cruxe.tools.ref_session import published_ref
from cruxe.workspace.context import RepositoryContext, resolve_target
from tests.support.indexing import context_of, index
from tests.support.repositories import LAMP_AND_PORT, MakeRepo


@contextmanager
def asked(readers: WarmReaders, context: RepositoryContext) -> Iterator[WarmRef]:
    """The working tree, open for one question."""
    target = resolve_target(context.workspace, None)
    with readers.open() as snapshot:
        yield WarmRef(readers, snapshot, published_ref(snapshot, target, context).ref_id)


def model_of(context: RepositoryContext) -> str:
    model = embedding_model(context.settings.semantic)
    assert model is not None
    return model.version


def test_questions_about_one_generation_share_what_was_read(repo: MakeRepo) -> None:
    context = context_of(repo(LAMP_AND_PORT))
    index(context)

    with closing(WarmReaders(open_store(context.location))) as readers:
        with asked(readers, context) as first:
            before = first.lexical, first.vectors(model_of(context)), first.file_facts, first.paths
        with asked(readers, context) as second:
            after = (
                second.lexical,
                second.vectors(model_of(context)),
                second.file_facts,
                second.paths,
            )

    assert None not in before
    assert [one is other for one, other in zip(before, after, strict=True)] == [True] * 4


def test_the_next_generation_is_read_anew(repo: MakeRepo) -> None:
    made = repo(LAMP_AND_PORT)
    context = context_of(made)
    index(context)

    with closing(WarmReaders(open_store(context.location))) as readers:
        with asked(readers, context) as first:
            lexical, vectors = first.lexical, first.vectors(model_of(context))
            known = first.snapshot.paths_by_key(first.ref_id)
            assert all(map(first.is_live, known))
        made.write("-- port.py\ndef lighthouse():\n    return 3\n")
        index(context)
        with asked(readers, context) as second:
            is_live = [second.is_live(key) for key, _ in sorted(known.items(), key=_path)]
            assert second.lexical is not lexical
            assert second.vectors(model_of(context)) is not vectors

    assert is_live == [True, False]


def test_paths_of_the_next_generation_are_read_anew(repo: MakeRepo) -> None:
    made = repo(LAMP_AND_PORT)
    context = context_of(made)
    index(context)

    with closing(WarmReaders(open_store(context.location))) as readers:
        with asked(readers, context) as first:
            before = first.paths
        made.write("-- quay.py\ndef moor():\n    return 3\n")
        index(context)
        with asked(readers, context) as second:
            after = second.paths

    assert before == "\0lamp.py\0port.py\0"
    assert after == "\0lamp.py\0port.py\0quay.py\0"


def test_vectors_that_come_later_are_found_though_the_generation_stays(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(LAMP_AND_PORT)
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "off")
    index(context_of(made))
    monkeypatch.setenv("CRUXE_SEMANTIC_MODE", "hybrid")
    context = context_of(made)

    with closing(WarmReaders(open_store(context.location))) as readers:
        with asked(readers, context) as first:
            before = first.snapshot.generation, first.vectors(model_of(context))
        index(context)
        with asked(readers, context) as second:
            after = second.snapshot.generation, second.vectors(model_of(context))

    assert (before, after[0]) == ((1, None), 1)
    assert after[1] is not None


def test_places_are_of_versions_that_have_content(repo: MakeRepo) -> None:
    context = context_of(repo(LAMP_AND_PORT))
    index(context)

    with (
        closing(WarmReaders(open_store(context.location))) as readers,
        asked(readers, context) as opened,
    ):
        keys = sorted(opened.snapshot.paths_by_key(opened.ref_id))
        found = [opened.file_facts.look_up(keys[:1], opened.snapshot) for _ in range(2)]
        both = opened.file_facts.look_up([*keys, VersionKey(1)], opened.snapshot)

    assert found[0][0] is found[1][0] is both[0]
    assert both[2] is None
    assert {*both[:2]} == {facts_of("lamp.py", "python", 2), facts_of("port.py", "python", 2)}


def _path(pair: tuple[int, str]) -> str:
    return pair[1]
